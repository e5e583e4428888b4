/**
 * The requests that the documents show: each route exists, and each body of JSON is one that its OpenAPI document accepts.
 * A renamed field or path fails here before a reader copies the old one.
 */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import { createTestApp as createAuth } from "../auth/app-fixture.ts";
import { createTestApp as createMonitor } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { projectFolder } from "../support/process.ts";

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        requestBody: z
          .looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) })
          .optional(),
      }),
    ),
  ),
});

interface Documented {
  fetch(path: string): Promise<Response>;
}

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  /** What is wrong with a body; undefined for a route without one in JSON. */
  readonly check?: (body: unknown) => string | undefined;
}

interface Shown {
  readonly where: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

async function readRoutes(name: string, app: Documented): Promise<Route[]> {
  const document = documentSchema.parse(await (await app.fetch("/openapi.json")).json());
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema(document, name);
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody }]): Route => {
      const schema = requestBody?.content["application/json"]?.schema;
      const route = { method: method.toUpperCase(), segments: path.split("/") };
      if (schema === undefined) return route;
      const text = JSON.stringify(schema).replaceAll('"#/components/', `"${name}#/components/`);
      return {
        method: route.method,
        segments: route.segments,
        check: (body) => {
          const validate = ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
          return validate(body) ? undefined : ajv.errorsText(validate.errors);
        },
      };
    }),
  );
}
/** Placeholders such as "{id}", "$ID", "chk_…" and "usr_..." stand for any segment. */
const isPlaceholder = (segment: string): boolean => /^\{|^\$|…$|\.\.\.$|^ID$/u.test(segment);

function matches(route: Route, { method, path }: Shown): boolean {
  const segments = (path.split("?")[0] ?? "").replace(/\/$/u, "").split("/");
  return (
    route.method === method &&
    route.segments.length === segments.length &&
    route.segments.every((own, index) => {
      const shown = segments[index] ?? "";
      return own === shown || own.startsWith("{") || isPlaceholder(shown);
    })
  );
}

/** The words of a shell command up to its end, with the contents of quotes as they are. */
function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "'" || char === '"') {
      const end = findQuote(text, at);
      word = (word ?? "") + text.slice(at + 1, end).replaceAll(/\\(["\\])/gu, char === '"' ? "$1" : "$&");
      at = end;
    } else if (char === "$" && text[at + 1] === "(") {
      const end = text.indexOf(")", at);
      word = `${word ?? ""}$X`;
      at = end;
    } else if (char === "\\" && text[at + 1] === "\n") at += 1;
    else if (/[\n|)#;]/u.test(char)) break;
    else if (char === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

function findQuote(text: string, from: number): number {
  const quote = text[from];
  let at = from + 1;
  while (at < text.length && text[at] !== quote) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  return at;
}

/** What a curl command sends; undefined where that is no request of the API. */
function readCurl(words: readonly string[], where: string): Shown | undefined {
  const after = (option: string): string | undefined => words[words.indexOf(option) + 1];
  const url = words.find((word) => /\/api\//u.test(word) && !word.includes(" "));
  if (url === undefined) return undefined;
  const data = words.includes("-d") ? after("-d") : undefined;
  const body = data?.startsWith("{") || data?.startsWith("[") ? data : undefined;
  const implied = data !== undefined || words.includes("--data-binary") ? "POST" : "GET";
  const method = words.includes("-X") ? after("-X") : words.includes("-T") ? "PUT" : implied;
  return { where, method: method ?? "GET", path: url.slice(url.indexOf("/api/")), body };
}

/** Curl commands in blocks of code, and routes in the text such as `PATCH /api/admin/settings` with `{"publicUrl":""}`. */
async function listShown(page: string): Promise<Shown[]> {
  const text = await readFile(join(projectFolder, page), "utf8");
  const inText = Array.from(
    text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s`]+)`(?: with `(\{[^`]+\})`)?/gu),
    ([where, method = "", path = "", body]): Shown => ({ where: `${page}: ${where}`, method, path, body }),
  );
  const inCode = Array.from(text.matchAll(/^ *```(?:sh|yaml)\n([^]*?)^ *```$/gmu), ([, code = ""]) =>
    Array.from(code.matchAll(/\bcurl /gu), ({ index }) => {
      const words = splitCommand(code.slice(index));
      return readCurl(words, `${page}: ${words.join(" ").slice(0, 120)}`);
    }),
  );
  return [...inText, ...inCode.flat().filter((shown) => shown !== undefined)];
}

/** With values in place of insertions of the shell, and of "rol_...". */
const toBody = (text: string): unknown =>
  JSON.parse(
    text
      .replaceAll(/\$\(date[^)]*\)/gu, "2026-11-21T22:00:00Z")
      .replaceAll(/:\s*\$\([^)]*\)/gu, ":1")
      .replaceAll(/_(?:\.\.\.|…)/gu, "_0"),
  );

describe("requests in the documents", () => {
  const routes: Route[] = [];
  let shown: Shown[] = [];
  before(async () => {
    for (const [name, app] of [
      ["auth", await createAuth()],
      ["monitor", await createMonitor()],
      ["shop", await createTestShop()],
    ] as const)
      routes.push(...(await readRoutes(name, app)));
    const docs = await readdir(join(projectFolder, "docs"));
    const pages = docs.filter((name) => name.endsWith(".md")).map((name) => join("docs", name));
    shown = (await Promise.all(["README.md", ...pages].map(listShown))).flat();
  });

  it("name routes that exist", () => {
    assert.ok(shown.length > 80, String(shown.length));
    const unknown = shown.filter((request) => !routes.some((route) => matches(route, request)));
    assert.deepEqual(
      unknown.map(({ where }) => where),
      [],
    );
  });

  it("have bodies that the OpenAPI documents accept", () => {
    const bodies = shown.filter(({ body }) => body !== undefined);
    assert.ok(bodies.length > 30, String(bodies.length));
    const wrong = bodies.flatMap((request) => {
      const body = toBody(request.body ?? "");
      const faults = routes
        .filter((route) => matches(route, request))
        .map(({ check }) => (check === undefined ? "takes no JSON" : check(body)));
      // A route such as /api/admin/api-keys is one of several services.
      return faults.includes(undefined) ? [] : [`${request.where}: ${faults.join("; ")}`];
    });
    assert.deepEqual(wrong, []);
  });
});

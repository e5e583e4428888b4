/** What Swagger UI shows of all three services: groups with a sentence each, and the icon of its page. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestApp as createAuth } from "../auth/app-fixture.ts";
import { createTestApp as createMonitor } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";

interface Target {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

interface Document {
  readonly tags?: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, { readonly tags?: readonly string[] }>>;
}

interface Example {
  readonly value: {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly code: string;
  };
}

interface Answer {
  readonly description: string;
  readonly content?: Record<string, { readonly examples?: Record<string, Example> }>;
}

/** What a document says of errors. */
interface Errors {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Answer> }>>;
  readonly components: { readonly schemas: Record<string, { readonly example?: unknown }> };
}

const services: Readonly<Record<string, () => Promise<Target>>> = {
  auth: createAuth,
  monitor: createMonitor,
  shop: createTestShop,
};

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Names that files of a service give to schemas of its document. */
async function listSchemaNames(service: string): Promise<string[]> {
  const entries = await readdir(join(source, service), { recursive: true });
  const files = entries.filter((entry) => /\.tsx?$/u.test(entry));
  const texts = await Promise.all(files.map((file) => readFile(join(source, service, file), "utf8")));
  return texts.flatMap((text) => [...text.matchAll(/\.openapi\("(\w+)"/gu)].map(([, name = ""]) => name));
}

for (const [service, create] of Object.entries(services)) {
  describe(`Swagger UI of the ${service}`, () => {
    it("has one schema per name: a second one would replace it", async () => {
      const names = await listSchemaNames(service);
      // The monitor names none.
      assert.equal(names.length > 20, service !== "monitor");
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      );
    });

    it("shows with each error the problem document of its own status and codes", async () => {
      const document: Errors = await (await (await create()).fetch("/openapi.json")).json();
      assert.equal(document.components.schemas.Problem?.example, undefined);
      let shown = 0;
      for (const [path, item] of Object.entries(document.paths))
        for (const [method, { responses }] of Object.entries(item))
          for (const [status, { description, content }] of Object.entries(responses)) {
            const problem = content?.["application/problem+json"];
            if (problem === undefined) continue;
            const where = `${method} ${path} ${status}`;
            const examples = Object.entries(problem.examples ?? {});
            const codes = [...description.matchAll(/\(`(\w+)`\)/gu)].map(([, code = ""]) => code);
            // Routes for programs of others describe their errors in their own words.
            if (codes.length === 0) assert.ok(examples.length > 0, where);
            else
              assert.deepEqual(
                examples.map(([name]) => name),
                codes,
                where,
              );
            for (const [name, { value }] of examples) {
              assert.deepEqual(
                [value.status, value.code, value.type],
                [Number(status), name, `urn:trivet:problem:${name}`],
                where,
              );
              assert.ok(codes.length === 0 || description.includes(value.title), where);
              shown += 1;
            }
          }
      assert.ok(shown > 100, `${shown} examples`);
    });

    it("has each route in a group that is declared with a sentence, those for administrators and operation last", async () => {
      const document: Document = await (await (await create()).fetch("/openapi.json")).json();
      const declared = (document.tags ?? []).map(({ name }) => name);
      const used = new Map<string, Set<boolean>>();
      for (const [path, item] of Object.entries(document.paths))
        for (const [method, { tags = [] }] of Object.entries(item)) {
          assert.equal(tags.length, 1, `${method} ${path}`);
          const [tag = ""] = tags;
          used.set(tag, (used.get(tag) ?? new Set()).add(path.startsWith("/api/admin/")));
        }
      assert.deepEqual([...declared].sort(), [...used.keys()].sort());
      for (const { name, description } of document.tags ?? [])
        assert.match(description, /^[A-Z].{15,}\.$/u, name);
      assert.deepEqual(declared.slice(-2), ["operation", "docs"]);
      const isForAdministrators = declared.slice(0, -2).map((name) => [...(used.get(name) ?? [])].join());
      assert.match(isForAdministrators.join(" "), /^(?:false )+true(?: true)*$/u);
    });

    it("has no route that changes anything in the group operation", async () => {
      const document: Document = await (await (await create()).fetch("/openapi.json")).json();
      for (const [path, item] of Object.entries(document.paths))
        for (const [method, { tags }] of Object.entries(item))
          assert.ok(tags?.[0] !== "operation" || method === "get", `${method} ${path}`);
    });

    it("has an icon", async () => {
      const app = await create();
      const icon = await app.fetch("/favicon.ico");
      assert.deepEqual(
        [icon.status, icon.headers.get("content-type")],
        [200, "image/svg+xml; charset=utf-8"],
      );
      assert.equal(
        await icon.text(),
        await readFile(new URL("../../src/kit/http/icon.svg", import.meta.url), "utf8"),
      );
      const etag = icon.headers.get("etag") ?? "";
      const again = await app.fetch("/favicon.ico", { headers: { "if-none-match": etag } });
      assert.equal(again.status, 304);
    });
  });
}

describe("OpenAPI document of the auth center", () => {
  it("has the addresses that applications send browsers to, with their parameters", async () => {
    interface Parameters {
      readonly paths: Record<string, Record<string, { readonly parameters?: readonly { name: string }[] }>>;
    }
    const { paths }: Parameters = await (await (await createAuth()).fetch("/openapi.json")).json();
    const namesOf = (path: string): string[] =>
      (paths[path]?.["get"]?.parameters ?? []).map(({ name }) => name);
    for (const name of ["client_id", "redirect_uri", "code_challenge", "max_age"])
      assert.ok(namesOf("/oauth/authorize").includes(name), name);
    for (const name of ["id_token_hint", "post_logout_redirect_uri"])
      assert.ok(namesOf("/oauth/logout").includes(name), name);
    for (const path of ["/oauth/authorize", "/oauth/logout"]) assert.ok(paths[path]?.["post"], path);
  });
});

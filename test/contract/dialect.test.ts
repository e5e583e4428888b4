/** One HTTP dialect for all three services: each rule applies to every operation of their documents. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestApp as createAuth } from "../auth/app-fixture.ts";
import { createTestApp as createMonitor } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { type Rule, rules, strays } from "./dialect-strays.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Target {
  fetch(path: string): Promise<Response>;
}

const services: Readonly<Record<string, () => Promise<Target>>> = {
  auth: createAuth,
  monitor: createMonitor,
  shop: createTestShop,
};

/** Bodies that a standard or a seed fixes, and those that programs of others send. */
const FIXED: Readonly<Record<string, string>> = {
  "POST /api/auth/introspect": "RFC 7662 counts times in seconds",
  "GET /api/auth/jwks": "RFC 7517 names the list keys",
  "POST /api/webhooks/{provider}-pay": "payment services write the notice",
  "GET /openapi.json": "the OpenAPI document itself",
};
/** Names of moments: `createdAt`, `suspendedUntil`, `revokedBefore`, `at`, `since`, `now` …; `brokenAt` is an entry's id. */
const MOMENT =
  /^(?!brokenAt$).+(?:At|Until|Before|Since)$|^(?:at|now|since|until|timestamp|nextReset|purgeAfter)$/u;
/** From 2001 to 2100 in epoch milliseconds. */
const EPOCH = { least: 1e12, most: 4.2e12 };
const SECRET =
  /^(?:has|is)(?:Password|Secret|Token|Key)|^(?:is|has)Set$|(?:password|secret|token|key)Configured$/iu;
const METHODS = new Set(["get", "post", "put", "patch", "delete"]);

/** One place in a body: its path such as `items[].createdAt`, its own name, and its schema. */
interface Member {
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
}

function createWalk(document: Document) {
  function resolve(schema: Schema): Schema {
    const name = schema.$ref?.replace("#/components/schemas/", "");
    return name === undefined ? schema : resolve(document.components.schemas[name] ?? {});
  }

  /** A schema with the alternatives and parts that it is made of. */
  function* listParts(schema: Schema): Generator<Schema> {
    const own = resolve(schema);
    yield own;
    for (const part of [...(own.allOf ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? [])])
      yield* listParts(part);
  }

  /** Every member below a schema, itself first. */
  function* listMembers(member: Member, above: readonly Schema[] = []): Generator<Member> {
    for (const schema of listParts(member.schema)) {
      if (above.includes(schema)) continue;
      yield { ...member, schema };
      const next = [...above, schema];
      for (const [name, child] of Object.entries(schema.properties ?? {}))
        yield* listMembers({ path: `${member.path}.${name}`, name, schema: child }, next);
      if (schema.items !== undefined)
        yield* listMembers({ path: `${member.path}[]`, name: member.name, schema: schema.items }, next);
      if (typeof schema.additionalProperties === "object")
        yield* listMembers(
          { path: `${member.path}.*`, name: member.name, schema: schema.additionalProperties },
          next,
        );
    }
  }

  return {
    members: (schema: Schema) => [...listMembers({ path: "", name: "", schema })],
    parts: (schema: Schema) => [...listParts(schema)],
  };
}

type Walk = ReturnType<typeof createWalk>;

function hasType({ type }: Schema, ...wanted: string[]): boolean {
  return wanted.some((name) => type === name || (Array.isArray(type) && type.includes(name)));
}

/** JSON bodies of successful answers. */
function listAnswers({ responses }: Operation): Content[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const json = content?.["application/json"];
    return status.startsWith("2") && json !== undefined ? [json] : [];
  });
}

function* findEpochs(value: unknown, path: string): Generator<string> {
  if (typeof value === "number" && value > EPOCH.least && value < EPOCH.most) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value))
    yield* findEpochs(member, Array.isArray(value) ? `${path}[]` : `${path}.${name}`);
}

function* checkTimes(walk: Walk, contents: readonly Content[]): Generator<string> {
  for (const { schema, example } of contents) {
    for (const { path, name, schema: each } of walk.members(schema ?? {})) {
      if (!MOMENT.test(name)) continue;
      if (hasType(each, "integer", "number")) yield `${path} is a number, not an ISO 8601 time`;
      if (hasType(each, "string") && each.format !== "date-time") yield `${path} has no format date-time`;
    }
    for (const path of findEpochs(example, "")) yield `${path} has epoch milliseconds as example`;
  }
}

function* checkList(walk: Walk, method: string, operation: Operation): Generator<string> {
  const isPaged = (operation.parameters ?? []).some(({ name }) => name === "cursor");
  for (const { schema } of listAnswers(operation)) {
    for (const part of walk.parts(schema ?? {})) {
      if (hasType(part, "array")) yield "a list is an object with items";
      const { properties, required = [] } = part;
      if (properties === undefined) continue;
      const { items, nextCursor } = properties;
      if (isPaged && (items === undefined || nextCursor === undefined))
        yield "a page has items and nextCursor";
      if (items === undefined) {
        // A member that is a list of objects beside nothing, or beside the time of the answer, is the list.
        const rest = Object.keys(properties).filter((name) => !["now", "total"].includes(name));
        const only = properties[rest[0] ?? ""];
        const isList = only !== undefined && walk.parts(only).some((each) => hasType(each, "array"));
        if (method === "get" && rest.length === 1 && isList) yield `the list "${rest[0]}" is called items`;
        continue;
      }
      if (!required.includes("items")) yield "items is always there";
      if (nextCursor !== undefined && required.includes("nextCursor"))
        yield "nextCursor is absent on the last page";
      if ("total" in properties) yield "a list has no total";
    }
  }
}

function* checkQuery(operation: Operation): Generator<string> {
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (place !== "query") continue;
    if (/^(?:query|search|text|filter)$/u.test(name)) yield `a search is q, not ${name}`;
    if (/^(?:since|start|begin|end|until|before)(?:At)?$/u.test(name))
      yield `a range is from and to, not ${name}`;
    if (MOMENT.test(name) && schema?.format !== "date-time") yield `${name} has no format date-time`;
  }
}

function* checkBody(walk: Walk, body: Content | undefined): Generator<string> {
  for (const { path, schema } of walk.members(body?.schema ?? {}))
    if (schema.properties !== undefined && schema.additionalProperties !== false)
      yield `${path} takes unknown members`;
}

function* checkVersions(walk: Walk, operation: Operation): Generator<string> {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const hasVersion =
    body !== undefined && walk.parts(body).some(({ properties = {} }) => "version" in properties);
  const takesTag = (operation.parameters ?? []).some(({ name }) => name.toLowerCase() === "if-match");
  if (hasVersion && !("409" in operation.responses)) yield "a stale version in the body is no 409";
  if (takesTag && !("412" in operation.responses)) yield "a stale If-Match is no 412";
  if (!takesTag && "412" in operation.responses) yield "If-Match is not declared";
}

function* checkSecrets(walk: Walk, answers: readonly Content[]): Generator<string> {
  for (const { schema } of answers)
    for (const { path, name, schema: each } of walk.members(schema ?? {}))
      if (hasType(each, "boolean") && SECRET.test(name)) yield `${path} is called <name>Set`;
}

/** Settings can be changed in part: PUT has PATCH beside it. */
function* checkPut(item: Readonly<Record<string, Operation>>, where: string): Generator<string> {
  if (/^PUT .*\/(?:settings|site|smtp)(?:\/|$)/u.test(where) && !("patch" in item))
    yield "has no PATCH beside it";
}

/** What breaks a rule, as "METHOD path" with the members. */
type Strays = Record<Rule, Record<string, string[]>>;

/** Every place where a document does not speak the dialect. */
function findStrays(document: Document): Strays {
  const walk = createWalk(document);
  const found: Strays = {
    times: {},
    lists: {},
    names: {},
    bodies: {},
    versions: {},
    secrets: {},
    settings: {},
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [name, operation] of Object.entries(item)) {
      const where = `${name.toUpperCase()} ${path}`;
      if (!METHODS.has(name) || where in FIXED) continue;
      const answers = listAnswers(operation);
      const body = operation.requestBody?.content["application/json"];
      const problems = {
        times: checkTimes(walk, body === undefined ? answers : [...answers, body]),
        lists: checkList(walk, name, operation),
        names: checkQuery(operation),
        bodies: checkBody(walk, body),
        versions: checkVersions(walk, operation),
        secrets: checkSecrets(walk, answers),
        settings: checkPut(item, where),
      } satisfies Record<Rule, Iterable<string>>;
      for (const rule of rules) {
        const texts = [...new Set(problems[rule])];
        if (texts.length > 0) found[rule][where] = texts;
      }
    }
  }
  return found;
}

for (const [service, create] of Object.entries(services)) {
  describe(`the HTTP dialect of the ${service}`, () => {
    it("holds for every operation but those that are listed", async () => {
      const document: Document = await (await (await create()).fetch("/openapi.json")).json();
      const found = findStrays(document);
      const listed = strays[service] ?? {};
      const news = rules.flatMap((rule) =>
        Object.entries(found[rule])
          .filter(([where]) => listed[rule]?.includes(where) !== true)
          .map(([where, texts]) => `${rule}: ${where}: ${texts.join("; ")}`),
      );
      assert.deepEqual(news, [], `These break a rule:\n${news.join("\n")}`);
      const gone = rules.flatMap((rule) => (listed[rule] ?? []).filter((where) => !(where in found[rule])));
      assert.deepEqual(gone, [], "These keep the rule now: remove them from dialect-strays.ts");
    });
  });
}

describe("the check of the dialect", () => {
  it("finds each kind of stray", () => {
    const things = { type: "array", items: { $ref: "#/components/schemas/Thing" } };
    const document: Document = {
      components: { schemas: { Thing: { properties: { createdAt: { type: "integer" } } } } },
      paths: {
        "/things": {
          get: {
            parameters: ["cursor", "query", "since"].map((name) => ({ name, in: "query" })),
            responses: { 200: { content: { "application/json": { schema: { properties: { things } } } } } },
          },
          put: {
            requestBody: {
              content: { "application/json": { schema: { properties: { version: { type: "integer" } } } } },
            },
            responses: {
              200: {
                content: {
                  "application/json": {
                    schema: { properties: { hasSecret: { type: "boolean" } } },
                    example: 2e12,
                  },
                },
              },
              412: {},
            },
          },
        },
        "/settings": { put: { responses: {} } },
        "/list": {
          get: {
            responses: {
              200: {
                content: {
                  "application/json": {
                    schema: { properties: { items: things, total: { type: "integer" } } },
                  },
                },
              },
            },
          },
        },
      },
    };
    assert.deepEqual(findStrays(document), {
      times: {
        "GET /things": [".things[].createdAt is a number, not an ISO 8601 time"],
        "PUT /things": [" has epoch milliseconds as example"],
        "GET /list": [".items[].createdAt is a number, not an ISO 8601 time"],
      },
      lists: {
        "GET /things": ["a page has items and nextCursor", 'the list "things" is called items'],
        "GET /list": ["items is always there", "a list has no total"],
      },
      names: {
        "GET /things": [
          "a search is q, not query",
          "a range is from and to, not since",
          "since has no format date-time",
        ],
      },
      bodies: { "PUT /things": [" takes unknown members"] },
      versions: { "PUT /things": ["a stale version in the body is no 409", "If-Match is not declared"] },
      secrets: { "PUT /things": [".hasSecret is called <name>Set"] },
      settings: { "PUT /settings": ["has no PATCH beside it"] },
    });
  });
});

/** A noun whose routes come from one call: each route, what it refuses, and what stays true while others write. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { addDocs } from "../../../src/kit/http/docs.ts";
import { auditCollection, auditHeadCollection } from "../../../src/records/audit-chain.ts";
import { listAudit } from "../../../src/records/audit.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Contract, createContract } from "../../contract/openapi-contract.ts";
import { withTestKey } from "../../support/audited-store.ts";
import type { FixedClock } from "../../support/fixed-clock.ts";
import { type AppHarness, createAppHarness } from "../app-harness.ts";
import { type ShelfEnv, addShelfRoutes, shelves } from "./shelf-noun.ts";

const PATH = "/api/admin/shelves";
const admin: MiddlewareHandler<ShelfEnv> = async (c, next) => {
  c.set("actor", { name: "token", clientId: "test", requestId: "request" });
  return next();
};
const shelfSchema = z.object({ id: z.string(), version: z.int(), name: z.string(), places: z.int() });
const pageSchema = z.object({ items: z.array(shelfSchema), nextCursor: z.string().optional() });
const problemSchema = z.object({
  code: z.string(),
  errors: z.array(z.object({ pointer: z.string() })).optional(),
  currentVersion: z.int().optional(),
});

let store: Store;
let clock: FixedClock;
let app: AppHarness["app"];
let contract: Contract;

interface Sending {
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/** Sends a request, and checks the answer against the document. */
async function send(method: string, path: string, { body, ifMatch }: Sending = {}): Promise<Response> {
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
  };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await app.request(`${PATH}${path}`, init);
  await contract.check({ method, path: `${PATH}${path}` }, response.clone());
  return response;
}

async function create(name: string, more: object = {}): Promise<z.infer<typeof shelfSchema>> {
  const response = await send("POST", "", { body: { name, room: "hall", places: 3, ...more } });
  assert.equal(response.status, 201);
  clock.advance(1_000);
  return shelfSchema.parse(await response.json());
}

async function refused(response: Response): Promise<[number, string]> {
  const { code } = problemSchema.parse(await response.json());
  return [response.status, code];
}

async function listNames(query: string): Promise<string[]> {
  const response = await send("GET", query);
  assert.equal(response.status, 200);
  return pageSchema.parse(await response.json()).items.map(({ name }) => name);
}

async function setUsed(id: string, used: number): Promise<void> {
  await store.transact((tx) => tx.adjust(shelves, id, { field: "used", by: used }));
}

beforeEach(() => {
  store = withTestKey(createMemoryStore({ collections: [shelves, auditCollection, auditHeadCollection] }));
  const harness = createAppHarness();
  ({ app, clock } = harness);
  addShelfRoutes(app, { store, clock, admin });
  addDocs(app);
  contract = createContract(app, "shelves");
});

describe("the routes of a simple noun", () => {
  it("create a record, with its address and its version", async () => {
    const response = await send("POST", "", { body: { name: " Left ", room: "hall", places: 3 } });
    const shelf: Record<string, unknown> = Object(await response.json());
    assert.equal(response.status, 201);
    assert.equal(response.headers.get("etag"), '"1"');
    assert.equal(response.headers.get("location"), `${PATH}/${String(shelf["id"])}`);
    assert.match(String(shelf["id"]), /^shf_[0-9a-z]{26}$/u);
    const { id: _id, ...fields } = shelf;
    const at = "2026-01-02T03:04:05.678+00:00";
    const given = { name: "Left", room: "hall", places: 3, note: "" };
    assert.deepEqual(fields, { version: 1, ...given, createdAt: at, updatedAt: at });
  });

  it("give one record with its version as ETag", async () => {
    const { id } = await create("Left");
    const response = await send("GET", `/${id}`);
    assert.equal(response.headers.get("etag"), '"1"');
    assert.equal(shelfSchema.parse(await response.json()).name, "Left");
  });

  it("change what the body names, and nothing else", async () => {
    const { id } = await create("Left", { note: "of oak" });
    const response = await send("PATCH", `/${id}`, { body: { places: 5 } });
    assert.equal(response.headers.get("etag"), '"2"');
    const { name, note, places, createdAt, updatedAt }: Record<string, unknown> = Object(
      await response.json(),
    );
    assert.deepEqual({ name, note, places }, { name: "Left", note: "of oak", places: 5 });
    assert.equal(createdAt, "2026-01-02T03:04:05.678+00:00");
    assert.equal(updatedAt, "2026-01-02T03:04:06.678+00:00");
  });

  it("delete a record", async () => {
    const { id } = await create("Left");
    assert.equal((await send("DELETE", `/${id}`)).status, 204);
    assert.deepEqual(await refused(await send("GET", `/${id}`)), [404, "not_found"]);
    assert.equal(await store.read((tx) => tx.count(shelves)), 0);
  });

  it("note in the audit who did what, without what follows from other fields", async () => {
    const { id } = await create("Left");
    await send("PATCH", `/${id}`, { body: { name: "Right", places: 5 } });
    await send("DELETE", `/${id}`);
    const { items } = await listAudit(store, { limit: 10 });
    assert.deepEqual(
      items.map(({ actor, action, target, changes }) => ({ actor, action, target, changes })).toReversed(),
      [
        { actor: "token", action: "shelf.create", target: id, changes: ['name: "Left"'] },
        { actor: "token", action: "shelf.change", target: id, changes: ["name", "places"] },
        { actor: "token", action: "shelf.delete", target: id, changes: ['name: "Right"'] },
      ],
    );
  });
});

describe("what the routes of a simple noun refuse", () => {
  it("a body that is malformed, incomplete or has unknown fields", async () => {
    const { id } = await create("Left");
    const headers = { "content-type": "application/json" };
    const broken = await app.request(PATH, { method: "POST", headers, body: "{" });
    assert.deepEqual(await refused(broken), [400, "bad_request"]);
    const response = await send("POST", "", { body: { name: "", room: "attic" } });
    const { code, errors = [] } = problemSchema.parse(await response.json());
    assert.deepEqual([response.status, code], [422, "invalid"]);
    assert.deepEqual(errors.map(({ pointer }) => pointer).toSorted(), ["/name", "/places", "/room"]);
    const unknown = await send("PATCH", `/${id}`, { body: { color: "red" } });
    assert.deepEqual(await refused(unknown), [422, "invalid"]);
  });

  it("a record that there is not", async () => {
    for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
      assert.deepEqual(await refused(await send(method, "/shf_none", { body })), [404, "not_found"], method);
  });

  it("a stale If-Match with 412, on a change and on a deletion", async () => {
    const { id } = await create("Left");
    await send("PATCH", `/${id}`, { body: { places: 5 }, ifMatch: '"1"' });
    const change = await send("PATCH", `/${id}`, { body: { places: 6 }, ifMatch: '"1"' });
    assert.equal(change.status, 412);
    assert.equal(problemSchema.parse(await change.json()).currentVersion, 2);
    assert.equal((await send("DELETE", `/${id}`, { ifMatch: '"1"' })).status, 412);
    assert.equal((await send("DELETE", `/${id}`, { ifMatch: '"2"' })).status, 204);
  });

  it("an If-Match that is no entity tag, and takes one that fits any version", async () => {
    const { id } = await create("Left");
    const malformed = await send("PATCH", `/${id}`, { body: { places: 5 }, ifMatch: "1" });
    assert.deepEqual(await refused(malformed), [400, "bad_request"]);
    assert.equal((await send("PATCH", `/${id}`, { body: { places: 5 }, ifMatch: "*" })).status, 200);
  });

  it("a stale version in the body with 409, and either of both that is stale", async () => {
    const { id } = await create("Left");
    await send("PATCH", `/${id}`, { body: { places: 5, version: 1 } });
    const stale = { body: { places: 6, version: 1 } };
    assert.deepEqual(await refused(await send("PATCH", `/${id}`, stale)), [409, "version_conflict"]);
    const both = await send("PATCH", `/${id}`, { ...stale, ifMatch: '"2"' });
    assert.deepEqual(await refused(both), [409, "version_conflict"]);
    const other = await send("PATCH", `/${id}`, { body: { places: 6, version: 2 }, ifMatch: '"1"' });
    assert.equal(other.status, 412);
    assert.equal((await send("PATCH", `/${id}`, { body: { places: 6, version: 2 } })).status, 200);
  });

  it("what another record has alike, but not what the record itself has", async () => {
    await create("Left");
    const { id } = await create("Right");
    const taken = await send("POST", "", { body: { name: "LEFT", room: "hall", places: 1 } });
    const { code, errors = [] } = problemSchema.parse(await taken.json());
    assert.deepEqual(
      [taken.status, code, errors.map(({ pointer }) => pointer)],
      [409, "already_exists", ["/name"]],
    );
    const renamed = await send("PATCH", `/${id}`, { body: { name: "left" } });
    assert.deepEqual(await refused(renamed), [409, "already_exists"]);
    assert.equal((await send("PATCH", `/${id}`, { body: { name: "RIGHT" } })).status, 200);
  });

  it("more records than there may be", async () => {
    for (let number = 0; number < 60; number += 1) await create(`Shelf ${number}`);
    const next = await send("POST", "", { body: { name: "Next", room: "hall", places: 1 } });
    assert.deepEqual(await refused(next), [409, "conflict"]);
  });

  it("what the noun's own functions refuse: nothing of it is stored, and the audit says nothing", async () => {
    const { id } = await create("Left");
    await setUsed(id, 2);
    const change = await send("PATCH", `/${id}`, { body: { places: 1 } });
    assert.deepEqual(await refused(change), [409, "conflict"]);
    assert.deepEqual(await refused(await send("DELETE", `/${id}`)), [409, "conflict"]);
    const left = await store.read((tx) => tx.get(shelves, id));
    assert.deepEqual([left?.places, left?.version], [3, 2]);
    assert.equal((await listAudit(store, { limit: 10 })).items.length, 1);
  });
});

describe("the list of a simple noun", () => {
  it("is in the first order unless another one is named", async () => {
    for (const name of ["Beech", "Ash", "Cherry"]) await create(name);
    assert.deepEqual(await listNames(""), ["Cherry", "Ash", "Beech"]);
    assert.deepEqual(await listNames("?sort=oldest"), ["Beech", "Ash", "Cherry"]);
    assert.deepEqual(await listNames("?sort=name"), ["Ash", "Beech", "Cherry"]);
    assert.deepEqual(await refused(await send("GET", "?sort=places")), [422, "invalid"]);
  });

  it("has what its filters and words want, page by page", async () => {
    for (let number = 0; number < 12; number += 1)
      await create(`Shelf ${number}`, {
        room: number % 3 === 0 ? "cellar" : "hall",
        note: number > 5 ? "Oak" : "",
      });
    assert.deepEqual(await listNames("?room=cellar"), ["Shelf 9", "Shelf 6", "Shelf 3", "Shelf 0"]);
    assert.deepEqual(await listNames("?room=cellar&q=oAK&sort=oldest"), ["Shelf 6", "Shelf 9"]);
    const first = pageSchema.parse(await (await send("GET", "?room=cellar&limit=3")).json());
    assert.deepEqual(
      first.items.map(({ name }) => name),
      ["Shelf 9", "Shelf 6", "Shelf 3"],
    );
    assert.deepEqual(await listNames(`?room=cellar&limit=3&cursor=${first.nextCursor ?? ""}`), ["Shelf 0"]);
  });

  it("goes on where it was, though records come and go", async () => {
    const all = [];
    for (const name of ["A", "B", "C", "D", "E"]) all.push(await create(name));
    const { items, nextCursor = "" } = pageSchema.parse(
      await (await send("GET", "?sort=name&limit=2")).json(),
    );
    assert.deepEqual(
      items.map(({ name }) => name),
      ["A", "B"],
    );
    // One before the cursor comes, the last one seen goes, and one behind it.
    await create("Aa");
    for (const name of ["B", "D"])
      await send("DELETE", `/${all.find((shelf) => shelf.name === name)?.id ?? ""}`);
    assert.deepEqual(await listNames(`?sort=name&limit=2&cursor=${nextCursor}`), ["C", "E"]);
  });

  it("refuses a cursor that it did not give, and one of another order", async () => {
    for (const name of ["A", "B"]) await create(name);
    const page = pageSchema.parse(await (await send("GET", "?sort=name&limit=1")).json());
    for (const query of ["?cursor=none", `?sort=newest&cursor=${page.nextCursor ?? ""}`])
      assert.equal((await send("GET", query)).status, 400, query);
    assert.deepEqual(await refused(await send("GET", "?limit=0")), [422, "invalid"]);
  });
});

describe("two administrators who write at once", () => {
  it("from the same version: one gets a conflict, and no change is lost", async () => {
    const { id } = await create("Left");
    const answers = await Promise.all(
      [5, 6].map((places) => send("PATCH", `/${id}`, { body: { places }, ifMatch: '"1"' })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 412],
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    const left = await store.read((tx) => tx.get(shelves, id));
    assert.deepEqual([left?.places, left?.version], [[5, 6][winner], 2]);
  });

  it("of the same name: one is created", async () => {
    const bodies = ["hall", "cellar"].map((room) => ({ name: "Left", room, places: 1 }));
    const answers = await Promise.all(bodies.map((body) => send("POST", "", { body })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
    );
    assert.equal(await store.read((tx) => tx.count(shelves)), 1);
  });

  it("in different fields without a version: both changes stay", async () => {
    const { id } = await create("Left");
    await Promise.all([
      send("PATCH", `/${id}`, { body: { places: 5 } }),
      send("PATCH", `/${id}`, { body: { note: "of oak" } }),
    ]);
    const left = await store.read((tx) => tx.get(shelves, id));
    assert.deepEqual([left?.places, left?.note, left?.version], [5, "of oak", 3]);
  });
});

describe("the document of a simple noun", () => {
  it("has its operations with examples, and every status", async () => {
    const document: {
      paths: Record<string, Record<string, { operationId: string; summary: string; responses: object }>>;
    } = Object(await (await app.request("/openapi.json")).json());
    const operations = [PATH, `${PATH}/{id}`].flatMap((path) => Object.values(document.paths[path] ?? {}));
    assert.deepEqual(
      operations.map(({ operationId, summary, responses }) => [
        operationId,
        summary,
        Object.keys(responses).join(" "),
      ]),
      [
        ["adminListShelves", "List shelves", "200 400 422 500"],
        ["adminCreateShelf", "Create a shelf", "201 400 409 413 415 422 500 503"],
        ["adminGetShelf", "Get a shelf", "200 400 404 422 500"],
        ["adminChangeShelf", "Change some fields of a shelf", "200 400 404 409 412 413 415 422 500 503"],
        ["adminDeleteShelf", "Delete a shelf", "204 400 404 409 412 422 500 503"],
      ],
    );
    const conflicts = operations.map(({ responses }) =>
      Array.from(
        JSON.stringify(Reflect.get(responses, "409") ?? {}).matchAll(/problem:(\w+)/gu),
        ([, code]) => code,
      ),
    );
    assert.deepEqual(conflicts, [
      [],
      ["already_exists", "conflict"],
      [],
      ["version_conflict", "already_exists", "conflict"],
      ["conflict"],
    ]);
    const texts = JSON.stringify(operations);
    assert.equal(texts.match(/"example":\{/gu)?.length, 6);
  });
});

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import pg from "pg";
import { z } from "zod";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { toTableShape } from "../../../src/store/postgres/shape.ts";
import { type Collection, type Store, defineCollection } from "../../../src/store/store.ts";
import { items, rejectsWith } from "../../contract/store-fixtures.ts";
import { createTestDatabase } from "../../support/postgres.ts";

const note = { id: z.string(), version: z.number().int(), text: z.string() };
const first = defineCollection({
  name: "fieldNotes",
  revision: 1,
  schema: z.object(note),
  ordered: { byText: ["text"] },
});
const second = defineCollection({
  name: "fieldNotes",
  revision: 2,
  schema: z.object({ ...note, stars: z.number().int().default(3) }),
  ordered: { byStars: ["stars"] },
  checks: { starsAtMostFive: { field: "stars", atMost: 5 } },
});

describe("a database that is brought to the declared shape", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let admin: pg.Client;
  const stores: Store[] = [];
  const open = async (...collections: Collection[]): Promise<Store> => {
    const store = await openPostgresStore({ url: database.url, name: "tryOut", collections });
    stores.push(store);
    return store;
  };
  const namesOf = async (kind: "index" | "check"): Promise<string[]> => {
    const { rows } = await admin.query<{ name: string }>(
      kind === "index"
        ? "select indexname as name from pg_indexes where schemaname = 'public' and tablename like 'try_out%'"
        : "select conname as name from pg_constraint where contype = 'c' and conrelid::regclass::text like 'try_out%'",
    );
    return rows.map(({ name }) => name.replace(/_[0-9a-f]{8}$/u, "")).sort();
  };

  beforeEach(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await admin.end();
    await database.drop();
  });

  it("may be so by many processes at the same moment", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => open(first, items)));
    await Promise.all(
      all.map((store, at) => store.transact((tx) => tx.insert(first, { id: `n${at}`, text: "t" }))),
    );
    assert.equal(await all[0]?.read((tx) => tx.count(first)), 6);
  });

  it("has tables and indexes with names that people can read", async () => {
    await open(first);
    assert.deepEqual(await namesOf("index"), ["try_out_field_notes_by_text", "try_out_field_notes_pkey"]);
  });

  it("follows a new revision: records through the schema, old indexes away, new ones and checks made", async () => {
    const old = await open(first);
    await old.transact((tx) => tx.insert(first, { id: "a", text: "kept" }));
    const next = await open(second);
    assert.deepEqual(await next.read((tx) => tx.get(second, "a")), {
      id: "a",
      version: 1,
      text: "kept",
      stars: 3,
    });
    assert.equal(await next.read((tx) => tx.count(second, "byStars", { prefix: [3] })), 1);
    assert.deepEqual(await namesOf("index"), ["try_out_field_notes_by_stars", "try_out_field_notes_pkey"]);
    assert.deepEqual(await namesOf("check"), ["try_out_field_notes_stars_at_most_five"]);
  });

  it("is refused to a version that is older than its data", async () => {
    await open(second);
    const error = await rejectsWith(open(first), "store_unavailable");
    assert.match(error.message, /revision 2, this version knows 1.*newer version/u);
    assert.deepEqual(await namesOf("check"), ["try_out_field_notes_stars_at_most_five"]);
  });

  it("keeps the old shape when a record does not fit the new schema", async () => {
    const old = await open(first);
    await old.transact((tx) => tx.insert(first, { id: "a", text: "long text" }));
    const strict = defineCollection({
      name: "fieldNotes",
      revision: 2,
      schema: z.object({ ...note, text: z.string().max(3) }),
    });
    await rejectsWith(open(strict), "invalid_record");
    assert.deepEqual(await namesOf("index"), ["try_out_field_notes_by_text", "try_out_field_notes_pkey"]);
    assert.equal(await old.read((tx) => tx.count(first, "byText")), 1);
  });

  it("rejects writes that would violate a check, from any client", async () => {
    const store = await open(second);
    await store.transact((tx) => tx.insert(second, { id: "a", text: "t", stars: 5 }));
    await assert.rejects(
      admin.query(`update try_out_field_notes set doc = jsonb_set(doc, '{stars}', '6')`),
      /stars_at_most_five/u,
    );
  });

  it("answers lists and unique keys from their indexes", async () => {
    const store = await open(items);
    await store.transact(async (tx) => {
      for (let n = 0; n < 200; n += 1)
        await tx.insert(items, { id: `i${n}`, owner: "o", rank: n, email: `e${n}` });
    });
    await admin.query("set enable_seqscan = off");
    await admin.query("set enable_bitmapscan = off");
    await admin.query("analyze");
    const shape = toTableShape("tryOut", items);
    for (const [name, where] of [
      ["byEmail", "= 'e7'"],
      ["byRank", "> 5"],
    ] as const) {
      const index = shape.indexes.get(name);
      assert.ok(index !== undefined);
      const { rows } = await admin.query<{ "QUERY PLAN": string }>(
        `explain select * from ${shape.table} where ${index.present} and ${index.fields[0]?.sql ?? ""} ${where}`,
      );
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      assert.ok(plan.includes(index.sqlName), plan);
    }
  });
});

describe("a declaration for SQL", () => {
  it("must tell the type of an indexed field", () => {
    const vague = defineCollection({
      name: "vague",
      revision: 1,
      schema: z.object({
        id: z.string(),
        version: z.number(),
        any: z.unknown(),
        either: z.union([z.string(), z.number()]),
      }),
      ordered: { byEither: ["either"] },
    });
    assert.throws(() => toTableShape("t", vague), /"either" is text, a number or a boolean/u);
  });

  it("finds types behind unions, enums, literals and nested objects", () => {
    const rich = defineCollection({
      name: "rich",
      revision: 1,
      schema: z.object({
        id: z.string(),
        version: z.number(),
        state: z.enum(["on", "off"]).optional(),
        inner: z.union([
          z.object({ at: z.number() }),
          z.object({ at: z.int().nullable(), b: z.literal(true) }),
        ]),
        "it's": z.object({ 'q"': z.string() }),
      }),
      ordered: { byState: ["state"], byAt: ["inner.at"], byQuote: [`it's.q"`] },
    });
    const { indexes } = toTableShape("t", rich);
    assert.equal(indexes.get("byState")?.fields[0]?.type, "string");
    assert.equal(indexes.get("byAt")?.fields[0]?.type, "number");
    assert.equal(indexes.get("byQuote")?.fields[0]?.sql, `((doc #>> '{"it''s","q\\""}') COLLATE "C")`);
  });
});

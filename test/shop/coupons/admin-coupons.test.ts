import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/coupons";
let shop: TestShop;

interface Coupon {
  id: string;
  code: string;
  currency: string;
  startsAt?: string;
  endsAt?: string;
  cap?: number;
  maxUses?: number;
  used: number;
  enabled: boolean;
  version: number;
}
interface Problem {
  code: string;
  used?: number;
  errors?: { pointer: string }[];
}

beforeEach(async () => {
  shop = await createTestShop();
});

async function create(fields: object): Promise<Coupon> {
  return read<Coupon>(await shop.admin("POST", PATH, fields), 201);
}

async function pointers(fields: object): Promise<string[]> {
  const problem = await read<Problem>(await shop.admin("POST", PATH, fields), 422);
  return (problem.errors ?? []).map(({ pointer }) => pointer);
}

async function use(id: string, by: number): Promise<void> {
  await shop.store.transact((tx) => tx.adjust(coupons, id, { field: "used", by }));
}

describe("/api/admin/coupons", () => {
  it("creates, reads by ID and by code, lists with the uses so far", async () => {
    const times = { startsAt: "2026-11-21T01:00:00+01:00", endsAt: "2027-01-01T00:00:00Z" };
    const made = await create({
      code: "Spring ",
      kind: "percent",
      value: 1_000,
      cap: 500,
      maxUses: 9,
      ...times,
    });
    assert.deepEqual(
      [made.code, made.currency, made.startsAt, made.endsAt, made.used],
      ["Spring", "EUR", "2026-11-21T00:00:00.000+00:00", "2027-01-01T00:00:00.000+00:00", 0],
    );
    await use(made.id, 2);
    const byId = await read<Coupon>(await shop.admin("GET", `${PATH}/${made.id}`));
    assert.deepEqual(await read(await shop.admin("GET", `${PATH}/spring`)), byId);
    assert.equal(byId.used, 2);
    shop.clock.advance(1_000);
    const other = await create({ kind: "fixed", value: 500 });
    assert.match(other.code, /^[0-9A-Z]{10}$/u);
    const page = await read<{ items: Coupon[]; nextCursor?: string }>(
      await shop.admin("GET", `${PATH}?limit=1`),
    );
    assert.deepEqual(
      page.items.map(({ id }) => id),
      [other.id],
    );
    const rest = await read<{ items: Coupon[] }>(
      await shop.admin("GET", `${PATH}?cursor=${page.nextCursor}`),
    );
    assert.deepEqual(
      rest.items.map(({ id }) => id),
      [made.id],
    );
  });

  it("says what does not fit, and refuses taken codes in any case", async () => {
    const percent = { kind: "percent", value: 100 };
    assert.deepEqual(await pointers({ kind: "percent", value: 10_001 }), ["/value"]);
    assert.deepEqual(await pointers({ kind: "fixed", value: 1, cap: 2 }), ["/cap"]);
    const backwards = { startsAt: "2026-11-21T00:00:00Z", endsAt: "2026-11-20T00:00:00Z" };
    assert.deepEqual(await pointers({ ...percent, ...backwards }), ["/endsAt"]);
    assert.deepEqual(await pointers({ ...percent, productIds: ["prd_none"], categoryIds: ["none"] }), [
      "/productIds/0",
      "/categoryIds/0",
    ]);
    assert.deepEqual(await pointers({ ...percent, used: 5 }), [""]);
    await create({ ...percent, code: "Spring" });
    const taken = await shop.admin("POST", PATH, { ...percent, code: "sPRING" });
    assert.deepEqual(await code(taken), [409, "already_exists"]);
  });

  it("changes some fields, takes limits away, and refuses stale versions", async () => {
    const { id } = await create({ code: "A", kind: "percent", value: 100, cap: 5, maxUses: 3 });
    await create({ code: "B", kind: "percent", value: 100 });
    const item = `${PATH}/${id}`;
    const off = await read<Coupon>(
      await shop.admin("PATCH", item, { enabled: false, cap: null, version: 1 }),
    );
    assert.deepEqual([off.enabled, off.cap, off.maxUses, off.version], [false, undefined, 3, 2]);
    assert.deepEqual(await code(await shop.admin("PATCH", item, { note: "x", version: 1 })), [
      409,
      "version_conflict",
    ]);
    const stale = await shop.admin("PATCH", item, { note: "x" }, { "if-match": '"1"' });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
    assert.deepEqual(await code(await shop.admin("PATCH", item, { code: "b" })), [409, "already_exists"]);
    assert.equal((await shop.admin("PATCH", item, { kind: "fixed", cap: 3 })).status, 422);
  });

  it("deletes one that no order uses", async () => {
    const { id } = await create({ kind: "fixed", value: 100 });
    await use(id, 1);
    const refused = await read<Problem>(await shop.admin("DELETE", `${PATH}/${id}`), 409);
    assert.deepEqual([refused.code, refused.used], ["conflict", 1]);
    await use(id, -1);
    assert.equal((await shop.admin("DELETE", `${PATH}/${id}`)).status, 204);
    assert.deepEqual(await code(await shop.admin("DELETE", `${PATH}/${id}`)), [404, "not_found"]);
  });

  it("is for the administrator alone", async () => {
    for (const [method, path] of [
      ["GET", PATH],
      ["POST", PATH],
      ["GET", `${PATH}/x`],
      ["PATCH", `${PATH}/x`],
      ["DELETE", `${PATH}/x`],
    ] as const)
      assert.deepEqual(await code(await shop.send(method, path, { as: "ann" })), [401, "unauthenticated"]);
    for (const method of ["GET", "DELETE"])
      assert.deepEqual(await code(await shop.admin(method, `${PATH}/x`)), [404, "not_found"]);
    assert.deepEqual(await code(await shop.admin("PATCH", `${PATH}/x`, { note: "" })), [404, "not_found"]);
  });
});

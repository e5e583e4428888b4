/** Looking for orders by words and facts, and searches that are kept. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Found {
  readonly items: { readonly id: string; readonly number: string }[];
  readonly nextCursor?: string;
}
interface Saved {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly query: Record<string, string | number>;
}

const PATH = "/api/admin/orders/search";
const SAVED = "/api/admin/order-searches";

async function openShop(store?: Store, isShared = false): Promise<TestShop> {
  const app = await createTestShop({ ...(store === undefined ? {} : { store }), isShared });
  await setProvider(app);
  await liftLimits(app);
  return app;
}

async function search(app: TestShop, query: Record<string, string>): Promise<Found> {
  return read<Found>(await app.admin("GET", `${PATH}?${new URLSearchParams(query).toString()}`));
}

const ids = ({ items }: Found): string[] => items.map(({ id }) => id);

function checkSearch(name: string, open: () => Promise<{ app: TestShop; close: () => Promise<void> }>): void {
  it(`finds orders by every word and fact of theirs, ${name}`, async () => {
    const { app, close } = await open();
    const mug = await addProduct(app, { title: "Blauer Becher", sku: "MUG-1" });
    const tea = await addProduct(app, { title: "Green tea", sku: "TEA-9", price: 2_500 });
    const first = (await order(app, [{ productId: mug.id }], { email: "ann@example.org" })).order;
    app.clock.advance(1_000);
    const second = (await order(app, [{ productId: tea.id }], { email: "bo@example.net" })).order;
    app.clock.advance(1_000);
    const third = (await order(app, [{ productId: tea.id, quantity: 2 }], { email: "Ann@example.org" }))
      .order;
    await sendNotice(app, toNotice(second, { id: "pi_3OxSecretReference" }));
    const expected: [Record<string, string>, string[]][] = [
      [{}, [third.id, second.id, first.id]],
      [{ q: second.number.toLowerCase() }, [second.id]],
      [{ q: "ANN@example" }, [third.id, first.id]],
      [{ q: "ann tea" }, [third.id]],
      [{ q: "becher" }, [first.id]],
      [{ q: "tea-9" }, [third.id, second.id]],
      [{ q: "pi_3oxsecret" }, [second.id]],
      [{ q: "%" }, []],
      [{ q: "nobody@example" }, []],
      [{ status: "paid" }, [second.id]],
      [{ status: "to_deliver" }, [second.id]],
      [{ status: "pending_payment", minTotal: "2000" }, [third.id]],
      [{ minTotal: "1000", maxTotal: "2500" }, [second.id, first.id]],
      [{ productId: tea.id, email: "bo@example.net" }, [second.id]],
      [{ paymentMethod: "test", currency: "EUR", paymentStatus: "paid" }, [second.id]],
      [{ country: "DE" }, []],
      [
        { from: new Date(second.createdAt).toISOString(), to: new Date(third.createdAt).toISOString() },
        [second.id],
      ],
      [{ attention: "any" }, []],
    ];
    for (const [query, wanted] of expected)
      assert.deepEqual(ids(await search(app, query)), wanted, JSON.stringify(query));
    await sendNotice(app, toNotice(first, { id: "late-ref-77", amount: 5 }));
    assert.deepEqual(ids(await search(app, { attention: "underpaid" })), [first.id], "what changed since");
    assert.deepEqual(ids(await search(app, { q: "late-ref" })), [first.id]);
    await close();
  });
}

describe("GET /api/admin/orders/search", () => {
  checkSearch("in memory", async () => ({ app: await openShop(), close: async () => undefined }));
  checkSearch("on PostgreSQL", async () => {
    const database = await createTestDatabase();
    const store = await openPostgresStore({ name: "shop", collections: shopCollections, url: database.url });
    const close = async (): Promise<void> => {
      await store.close();
      await database.drop();
    };
    return { app: await openShop(store, true), close };
  });

  it("gives pages without gaps or repeats", async () => {
    const app = await openShop();
    const { id: productId } = await addProduct(app, { onHand: 1_000 });
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      made.unshift((await order(app, [{ productId }])).order.id);
      if (count % 3 === 0) app.clock.advance(5);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await search(app, { limit: "3", ...(cursor === "" ? {} : { cursor }) });
      seen.push(...ids(page));
      cursor = page.nextCursor ?? "";
    } while (cursor !== "");
    assert.deepEqual(seen, made);
    assert.deepEqual(await code(await app.admin("GET", `${PATH}?cursor=other`)), [400, "bad_request"]);
  });

  it("refuses strangers and what it does not know", async () => {
    const app = await openShop();
    assert.equal((await app.send("GET", PATH)).status, 401);
    for (const query of ["status=eaten", "word=1", "minTotal=-1", "country=de", "from=yesterday"])
      assert.deepEqual(await code(await app.admin("GET", `${PATH}?${query}`)), [422, "invalid"], query);
  });

  it("sees at once what another process ordered and moved", async () => {
    const store = createMemoryStore({ collections: shopCollections });
    const app = await openShop(store, true);
    const other = await createTestShop({ store: app.store, clock: app.clock, isShared: true });
    const { id: productId } = await addProduct(app);
    assert.deepEqual(ids(await search(other, {})), []);
    const placed = (await order(app, [{ productId }])).order;
    assert.deepEqual(ids(await search(other, { status: "pending_payment" })), [placed.id]);
    app.clock.advance(60_000);
    await sendNotice(app, toNotice(placed));
    assert.deepEqual(ids(await search(other, { status: "pending_payment" })), []);
    assert.deepEqual(ids(await search(other, { status: "paid" })), [placed.id]);
  });
});

describe("saved searches", () => {
  let app: TestShop;
  beforeEach(async () => {
    app = await openShop();
  });

  it("are saved by name for all administrators, changed and deleted", async () => {
    const query = { status: "paid", minTotal: 100, from: "2026-01-01T00:00:00+00:00" };
    const made = await read<Saved>(await app.admin("POST", SAVED, { name: "Open ones", query }), 201);
    assert.deepEqual(made.query, query);
    assert.deepEqual(await code(await app.admin("POST", SAVED, { name: "OPEN ones", query })), [
      409,
      "already_exists",
    ]);
    const path = `${SAVED}/${made.id}`;
    const stale = { name: "x", version: 7 };
    assert.deepEqual(await code(await app.admin("PATCH", path, stale)), [409, "version_conflict"]);
    await read(await app.admin("PATCH", path, { name: "Waiting", version: 1 }));
    const { items } = await read<{ items: Saved[] }>(await app.admin("GET", SAVED));
    assert.deepEqual(
      items.map(({ name }) => name),
      ["Waiting"],
    );
    assert.equal((await app.admin("DELETE", path)).status, 204);
    assert.deepEqual(await code(await app.admin("PATCH", path, { name: "y" })), [404, "not_found"]);
  });

  it("hold only what a search takes", async () => {
    assert.equal((await app.send("POST", SAVED, { body: { name: "x", query: {} } })).status, 401);
    for (const query of [{ word: "x" }, { status: "eaten" }, { minTotal: "many" }, { q: "a\u0000" }])
      assert.deepEqual(await code(await app.admin("POST", SAVED, { name: "x", query })), [422, "invalid"]);
  });
});

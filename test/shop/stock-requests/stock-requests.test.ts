import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import { products, stock } from "../../../src/shop/products/records.ts";
import { createStockNotices } from "../../../src/shop/stock-requests/notices.ts";
import { stockRequests } from "../../../src/shop/stock-requests/records.ts";
import { type StockRequests, createStockRequests } from "../../../src/shop/stock-requests/stock-requests.ts";
import { toUnsubscribeUrl } from "../../../src/shop/mails/unsubscribe-link.ts";
import { createUnsubscribe } from "../../../src/shop/wishlist/unsubscribe.ts";
import { createCardShop } from "../gift-cards/card-shop.ts";
import { addProduct } from "../goods.ts";
import type { PlainShop } from "../plain-shop.ts";

const DAY_MS = 86_400_000;
const publicUrl = "https://shop.example.org";
let app: PlainShop;
let mug: string;

let requests: StockRequests;

const deps = () => ({ ...app.shop.deps, publicUrl });

/** Each mailbox from a network of its own. */
function ask(email: string, more: { verified?: string[]; productId?: string; from?: string } = {}) {
  const { verified = [], productId = mug, from = `198.51.100.${email.length}` } = more;
  return requests.ask({ productId, email, language: "en", verified, clientAddress: from });
}

async function listMails(kind: string): Promise<string[]> {
  const { items } = await app.store.read((tx) =>
    tx.list(outboxCollection, "byKind", { prefix: [kind], limit: 1_000 }),
  );
  return items.map(({ to }) => to);
}

async function listRequests() {
  return (await app.store.read((tx) => tx.list(stockRequests, "id", { limit: 1_000 }))).items;
}

function setUnits(onHand: number, id = mug): Promise<unknown> {
  return app.store.transact(async (tx) => {
    const record = (await tx.get(stock, id)) ?? assert.fail("no stock");
    return tx.put(stock, { ...record, onHand });
  });
}

const run = (): Promise<number> => createStockNotices(deps()).run();

/** The token of a request's link. */
function tokenOf(id: string): string {
  return app.shop.deps.box.mac(id, "stock-request");
}

beforeEach(async () => {
  app = await createCardShop({ stockRequests: { enabled: true, emailsPerUnit: 2 } });
  mug = (await addProduct(app, { onHand: 0 })).id;
  requests = createStockRequests(deps());
});

describe("requests for an email about stock", () => {
  it("of guests wait for the link of an email", async () => {
    assert.equal(await ask("ann@example.org"), "mailed");
    assert.deepEqual(await listMails("stock_request"), ["ann@example.org"]);
    await setUnits(5);
    assert.equal(await run(), 0);
    const [request = assert.fail("no request")] = await listRequests();
    await assert.rejects(requests.confirm(request.id, "wrong"), { code: "not_found" });
    await requests.confirm(request.id, tokenOf(request.id));
    assert.equal(await run(), 1);
    assert.deepEqual(await listMails("back_in_stock"), ["ann@example.org"]);
    assert.deepEqual(await listRequests(), []);
    assert.equal(await run(), 0);
  });

  it("of signed-in people need no link, for their own mailbox alone", async () => {
    assert.equal(await ask("Ann@example.org", { verified: ["ann@example.org"] }), "confirmed");
    assert.equal(await ask("ben@example.org", { verified: ["ann@example.org"] }), "mailed");
    assert.deepEqual(await listMails("stock_request"), ["ben@example.org"]);
  });

  it("tell nothing of what is known, are one for each mailbox, and flood none", async () => {
    await ask("ann@example.org", { verified: ["ann@example.org"] });
    for (let turn = 0; turn < 6; turn += 1) assert.equal(await ask("ben@example.org"), "mailed");
    assert.equal(await ask("ann@example.org"), "mailed");
    assert.equal((await listRequests()).length, 2);
    assert.equal((await listMails("stock_request")).length, 3);
    const from = "203.0.113.5";
    for (let turn = 0; turn < 20; turn += 1) await ask(`u${turn}@example.org`, { from });
    await assert.rejects(ask("more@example.org", { from }), { code: "rate_limited" });
  });

  it("are refused for what is in stock or unknown, and where the shop sends none", async () => {
    await setUnits(1);
    await assert.rejects(ask("ann@example.org"), { code: "conflict" });
    await assert.rejects(ask("ann@example.org", { productId: "prd_none" }), { code: "not_found" });
    app = await createCardShop();
    mug = (await addProduct(app, { onHand: 0 })).id;
    requests = createStockRequests(deps());
    await assert.rejects(ask("ann@example.org"), { code: "conflict" });
  });

  it("end after two days without the link, and after twelve months with it", async () => {
    await ask("ann@example.org");
    await ask("ben@example.org", { verified: ["ben@example.org"] });
    app.clock.advance(2 * DAY_MS);
    assert.equal(await requests.sweep(), 1);
    app.clock.advance(363 * DAY_MS);
    assert.equal(await requests.sweep(), 1);
    assert.deepEqual(await listRequests(), []);
  });
});

describe("emails that a product is back", () => {
  const people = Array.from({ length: 30 }, (_, at) => `p${String(at).padStart(2, "0")}@example.org`);

  beforeEach(async () => {
    for (const [at, email] of people.entries()) {
      app.clock.advance(1);
      await ask(email, { verified: [email], from: `198.51.100.${at}` });
    }
  });

  it("go to the first ones, by the number of units, once in a day", async () => {
    await setUnits(3);
    await Promise.all([run(), run()]);
    assert.equal(await run(), 0);
    assert.deepEqual((await listMails("back_in_stock")).toSorted(), people.slice(0, 6));
    app.clock.advance(DAY_MS);
    assert.equal(await run(), 6);
    // Sold out, and back within the day.
    await setUnits(0);
    await run();
    await setUnits(1);
    assert.equal(await run(), 2);
    assert.deepEqual((await listMails("back_in_stock")).toSorted(), people.slice(0, 14));
  });

  it("wait while the product is not for sale", async () => {
    await setUnits(100);
    await app.store.transact(async (tx) => {
      const product = (await tx.get(products, mug)) ?? assert.fail("no product");
      await tx.put(products, { ...product, status: "draft" });
    });
    assert.equal(await run(), 0);
  });

  it("look at every product that someone waits for", async () => {
    const other = (await addProduct(app, { onHand: 0 })).id;
    await ask("last@example.org", { productId: other, verified: ["last@example.org"], from: "192.0.2.9" });
    await setUnits(1, other);
    assert.equal(await run(), 1);
    assert.deepEqual(await listMails("back_in_stock"), ["last@example.org"]);
  });

  it("stop with the link of an email", async () => {
    const { box, clock, store } = app.shop.deps;
    const [first = assert.fail("no request")] = (await listRequests()).filter(
      ({ email }) => email === people[0],
    );
    const notice = { kind: "back_in_stock", id: first.id } as const;
    const token = toUnsubscribeUrl({ box, publicUrl }, notice)?.split("/").at(-1) ?? "";
    const unsubscribe = createUnsubscribe({ store, box, clock });
    assert.equal((await unsubscribe.set(notice, token, false)).isOn, false);
    await setUnits(1);
    await run();
    assert.deepEqual((await listMails("back_in_stock")).toSorted(), people.slice(1, 3));
  });
});

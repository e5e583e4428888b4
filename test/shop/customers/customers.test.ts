/** Customers: told from the orders, blocked, exported, and made anonymous. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { customers } from "../../../src/shop/customers/records.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Customer {
  readonly id: string;
  readonly version: number;
  readonly userId?: string;
  readonly email: string;
  readonly orders: number;
  readonly openOrders: number;
  readonly paid: readonly { currency: string; amount: number }[];
  readonly blocked: boolean;
  readonly erasing: boolean;
  readonly note: string;
}
interface Erased {
  readonly anonymised: number;
  readonly kept: number;
  readonly keptUntil?: string;
}

const PATH = "/api/admin/customers";
const DAY = 86_400_000;

let app: TestShop;
let productId: string;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  productId = (await addProduct(app, { onHand: 1_000, title: "Mug" })).id;
});

async function list(query = ""): Promise<Customer[]> {
  return (await read<{ items: Customer[] }>(await app.admin("GET", `${PATH}${query}`))).items;
}

async function buy(who: { email?: string; userId?: string } = {}) {
  const placed = (await order(app, [{ productId }], who)).order;
  app.clock.advance(1_000);
  return placed;
}

async function buyAndGet(who: { email?: string; userId?: string } = {}): Promise<string> {
  const placed = await buy(who);
  await sendNotice(app, toNotice(placed));
  await app.admin("POST", `/api/admin/orders/${placed.id}/deliver`, {});
  return placed.id;
}

describe("/api/admin/customers", () => {
  it("tells accounts and guests by mailbox from their orders, who ordered last first", async () => {
    await buyAndGet({ email: "ann@example.org" });
    await buy({ email: "Ann+1@example.org" });
    await buyAndGet({ email: "bo@example.org", userId: "usr_bo" });
    await buy({ email: "ann@example.org", userId: "usr_ann" });
    const facts = (await list()).map(({ userId, email, orders: count, openOrders, paid }) => [
      userId,
      email,
      count,
      openOrders,
      paid.map(({ amount, currency }) => `${amount} ${currency}`).join(),
    ]);
    assert.deepEqual(facts, [
      ["usr_ann", "ann@example.org", 1, 1, ""],
      ["usr_bo", "bo@example.org", 1, 0, "1000 EUR"],
      [undefined, "ann+1@example.org", 2, 1, "1000 EUR"],
    ]);
    assert.deepEqual((await list("?q=usr_bo")).length, 1);
    assert.deepEqual((await list("?q=ann")).length, 2);
    const first = await read<{ items: Customer[]; nextCursor: string }>(
      await app.admin("GET", `${PATH}?limit=2`),
    );
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`);
    assert.deepEqual(
      rest.map(({ email }) => email),
      ["ann+1@example.org"],
    );
    assert.doesNotMatch(rest[0]?.id ?? "", /ann/u);
  });

  it("refuses strangers, unknown customers and stale versions", async () => {
    assert.equal((await app.send("GET", PATH)).status, 401);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/export"],
      ["POST", "/anonymise"],
    ] as const)
      assert.deepEqual(await code(await app.admin(method, `${PATH}/cus_none${path}`)), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/cus_none`, { note: "x" })), [
      404,
      "not_found",
    ]);
    await buy();
    const [{ id } = { id: "" }] = await list();
    await read(await app.admin("PATCH", `${PATH}/${id}`, { note: "calls often", version: 0 }));
    const stale = { note: "x", version: 0 };
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/${id}`, stale)), [409, "version_conflict"]);
    assert.deepEqual(await code(await app.admin("GET", `${PATH}?cursor=x`)), [400, "bad_request"]);
  });
});

describe("a blocked customer", () => {
  const body = (email: string) => ({ items: [{ productId, quantity: 1 }], contact: { email } });
  const checkout = (email: string, as?: string) =>
    app.send("POST", "/api/checkout", { body: body(email), as });

  it("cannot order by mailbox or account, without a reason, and can again after that", async () => {
    await buy({ email: "ann@example.org" });
    await read(await checkout("bo@example.org", "bo"), 201);
    for (const { id } of await list())
      await read(await app.admin("PATCH", `${PATH}/${id}`, { blocked: true }));
    for (const [email, as] of [
      ["ann@example.org", undefined],
      ["ANN+2@example.org", undefined],
      ["ann@example.org", "cid"],
      ["other@example.org", "bo"],
    ] as const) {
      const refused = await checkout(email, as);
      assert.deepEqual(await code(refused.clone()), [403, "order_refused"]);
      assert.doesNotMatch(await refused.text(), /block/u);
    }
    assert.equal((await checkout("cid@example.org", "cid")).status, 201);
    assert.equal((await list("?blocked=true")).length, 2);
    for (const { id } of await list("?blocked=true"))
      await read(await app.admin("PATCH", `${PATH}/${id}`, { blocked: false }));
    assert.equal((await checkout("ann@example.org")).status, 201);
  });
});

describe("the data of a customer", () => {
  it("is given as a whole: orders, wishes, chat", async () => {
    await buyAndGet({ email: "ann@example.org", userId: "usr_ann" });
    await app.send("POST", "/api/wishlist", { body: { productId, note: "blue" }, as: "ann" });
    await app.send("POST", "/api/chat/messages", { body: { body: "hello", clientId: "1" }, as: "ann" });
    const data = await read<{ orders: unknown[]; wishes: { note: string }[]; messages: { body: string }[] }>(
      await app.admin("GET", `${PATH}/usr_ann/export`),
    );
    assert.equal(data.orders.length, 1);
    assert.deepEqual([data.wishes[0]?.note, data.messages[0]?.body], ["blue", "hello"]);
  });

  it("stays while orders are open, goes from what the books do not need, and from the rest in time", async () => {
    await app.setSite({ customers: { retentionDays: 30 } });
    const own = { email: "ann@example.org", userId: "usr_ann" };
    const paid = await buyAndGet(own);
    const open = await buy(own);
    await app.send("POST", "/api/wishlist", { body: { productId, note: "blue" }, as: "ann" });
    await app.send("POST", "/api/chat/messages", {
      body: { body: "I live in Bonn", clientId: "1" },
      as: "ann",
    });
    const path = `${PATH}/usr_ann/anonymise`;
    assert.deepEqual(await code(await app.admin("POST", path)), [409, "conflict"]);
    await app.admin("POST", `/api/admin/orders/${open.id}/cancel`, {});
    const erased = await read<Erased>(await app.admin("POST", path));
    assert.deepEqual([erased.anonymised, erased.kept], [1, 1]);
    assert.ok(erased.keptUntil);
    const before = await app.store.read((tx) => tx.get(orders, paid));
    assert.equal(before?.email, "ann@example.org", "the books need it");
    const again = await buy(own);
    app.clock.advance(31 * DAY);
    assert.equal(await app.shop.customerErasure.run(), 1);
    assert.equal((await app.store.read((tx) => tx.get(orders, again.id)))?.email, "ann@example.org");
    const all = await app.store.read(async (tx) => ({
      paid: await tx.get(orders, paid),
      canceled: await tx.get(orders, open.id),
      notices: (await tx.list(notices, "byOrder", { prefix: [paid], limit: 9 })).items,
      records: await tx.count(customers),
    }));
    assert.doesNotMatch(JSON.stringify([all.paid, all.canceled]), /ann@|usr_ann|Bonn/u);
    assert.deepEqual([all.paid?.total, all.paid?.amountPaid, all.paid?.status], [1_000, 1_000, "delivered"]);
    assert.deepEqual([all.notices.map(({ raw }) => raw), all.records], [[""], 0]);
    const chat = await (await app.admin("GET", "/api/admin/chat/conversations/usr_ann/messages")).text();
    assert.doesNotMatch(chat, /Bonn/u);
    assert.equal(await app.shop.customerErasure.run(), 0);
  });

  it("of a guest is removed from all orders of the mailbox, and from no others", async () => {
    await app.setSite({ customers: { retentionDays: 0 } });
    await buyAndGet({ email: "ann+x@example.org" });
    await buyAndGet({ email: "ann@example.org" });
    const other = await buyAndGet({ email: "annabel@example.org" });
    const account = await buyAndGet({ email: "ann@example.org", userId: "usr_ann" });
    const guest = (await list("?q=ann@")).find(({ userId }) => userId === undefined);
    const erased = await read<Erased>(await app.admin("POST", `${PATH}/${guest?.id}/anonymise`));
    assert.deepEqual(erased, { anonymised: 2, kept: 0 });
    for (const id of [other, account])
      assert.match((await app.store.read((tx) => tx.get(orders, id)))?.email ?? "", /^ann/u);
    assert.equal((await list()).length, 2);
  });

  it("leave as CSV, as a filter finds them, safe for spreadsheets and noted in the audit", async () => {
    await buyAndGet({ email: "ann@example.org", userId: "usr_ann" });
    await buyAndGet({ email: "bob@example.org" });
    const note = { note: '=HYPERLINK("https://evil.example")' };
    await app.admin("PATCH", `${PATH}/usr_ann`, note);
    const all = await app.admin("GET", `${PATH}/export`);
    assert.match(all.headers.get("content-disposition") ?? "", /customers\.csv/u);
    const [head, bob, ann, end] = new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(await all.arrayBuffer())
      .split("\r\n");
    const columns =
      "id,userId,email,orders,openOrders,paidEUR,firstOrderAt,lastOrderAt,note,blocked,erasing,name,company,phone,vatId,tags,marketingSince,marketingSource,customerSince".split(
        ",",
      );
    assert.equal(head, `\ufeff${columns.join()}`);
    assert.match(bob ?? "", /^cus_[^,]+,,bob@example\.org,1,0,10\.00,/u);
    assert.match(
      ann ?? "",
      /^usr_ann,usr_ann,ann@example\.org,1,0,10\.00,.*,"'=HYPERLINK\(.*,false,false,,,,,,,,$/u,
    );
    assert.equal(end, "");
    const found = await app.admin("GET", `${PATH}/export?q=ann&separator=semicolon`);
    const lines = (await found.text()).trimEnd().split("\r\n");
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? "", /^usr_ann;usr_ann;ann@example\.org;1;0;10,00;/u);
    const audit = await read<{ items: { action: string; changes?: string[] }[] }>(
      await app.admin("GET", "/api/admin/audit"),
    );
    const exports = audit.items.filter(({ action }) => action === "customer.export_all");
    assert.deepEqual(
      exports.map(({ changes }) => changes),
      [["customers: 1"], ["customers: 2"]],
    );
  });
});

/** Corrections of the contact and the addresses of an order, by administrators and by its buyer. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { toGuestId } from "../../../src/shop/customers/identity.ts";
import { toGrantId } from "../../../src/shop/files/grants.ts";
import { fileGrants } from "../../../src/shop/files/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { type Placed, edit, load, openShop, papers, pay, place, placeOrder, sumPapers } from "./edit-room.ts";

interface View {
  readonly history: { event: string; by: string; who?: string; note?: string; changes?: object[] }[];
}

let app: TestShop;
beforeEach(async () => {
  app = await openShop();
});

const right = { ...place, line1: "Rue 12" };
const address = (placed: Placed, shippingAddress: object, token = placed.accessToken): Promise<Response> =>
  app.send("POST", `/api/orders/${placed.order.id}/shipping-address`, {
    headers: { "x-order-token": token },
    body: { shippingAddress },
  });

describe("POST /api/admin/orders/{id}/edit", () => {
  it("corrects what is wrong, with each value before it, who did it, and an email of the changes", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }], { note: "ring" });
    const body = {
      email: "Anna@Example.org",
      language: "de",
      buyersNote: "",
      shippingAddress: right,
      note: "as you wrote",
    };
    const shown = await read<View>(await edit(app, placed, body));
    const entry = shown.history.at(-1);
    assert.equal(entry?.event, "edited");
    assert.equal(entry?.who, "token");
    assert.deepEqual(entry?.changes, [
      { field: "email", from: "ann@example.org", to: "Anna@Example.org" },
      { field: "language", from: "en", to: "de" },
      { field: "note", from: "ring", to: "" },
      { field: "shippingAddress", from: "Ann, Rue 1, 69001 Lyon, FR", to: "Ann, Rue 12, 69001 Lyon, FR" },
    ]);
    const [mail] = await app.mails("Anna@Example.org");
    assert.equal(mail?.kind, "order_edited");
    for (const part of ["as you wrote", "Rue 12", "Rue 1, 69001"]) assert.ok(mail?.text.includes(part), part);
    const { items } = await read<{ items: { action: string; changes: string[] }[] }>(
      await app.admin("GET", "/api/admin/audit"),
    );
    const audit = items.find(({ action }) => action === "order.edit");
    assert.deepEqual(audit?.changes, ["email", "language", "note", "shippingAddress"]);
    const buyers = await read<View>(
      await app.send("GET", `/api/orders/${placed.order.id}`, {
        headers: { "x-order-token": placed.accessToken },
      }),
    );
    const own = buyers.history.at(-1);
    assert.deepEqual(
      [own?.event, own?.who, own?.changes, own?.note],
      ["edited", undefined, undefined, undefined],
    );
  });

  it("moves the order to the other mailbox, with its coupon and the count of unpaid orders", async () => {
    await app.admin("POST", "/api/admin/coupons", {
      code: "ONCE",
      kind: "percent",
      value: 1_000,
      maxUsesPerUser: 1,
    });
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }], { couponCode: "ONCE" });
    const before = await load(app, placed);
    await read(await edit(app, placed, { email: "bea@example.org", mail: false }));
    const after = await load(app, placed);
    assert.notEqual(after.openEmail, before.openEmail);
    const byEmail = (email: string) =>
      app.store.read(
        async (tx) => (await tx.list(orders, "byEmail", { prefix: [email], limit: 9 })).items.length,
      );
    assert.deepEqual([await byEmail("ann@example.org"), await byEmail("bea@example.org")], [0, 1]);
    const again = { couponCode: "ONCE" };
    await placeOrder(app, [{ price: 1_200, quantity: 1 }], again);
    await assert.rejects(
      placeOrder(app, [{ price: 1_200, quantity: 1 }], { ...again, contact: { email: "bea@example.org" } }),
    );
    assert.deepEqual(await app.mails("bea@example.org"), []);
    await read(
      await app.admin("GET", `/api/admin/customers/${toGuestId(app.shop.deps.box, "bea@example.org")}`),
    );
  });

  it("moves the downloads of the order to the other mailbox, which gets emails about new versions", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1, isSent: false }], {
      shippingAddress: undefined,
    });
    const { id: orderId, lines } = await load(app, placed);
    const { id: lineId = "", productId = "" } = lines[0] ?? {};
    const id = toGrantId(orderId, lineId);
    const terms = { productId, grantedAt: app.clock.now(), endOnRefund: true, used: [] };
    await app.store.transact((tx) =>
      tx.insert(fileGrants, { id, orderId, lineId, emailLower: "ann@example.org", ...terms }),
    );
    await read(await edit(app, placed, { email: "Bea@example.org", mail: false }));
    const buyersOf = (emailLower: string): Promise<number> =>
      app.store.read((tx) => tx.count(fileGrants, "byBuyer", { prefix: [productId, emailLower] }));
    assert.deepEqual([await buyersOf("ann@example.org"), await buyersOf("bea@example.org")], [0, 1]);
  });

  it("keeps the order's link unless the edit requests another", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    const open = (): Promise<Response> =>
      app.send("GET", `/api/orders/${placed.order.id}`, { headers: { "x-order-token": placed.accessToken } });
    await read(await edit(app, placed, { email: "bea@example.org" }));
    assert.equal((await open()).status, 200);
    await read(await edit(app, placed, { renewToken: true }));
    assert.deepEqual(await code(await open()), [404, "not_found"]);
  });

  it("replaces the invoice when it prints something else, and only then", async () => {
    const placed = await placeOrder(app, [
      { price: 1_055, quantity: 1, taxClass: "reduced" },
      { price: 1_200, quantity: 2 },
    ]);
    await pay(app, placed);
    const [first] = await papers(app, placed);
    await read(await edit(app, placed, { buyersNote: "second floor" }));
    assert.equal((await papers(app, placed)).length, 1);
    const billingAddress = { ...place, name: "Ann SARL", company: "Ann SARL" };
    await read(await edit(app, placed, { billingAddress }));
    const all = await papers(app, placed);
    const { id } = placed.order;
    assert.deepEqual(
      all.map((one) => one.id),
      [`inv_${id}`, `crn_${id}_1`, `inv_${id}_2`],
    );
    const [, note, second] = all;
    assert.equal(note?.billingAddress?.name, "Ann");
    assert.equal(second?.billingAddress?.name, "Ann SARL");
    assert.deepEqual(note?.tax?.rates, first?.tax?.rates);
    assert.deepEqual(
      note?.lines.map(({ title, total }) => [title, total]),
      [
        ["P0", 1_055],
        ["P1", 2_400],
        ["", 410],
        ["", 180],
      ],
    );
    assert.deepEqual(sumPapers(all), sumPapers([first ?? assert.fail()]));
    const { invoiceId, credited } = await load(app, placed);
    assert.deepEqual([invoiceId, credited], [`inv_${id}_2`, undefined]);
    const [mail] = await app.mails("ann@example.org");
    assert.ok(mail?.text.includes(`/inv_${id}_2/`));
  });

  it("keeps refunds credited, now of the new invoice", async () => {
    const placed = await placeOrder(app, [
      { price: 1_055, quantity: 1, taxClass: "reduced" },
      { price: 1_200, quantity: 2 },
    ]);
    await pay(app, placed);
    const [line] = (await load(app, placed)).lines;
    const refund = async (body: object): Promise<unknown> => {
      app.clock.advance(1_000);
      return read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, body));
    };
    await refund({ lines: [{ lineId: line?.id, quantity: 1 }] });
    const before = sumPapers(await papers(app, placed));
    await read(await edit(app, placed, { billingAddress: { ...place, name: "Ann SARL" } }));
    assert.deepEqual(sumPapers(await papers(app, placed)), before);
    assert.equal((await load(app, placed)).credited, 1_055);
    await refund({ amount: (await load(app, placed)).amountPaid });
    const sums = sumPapers(await papers(app, placed));
    assert.ok(
      Object.values(sums).every((sum) => sum === 0),
      JSON.stringify(sums),
    );
  });

  it("says why it does not: shipped, ended, a newer version, nothing to change, a language of no page", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    const { version } = await load(app, placed);
    assert.deepEqual(await code(await edit(app, placed, { email: "ann@example.org" })), [409, "conflict"]);
    assert.deepEqual(await code(await edit(app, placed, { language: "fr" })), [422, "invalid"]);
    await read(await edit(app, placed, { buyersNote: "hello" }));
    assert.deepEqual(await code(await edit(app, placed, { version, buyersNote: "hi" })), [
      409,
      "version_conflict",
    ]);
    const { postalCode: _code, ...uncoded } = place;
    assert.deepEqual(await code(await edit(app, placed, { shippingAddress: uncoded })), [422, "invalid"]);
    await pay(app, placed);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/deliver`, {}));
    assert.deepEqual(await code(await edit(app, placed, { shippingAddress: right })), [409, "conflict"]);
    await read(await edit(app, placed, { email: "bea@example.org" }));
    const other = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    await read(await app.admin("POST", `/api/admin/orders/${other.order.id}/cancel`, {}));
    assert.deepEqual(await code(await edit(app, other, { email: "bea@example.org" })), [
      409,
      "illegal_transition",
    ]);
  });
});

describe("POST /api/orders/{id}/shipping-address", () => {
  it("lets the buyer correct the address until it ships, and mails what changed", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    await pay(app, placed);
    await read(await address(placed, right));
    assert.equal((await load(app, placed)).shippingAddress?.line1, "Rue 12");
    assert.equal((await papers(app, placed)).length, 3);
    assert.equal((await app.mails("ann@example.org"))[0]?.kind, "order_edited");
    assert.deepEqual(await code(await address(placed, right, "ot_wrong")), [404, "not_found"]);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/deliver`, {}));
    assert.deepEqual(await code(await address(placed, place)), [409, "conflict"]);
  });

  it("stays in the country and within a number of changes a day", async () => {
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1 }]);
    const abroad = { ...place, country: "DE", postalCode: "20457" };
    assert.deepEqual(await code(await address(placed, abroad)), [422, "invalid"]);
    for (const number of [1, 2, 3, 4, 5])
      await read(await address(placed, { ...place, line1: `Rue 2${number}` }));
    assert.deepEqual(await code(await address(placed, right)), [429, "rate_limited"]);
  });
});

/** Mails to the owner of a shop, and what a buyer has to know to pay and to wait for a parcel. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { write } from "../chat/chat-fixture.ts";
import {
  type GoodsOptions,
  addProduct,
  liftLimits,
  order,
  sendNotice,
  setProvider,
  toNotice,
} from "../goods.ts";

const OWNER = "owner@example.org";
const HOUR = 3_600_000;
let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app, { instructions: "IBAN DE02 1203 0000 0000 2020 51\nName: Corner shop" });
  await app.setSmtp({ adminAddress: OWNER });
});

async function place(goods: GoodsOptions): Promise<ReturnType<typeof order>> {
  return order(app, [{ productId: (await addProduct(app, goods)).id }]);
}

async function buy(goods: GoodsOptions): Promise<string> {
  const placed = await place(goods);
  assert.equal((await sendNotice(app, toNotice(placed.order))).status, 200);
  return placed.order.id;
}

const owners = async (kind: string): Promise<string[]> =>
  (await app.mails(OWNER)).filter((mail) => mail.kind === kind).map(({ text }) => text);
const buyers = async (kind: string): Promise<{ subject: string; text: string } | undefined> =>
  (await app.mails("ann@example.org")).find((mail) => mail.kind === kind);

describe("mails to the owner", () => {
  it("report a paid order that waits for a person, and of no other", async () => {
    await buy({ keys: ["KEY-1"] });
    assert.deepEqual(await owners("new_order"), []);
    await buy({ deliveryType: "manual", title: "Engraved mug" });
    const [mail = "", ...others] = await owners("new_order");
    assert.deepEqual(others, []);
    assert.match(mail, /of ann@example\.org is paid and ready.*1 × Engraved mug/su);
  });

  it("report the first unread message of a conversation, and then at most each hour", async () => {
    await write(app, "ann", "Is it there?");
    await write(app, "ann", "Hello?");
    assert.equal((await owners("new_message")).length, 1);
    assert.match((await owners("new_message"))[0] ?? "", /Is it there\?.*admin\/chat\/usr_ann/su);
    app.clock.advance(HOUR);
    await write(app, "ann", "Anybody?");
    assert.equal((await owners("new_message")).length, 2);
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/read", {});
    await write(app, "ann", "Thank you");
    assert.equal((await owners("new_message")).length, 3);
  });

  it("stop at thirty of a kind that wait, and can be switched off", async () => {
    await liftLimits(app);
    for (let i = 0; i < 32; i += 1) await write(app, `user${i}`, "hello");
    assert.equal((await owners("new_message")).length, 30);
    const answer = await app.admin("PATCH", "/api/admin/smtp", { notify: { new_order: false } });
    assert.equal(answer.status, 200);
    await buy({ deliveryType: "manual" });
    assert.deepEqual(await owners("new_order"), []);
  });
});

describe("mails to a buyer", () => {
  it("say how to pay, in the words of the provider's settings, while something is due", async () => {
    await buy({ deliveryType: "manual" });
    assert.match((await buyers("order_placed"))?.text ?? "", /IBAN DE02[^\n]*\nName: Corner shop/u);
    assert.doesNotMatch((await buyers("order_paid"))?.text ?? "", /IBAN/u);
  });

  it("lead to the order's page of this shop, unless the settings name another one", async () => {
    const { order: placed, orderToken } = await place({});
    const { text } = (await buyers("order_placed")) ?? { text: "" };
    assert.ok(text.includes(`https://shop.example.org/orders/${placed.number}?token=${orderToken}`), text);
  });

  it("say that a parcel is on its way, with what is known of it and without empty blocks", async () => {
    await app.setSite({ guestCheckout: true });
    const product = await addProduct(app, { deliveryType: "shipping", title: "T-shirt" });
    const address = { name: "Ann", line1: "Road 1", postalCode: "10115", city: "Town", country: "DE" };
    const placed = await read<{ order: { id: string; total: number } }>(
      await app.send("POST", "/api/checkout", {
        body: {
          items: [{ productId: product.id, quantity: 1 }],
          contact: { email: "ann@example.org" },
          shippingAddress: address,
        },
      }),
      201,
    );
    const path = `/api/admin/orders/${placed.order.id}`;
    assert.equal((await app.admin("POST", `${path}/mark-paid`, { reference: "bank-1" })).status, 200);
    const shipment = { carrier: "DHL" };
    const answer = await app.admin("POST", `${path}/deliver`, { shipment });
    const { order: sent } = { order: await read<{ shipment: object }>(answer) };
    const shippedAt = new Date(app.clock.now()).toISOString().replace("Z", "+00:00");
    assert.deepEqual(sent.shipment, { carrier: "DHL", trackingNumber: "", trackingUrl: "", shippedAt });
    const mail = (await buyers("order_delivered")) ?? { subject: "", text: "" };
    assert.match(mail.subject, /Your order is on its way/u);
    assert.match(mail.text, /Shipment: DHL/u);
    assert.doesNotMatch(mail.text, /fulfillment|^T-shirt:/mu);
  });
});

describe("an API key", () => {
  it("is reported to the administrators when it is created and changed, without the key", async () => {
    const fields = { name: "Dashboard", scopes: ["orders:read"] };
    const made = await read<{ id: string; key: string }>(
      await app.admin("POST", "/api/admin/api-keys", fields),
      201,
    );
    const change = { networks: ["203.0.113.0/24"] };
    assert.equal((await app.admin("PATCH", `/api/admin/api-keys/${made.id}`, change)).status, 200);
    const told = await owners("admin_attention");
    assert.equal(told.length, 2);
    for (const text of told) {
      assert.match(
        text,
        /\(token\) (?:created|changed) the API key "Dashboard" with the scopes orders:read/u,
      );
      assert.ok(!text.includes(made.key), "the key is in the mail");
    }
  });
});

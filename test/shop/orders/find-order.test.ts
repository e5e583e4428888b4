/** Finding an order again: an email for someone with number and address, and the same answer for everyone. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import { type TestShop, code, createTestShop } from "../app-fixture.ts";
import { addProduct, liftLimits, noOrderLimits, order, setProvider } from "../goods.ts";

const EMAIL = "ann@example.org";
let app: TestShop;
let number: string;
let token: string;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  const placed = await order(app, [{ productId: (await addProduct(app)).id }]);
  ({ number } = placed.order);
  token = placed.orderToken;
});

const find = (body: object, from = "192.0.2.9"): Promise<Response> =>
  app.send("POST", "/api/orders/find", { body, from });
const mails = async () => (await app.mails()).filter(({ kind }) => kind === "order_link");
const decoys = (): Promise<number> =>
  app.store.read((tx) => tx.count(outboxCollection, "byKindState", { prefix: ["order_link", "decoy"] }));

describe("finding an order again", () => {
  it("mails its link to its own address", async () => {
    const answer = await find({ number: ` ${number.toLowerCase()}`, email: "Ann@Example.ORG" });
    assert.deepEqual([answer.status, await answer.text()], [204, ""]);
    const [mail] = await mails();
    assert.equal(mail?.to, EMAIL);
    assert.ok(mail.text.includes(token));
    assert.match(mail.text, /1 × Mug/u);
  });

  it("answers the same for a wrong number or address, writes as much, and sends no email", async () => {
    for (const body of [
      { number: "260131-XXXXXXXX", email: EMAIL },
      { number, email: "eve@example.org" },
    ]) {
      const answer = await find(body);
      assert.deepEqual([answer.status, await answer.text()], [204, ""]);
    }
    assert.deepEqual(await mails(), []);
    assert.equal(await decoys(), 2);
  });

  it("mails a mailbox three times an hour, and strangers use none of it up", async () => {
    for (let n = 0; n < 9; n += 1) await find({ number: `260131-XXXXXXX${n}`, email: EMAIL });
    for (let n = 0; n < 5; n += 1)
      assert.equal((await find({ number, email: EMAIL }, "192.0.2.8")).status, 204);
    assert.equal((await mails()).length, 3);
    app.clock.advance(2 * 3_600_000);
    await find({ number, email: EMAIL });
    assert.equal((await mails()).length, 4);
  });

  it("is limited by network address", async () => {
    for (let n = 0; n < 10; n += 1) await find({ number: "x", email: EMAIL });
    assert.deepEqual(await code(await find({ number, email: EMAIL })), [429, "rate_limited"]);
  });

  it("mails nothing about an order of which nothing is mailed", async () => {
    await app.setSite({ orderLimits: { ...noOrderLimits, mailedPerDay: 1 } });
    const placed = await order(app, [{ productId: (await addProduct(app)).id }]);
    assert.equal(placed.order.isQuiet, true);
    await find({ number: placed.order.number, email: EMAIL });
    assert.deepEqual(await mails(), []);
  });

  it("refuses what is no number or address", async () => {
    for (const body of [
      {},
      { number, email: "x" },
      { number: " ", email: EMAIL },
      { number, email: EMAIL, a: 1 },
    ])
      assert.equal((await find(body)).status, 422);
  });
});

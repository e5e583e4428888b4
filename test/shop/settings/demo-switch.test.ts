/** When the demo payment is open. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLog } from "../../../src/kit/observe/log.ts";
import { settleDemo } from "../../../src/shop/settings/demo-switch.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import { type Provider, demoProvider } from "../../../src/shop/site/schema.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";

const LOCAL = "http://127.0.0.1:8081";

interface Made {
  readonly order: { readonly id: string };
  readonly accessToken: string;
  readonly payment?: { readonly method: string };
}

const findDemo = async (app: TestShop): Promise<Provider | undefined> =>
  (await app.store.read(readSite)).paymentProviders.find(({ word }) => word === "demo");

/** Starts as the program does; resolves with the warnings of the log. */
async function start(app: TestShop, wanted?: boolean, isReadOnly = false): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog({ level: "warn", write: (line) => void lines.push(line) });
  await settleDemo({ ...app.shop.deps, log }, { wanted, isReadOnly });
  return lines;
}

async function buy(app: TestShop, paymentMethod?: string): Promise<Made> {
  const { id } = await addProduct(app);
  const body = {
    items: [{ productId: id, quantity: 1 }],
    contact: { email: "ann@example.org" },
    consents: { digitalContent: true },
  };
  const more = paymentMethod === undefined ? {} : { paymentMethod };
  return read<Made>(await app.send("POST", "/api/checkout", { body: { ...body, ...more } }), 201);
}

const press = (app: TestShop, { order, accessToken: token }: Made): Promise<Response> =>
  app.fetch(`/demo-pay/${order.id}`, {
    method: "POST",
    body: new URLSearchParams({ token, action: "pay" }),
  });

describe("the demo payment", () => {
  it("is off in a new shop: it cannot be chosen, and its page does not exist", async () => {
    const app = await createTestShop({ publicUrl: LOCAL });
    assert.deepEqual(await start(app), []);
    const bought = await buy(app);
    assert.equal(bought.payment?.method, "generic");
    assert.deepEqual(await code(await press(app, bought)), [404, "not_found"]);
    const body = {
      items: [],
      contact: { email: "a@example.org" },
      consents: { digitalContent: true },
      paymentMethod: "demo",
    };
    assert.equal((await app.send("POST", "/api/checkout", { body })).status, 422);
  });

  it("is switched on and off by SHOP_DEMO, which says so in the log; without it the setting stays", async () => {
    const app = await createTestShop({ publicUrl: LOCAL });
    assert.match((await start(app, true)).join(), /Demo payments are enabled/u);
    assert.match((await start(app)).join(), /Demo payments are enabled/u);
    const bought = await buy(app, "demo");
    assert.equal((await press(app, bought)).status, 303);
    assert.match((await start(app, false)).join(), /were disabled/u);
    assert.deepEqual([await start(app), (await findDemo(app))?.enabled], [[], false]);
  });

  it("takes only orders that are to be paid with it", async () => {
    const app = await createTestShop({ publicUrl: LOCAL });
    await start(app, true);
    const other = await buy(app);
    assert.deepEqual(await code(await press(app, other)), [404, "not_found"]);
    const page = `/demo-pay/${other.order.id}?token=${other.accessToken}`;
    assert.deepEqual(await code(await app.fetch(page)), [404, "not_found"]);
  });

  it("of an earlier version, which had switched it on by itself, is closed and loses its stored secret", async () => {
    const app = await createTestShop({ publicUrl: LOCAL });
    const secret = app.shop.deps.box.seal("whsec_of-an-earlier-version", PROVIDER_PURPOSE);
    await app.setSite({ paymentProviders: [{ ...demoProvider, enabled: true, secret }] });
    assert.match((await start(app)).join(), /an earlier version had enabled them/u);
    const closed = await findDemo(app);
    assert.deepEqual([closed?.enabled, closed?.secret], [false, undefined]);
    await app.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
    assert.match((await start(app)).join(), /Demo payments are enabled/u);
    assert.equal((await findDemo(app))?.enabled, true);
  });

  it("is closed at the start of a shop that people reach over https", async () => {
    const app = await createTestShop();
    await setProvider(app, { ...demoProvider, enabled: true });
    for (const wanted of [undefined, true]) {
      await start(app, wanted);
      assert.equal((await findDemo(app))?.enabled, false);
    }
  });

  it("stays open in a read-only demo over https, which takes no orders", async () => {
    const app = await createTestShop();
    await start(app, true, true);
    assert.equal((await findDemo(app))?.enabled, true);
    await start(app, undefined);
    assert.equal((await findDemo(app))?.enabled, false);
  });
});

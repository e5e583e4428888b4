/** License keys for programs: activation, validation and deactivation, and what ends a license. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, read } from "../app-fixture.ts";
import { sendNotice, toNotice } from "../goods.ts";
import { GENERATED, addProgram, ask, buy, openLicenseShop } from "./license-shop.ts";

const DAY_MS = 86_400_000;
let app: TestShop;

beforeEach(async () => {
  app = await openLicenseShop();
});

describe("a generated license key", () => {
  it("follows the pattern, is another one for each unit, and is delivered with the order", async () => {
    const { keys } = await buy(app, await addProgram(app), { quantity: 3 });
    assert.equal(new Set(keys).size, 3);
    for (const key of keys) assert.match(key, /^DESK(?:-[0-9A-HJKMNP-TV-Z]{5}){3}$/u);
  });

  it("activates as many devices as the license has, each request a further one", async () => {
    const { keys, order } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const first = await ask(app, "activate", { license_key, instance_name: "Laptop" });
    assert.equal(first.activated, true);
    assert.equal(first.error, null);
    assert.equal(first.license_key?.status, "active");
    assert.equal(first.license_key?.key, license_key);
    assert.equal(first.license_key?.activation_limit, 2);
    assert.equal(first.license_key?.activation_usage, 1);
    assert.match(first.license_key?.created_at ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/u);
    assert.equal(first.instance?.name, "Laptop");
    assert.equal(first.meta?.["product_name"], "Photo Desk");
    assert.equal(first.meta?.["variant_name"], "Default");
    assert.equal(first.meta?.["customer_email"], order.email);
    for (const name of ["order_id", "order_item_id", "product_id", "variant_id", "customer_id", "store_id"]) {
      const value = first.meta?.[name];
      assert.ok(Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31, name);
    }
    const second = await ask(app, "activate", { license_key, instance_name: "Laptop" });
    assert.notEqual(second.instance?.id, first.instance?.id);
    assert.deepEqual(second.meta, first.meta);
    const third = await ask(app, "activate", { license_key, instance_name: "Tablet" }, { status: 400 });
    assert.equal(third.activated, false);
    assert.equal(third.error, "This license key has reached the activation limit.");
    assert.equal(third.license_key?.activation_usage, 2);
  });

  it("is found in small letters and with blanks around", async () => {
    const { keys } = await buy(app, await addProgram(app));
    const answer = await ask(app, "validate", { license_key: ` ${keys[0]?.toLowerCase()} ` });
    assert.equal(answer.valid, true);
    assert.equal(answer.instance, null);
    assert.equal(answer.license_key?.status, "inactive");
  });

  it("is replaced by one with the same end, and is disabled then", async () => {
    const { keys, order, lineId } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const before = await ask(app, "validate", { license_key });
    app.clock.advance(10 * DAY_MS);
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/replace-key`, { lineId, index: 0 }));
    const view = await read<{ lines: { delivered: string[] }[] }>(
      await app.admin("GET", `/api/admin/orders/${order.id}`),
    );
    const [next = ""] = view.lines[0]?.delivered ?? [];
    assert.notEqual(next, license_key);
    const after = await ask(app, "validate", { license_key: next });
    assert.equal(after.license_key?.expires_at, before.license_key?.expires_at);
    const old = await ask(app, "validate", { license_key }, { status: 400 });
    assert.equal(old.license_key?.status, "disabled");
  });
});

describe("a device", () => {
  it("is validated by its id, and frees its place once", async () => {
    const { keys } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const { instance } = await ask(app, "activate", { license_key, instance_name: "Laptop" });
    await ask(app, "activate", { license_key, instance_name: "Tablet" });
    const instance_id = instance?.id ?? "";
    assert.deepEqual((await ask(app, "validate", { license_key, instance_id })).instance, instance);
    for (const _turn of [1, 2]) {
      const answer = await ask(app, "deactivate", { license_key, instance_id });
      assert.equal(answer.deactivated, true);
      assert.equal(answer.license_key?.activation_usage, 1);
      assert.equal("instance" in answer, false);
    }
    const gone = await ask(app, "validate", { license_key, instance_id }, { status: 404 });
    assert.deepEqual([gone.valid, gone.error], [false, "instance_id not found."]);
    await ask(app, "activate", { license_key, instance_name: "Phone" });
  });

  it("of another license is not found", async () => {
    const product = await addProgram(app);
    const [first, second] = [await buy(app, product), await buy(app, product)];
    const { instance } = await ask(app, "activate", {
      license_key: first.keys[0] ?? "",
      instance_name: "Laptop",
    });
    const other = { license_key: second.keys[0] ?? "", instance_id: instance?.id ?? "" };
    await ask(app, "validate", other, { status: 404 });
    await ask(app, "deactivate", other, { status: 404 });
    const own = await ask(app, "validate", { license_key: first.keys[0] ?? "" });
    assert.equal(own.license_key?.activation_usage, 1);
  });

  it("takes the last place for one of many that ask at once", async () => {
    const product = await addProgram(app, { license: { ...GENERATED, maxDevices: 1 } });
    const { keys } = await buy(app, product);
    const asked = Array.from({ length: 300 }, async (_each, index) => {
      const fields = { license_key: keys[0] ?? "", instance_name: `Device ${index}` };
      const response = await app.raw("/v1/licenses/activate", {
        method: "POST",
        body: new URLSearchParams(fields),
      });
      return response.status;
    });
    const statuses = await Promise.all(asked);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal(statuses.filter((status) => status === 400).length, 299);
    const { license_key } = await ask(app, "validate", { license_key: keys[0] ?? "" });
    assert.equal(license_key?.activation_usage, 1);
  });
});

describe("a license", () => {
  it("expires by the clock of the shop", async () => {
    const { keys } = await buy(app, await addProgram(app, { license: { ...GENERATED, days: 30 } }));
    const [license_key = ""] = keys;
    app.clock.advance(30 * DAY_MS - 1);
    assert.equal((await ask(app, "validate", { license_key })).valid, true);
    app.clock.advance(1);
    const ended = await ask(app, "validate", { license_key }, { status: 400 });
    assert.deepEqual([ended.valid, ended.error], [false, "This license key is expired."]);
    assert.equal(ended.license_key?.status, "expired");
    await ask(app, "activate", { license_key, instance_name: "Laptop" }, { status: 400 });
  });

  it("has the terms of its variant, as they were when it was bought", async () => {
    const variants = [
      { id: "var_one", sku: "", options: { devices: "1 device" }, price: 1_000, license: { maxDevices: 1 } },
      {
        id: "var_all",
        sku: "",
        options: { devices: "All" },
        price: 9_000,
        license: { maxDevices: null, days: null },
      },
    ];
    const product = await addProgram(app, { variants });
    const one = await buy(app, product, { variantId: "var_one" });
    const all = await buy(app, product, { variantId: "var_all" });
    await read(
      await app.admin("PATCH", `/api/admin/products/${product.id}`, { license: null, stockMode: "tracked" }),
    );
    const first = await ask(app, "validate", { license_key: one.keys[0] ?? "" });
    assert.equal(first.license_key?.activation_limit, 1);
    assert.notEqual(first.license_key?.expires_at, null);
    assert.equal(first.meta?.["variant_name"], "1 device");
    const second = await ask(app, "validate", { license_key: all.keys[0] ?? "" });
    assert.deepEqual([second.license_key?.activation_limit, second.license_key?.expires_at], [null, null]);
  });

  it("of a key in stock works like a generated one", async () => {
    const license = { ...GENERATED, keys: "stock" } as const;
    const product = await addProgram(app, {
      license,
      keys: ["old-key-1", "old-key-2"],
      stockMode: "tracked",
    });
    const { keys } = await buy(app, product);
    assert.deepEqual(keys, ["old-key-1"]);
    assert.equal((await ask(app, "validate", { license_key: "old-key-1" })).valid, true);
    await ask(app, "validate", { license_key: "old-key-2" }, { status: 404 });
  });

  it("ends with a full refund", async () => {
    const product = await addProgram(app);
    const { keys, order } = await buy(app, product, { quantity: 2 });
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/refund`, { amount: order.total }));
    for (const license_key of keys) {
      const answer = await ask(app, "validate", { license_key }, { status: 400 });
      assert.deepEqual(
        [answer.error, answer.license_key?.status],
        ["This license key is disabled.", "disabled"],
      );
    }
  });

  it("ends with a dispute, and does not come back when the dispute is won", async () => {
    const { keys, order } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const dispute = toNotice(order, { id: "dispute-1", status: "chargeback" });
    assert.equal((await sendNotice(app, { ...dispute, type: "payment.chargeback" })).status, 200);
    const ended = await ask(app, "validate", { license_key }, { status: 400 });
    assert.equal(ended.license_key?.status, "disabled");
    await sendNotice(app, toNotice(order, { id: "dispute-1" }));
    await ask(app, "validate", { license_key }, { status: 400 });
  });

  it("ends for refunded units only, unused ones first", async () => {
    const product = await addProgram(app);
    const { keys, order, lineId } = await buy(app, product, { quantity: 3 });
    const [used = "", ...others] = keys;
    await ask(app, "activate", { license_key: used, instance_name: "Laptop" });
    const path = `/api/admin/orders/${order.id}/refund`;
    const states = async (): Promise<string[]> => {
      const all = [];
      for (const license_key of [used, ...others]) {
        const response = await app.raw("/v1/licenses/validate", {
          method: "POST",
          body: new URLSearchParams({ license_key }),
        });
        all.push(response.status === 200 ? "valid" : "ended");
      }
      return all;
    };
    await read(await app.admin("POST", path, { lines: [{ lineId, quantity: 1 }] }));
    assert.equal((await states()).filter((state) => state === "ended").length, 1);
    await read(await app.admin("POST", path, { lines: [{ lineId, quantity: 1 }] }));
    assert.deepEqual(await states(), ["valid", "ended", "ended"]);
    await read(await app.admin("POST", path, { lines: [{ lineId, quantity: 1 }] }));
    assert.deepEqual(await states(), ["ended", "ended", "ended"]);
  });
});

describe("requests of programs", () => {
  it("come as JSON of any kind, multipart or a form", async () => {
    const { keys } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const form = new FormData();
    form.set("license_key", license_key);
    const bodies: [string | undefined, BodyInit][] = [
      ["application/json", JSON.stringify({ license_key })],
      ["application/vnd.api+json", JSON.stringify({ license_key })],
      ["application/x-www-form-urlencoded; charset=utf-8", `license_key=${license_key}`],
      [undefined, form],
    ];
    for (const [type, body] of bodies) {
      const headers = new Headers(type === undefined ? [] : [["content-type", type]]);
      const response = await app.raw("/v1/licenses/validate", { method: "POST", headers, body });
      assert.equal(response.status, 200, type);
    }
    const other = await app.raw("/v1/licenses/validate", {
      method: "POST",
      headers: { "content-type": "text/xml" },
      body: "<key/>",
    });
    assert.equal(other.status, 415);
  });

  it("say which field is missing", async () => {
    const none = await ask(app, "activate", {}, { status: 422 });
    assert.equal(none.error, "The license_key field is required.");
    const { keys } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const name = await ask(app, "activate", { license_key }, { status: 422 });
    assert.equal(name.error, "The instance_name field is required.");
    const id = await ask(app, "deactivate", { license_key }, { status: 422 });
    assert.equal(id.error, "The instance_id field is required.");
    await ask(app, "activate", { license_key, instance_name: "a\nb" }, { status: 422 });
    await ask(app, "activate", { license_key, instance_name: "x".repeat(201) }, { status: 422 });
  });

  it("that guess keys are stopped by their address, which the metrics show", async () => {
    const { keys } = await buy(app, await addProgram(app));
    const [license_key = ""] = keys;
    const from = "203.0.113.9";
    for (let turn = 0; turn < 30; turn += 1)
      await ask(app, "validate", { license_key: `GUESS-${turn}` }, { from, status: 404 });
    await ask(app, "validate", { license_key: "GUESS-30" }, { from, status: 429 });
    await ask(app, "validate", { license_key }, { from, status: 429 });
    assert.equal((await ask(app, "validate", { license_key }, { from: "203.0.113.10" })).valid, true);
    const counted = app.shop.licenseApi.counts();
    const of = (result: string): number | undefined =>
      counted.find(({ labels }) => labels.action === "validate" && labels.result === result)?.value;
    assert.deepEqual([of("unknown_key"), of("limited"), of("ok")], [30, 2, 1]);
  });

  it("come from pages of any origin", async () => {
    const response = await app.raw("/v1/licenses/validate", {
      method: "POST",
      headers: { origin: "https://app.example.org" },
      body: new URLSearchParams({ license_key: "x" }),
    });
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  });
});

describe("the pattern of keys", () => {
  it("needs enough random bits, and stock that is not counted", async () => {
    const path = "/api/admin/products";
    const base = { title: "Desk", price: 1_000, deliveryType: "auto_secret", stockMode: "unlimited" };
    const create = (pattern: string, more: object = {}): Promise<Response> =>
      app.admin("POST", path, { ...base, license: { keys: "generated", pattern }, ...more });
    for (const pattern of ["KEY", "{random:11}", "{digits:18}", "{random:99}", "{hex:20}", "{random:12}}"])
      assert.equal((await create(pattern)).status, 422, pattern);
    for (const pattern of ["{random:12}", "A-{digits:19}", "{uuid}", "MAX-{random:6}-{digits:10}"])
      assert.equal((await create(pattern)).status, 201, pattern);
    assert.equal((await create("{uuid}", { stockMode: "tracked" })).status, 422);
  });
});

/** Licenses for administrators: lists, changes, devices; webhook events; erasure; imported licenses. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { importLicense, removeImported } from "../../../src/shop/licence-keys/issue.ts";
import { devices } from "../../../src/shop/licence-keys/records.ts";
import { toLicenseEvents } from "../../../src/shop/webhooks-out/record-events.ts";
import { webhookDeliveries } from "../../../src/shop/webhooks-out/records.ts";
import type { LicensePage, LicenseView } from "../../../src/shop/licenses/answer-schema.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { addProgram, ask, buy, openLicenseShop } from "./license-shop.ts";

const PATH = "/api/admin/licenses";
let app: TestShop;

beforeEach(async () => {
  app = await openLicenseShop();
});

async function list(query: string): Promise<LicenseView[]> {
  return (await read<LicensePage>(await app.admin("GET", `${PATH}?${query}`))).items;
}

/** A bought license with an active device. */
async function sell() {
  const product = await addProgram(app);
  const { keys, order } = await buy(app, product);
  const [license_key = ""] = keys;
  const { instance } = await ask(app, "activate", { license_key, instance_name: "Ann's laptop" });
  const [license] = await list(`orderId=${order.id}`);
  assert.ok(license !== undefined && instance !== undefined && instance !== null);
  return { product, order, license_key, instance_id: instance.id, license };
}

describe("the administration of licenses", () => {
  it("lists them by product, order, and key, without the key itself", async () => {
    const { product, order, license_key, license } = await sell();
    await sell();
    assert.equal((await list("")).length, 2);
    for (const query of [`productId=${product.id}`, `key=${encodeURIComponent(license_key)}`])
      assert.deepEqual(await list(query), [license]);
    assert.equal(license.key, `••••${license_key.slice(-4)}`);
    assert.equal(license.orderNumber, order.number);
    assert.equal(license.email, order.email);
    assert.deepEqual(
      license.devices.map(({ name }) => name),
      ["Ann's laptop"],
    );
    const { meta } = await ask(app, "validate", { license_key });
    assert.deepEqual(
      [meta?.["product_id"], meta?.["variant_id"]],
      [license.productNumber, license.variantNumber],
    );
    assert.deepEqual(await list("key=nothing"), []);
  });

  it("finds them by the end of the key, the whole key, email, order number, product, and status", async () => {
    const { order, license_key, license } = await sell();
    const other = await addProgram(app, { title: "Sound Desk" });
    const { keys, order: second } = await buy(app, other);
    const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id);
    const [free] = await list(`orderId=${second.id}`);
    const q = encodeURIComponent;
    for (const typed of [
      license_key.slice(-4),
      license_key.slice(-6).toLowerCase(),
      license_key,
      order.number,
    ])
      assert.deepEqual(await ids(`q=${q(typed)}`), [license.id], typed);
    assert.deepEqual(await ids("q=sound"), [free?.id]);
    assert.deepEqual((await ids(`q=${q(order.email.toUpperCase())}`)).length, 2);
    assert.deepEqual(await ids("status=active"), [license.id]);
    assert.deepEqual(await ids(`status=inactive&q=${q(keys[0]?.slice(-5) ?? "")}`), [free?.id]);
    assert.deepEqual(await ids(`status=disabled&productId=${other.id}`), []);
    assert.deepEqual(await ids("q=nobody@example.org"), []);
    assert.deepEqual(await ids(`q=${q("••••")}`), []);
    const patch = { disabled: true };
    await read(await app.admin("PATCH", `${PATH}/${license.id}`, patch));
    assert.deepEqual(await ids("status=disabled"), [license.id]);
  });

  it("finds those of a page in turn, each once, with a limit", async () => {
    const product = await addProgram(app);
    const { order } = await buy(app, product, { quantity: 7 });
    const found: string[] = [];
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      const at: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: LicensePage = await read(await app.admin("GET", `${PATH}?limit=3&status=inactive${at}`));
      assert.ok(page.items.length <= 3);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    assert.equal(found.length, 7);
    assert.deepEqual(new Set(found), new Set((await list(`orderId=${order.id}`)).map(({ id }) => id)));
  });

  it("are in the export of their buyer's data, with devices", async () => {
    const { order, license } = await sell();
    const customers = await read<{ items: { id: string; email: string }[] }>(
      await app.admin("GET", "/api/admin/customers"),
    );
    const customer = customers.items.find(({ email }) => email === order.email);
    const data = await read<{ licenses: LicenseView[] }>(
      await app.admin("GET", `/api/admin/customers/${customer?.id}/export`),
    );
    assert.deepEqual(data.licenses, [license]);
    assert.equal(data.licenses[0]?.devices[0]?.name, "Ann's laptop");
  });

  it("disables and enables, and changes limit and expiry", async () => {
    const { license, license_key } = await sell();
    const patch = async (body: object): Promise<LicenseView> =>
      read(await app.admin("PATCH", `${PATH}/${license.id}`, body));
    assert.equal((await patch({ disabled: true })).disabledReason, "admin");
    await ask(app, "validate", { license_key }, { status: 400 });
    const on = await patch({ disabled: false, expiresAt: null, maxDevices: 1, version: license.version + 1 });
    assert.deepEqual([on.status, on.expiresAt, on.maxDevices], ["active", undefined, 1]);
    await ask(app, "activate", { license_key, instance_name: "Tablet" }, { status: 400 });
    assert.equal((await patch({ maxDevices: null })).maxDevices, undefined);
    await ask(app, "activate", { license_key, instance_name: "Tablet" });
    const stale = await app.admin("PATCH", `${PATH}/${license.id}`, { disabled: true, version: 1 });
    assert.deepEqual(await code(stale), [409, "version_conflict"]);
    const log = await read<{ items: { action: string; changes: string[] }[] }>(
      await app.admin("GET", "/api/admin/audit?action=license.change"),
    );
    assert.ok(log.items.some(({ changes }) => changes.includes("disabled: true")));
  });

  it("deactivates a device once", async () => {
    const { license, instance_id, license_key } = await sell();
    const path = `${PATH}/${license.id}/devices/${instance_id}/deactivate`;
    for (const _turn of [1, 2]) {
      const view = await read<LicenseView>(await app.admin("POST", path));
      assert.deepEqual([view.used, view.devices], [0, []]);
    }
    await ask(app, "validate", { license_key, instance_id }, { status: 404 });
    assert.equal((await app.admin("POST", `${PATH}/${license.id}/devices/other/deactivate`)).status, 404);
  });
});

describe("webhook events of licenses", () => {
  it("tell of deliveries, devices, and changes, without keys and names", async () => {
    const types = ["created", "activated", "deactivated", "disabled", "enabled", "changed"];
    const body = { url: "https://erp.example.org/in", types: types.map((type) => `license.${type}`) };
    await read(await app.admin("POST", "/api/admin/webhooks", body), 201);
    const { license, instance_id, license_key } = await sell();
    await ask(app, "deactivate", { license_key, instance_id });
    for (const change of [{ disabled: true }, { disabled: false }, { maxDevices: 9 }])
      await read(await app.admin("PATCH", `${PATH}/${license.id}`, change));
    const { items } = await app.store.read((tx) =>
      tx.list(webhookDeliveries, "byHappening", { prefix: [license.id], limit: 100 }),
    );
    assert.deepEqual(
      items.map(({ type }) => type),
      types.map((type) => `license.${type}`),
    );
    for (const { body: sent } of items) {
      assert.doesNotMatch(sent, /Ann|example\.org/u);
      assert.equal(sent.includes(license_key), false);
    }
  });

  it("are none for the number of devices alone", () => {
    const at = 1;
    const license = { id: "k", version: 1, number: 1, mac: "m", productId: "p", stockId: "p", used: 0 };
    const record = { ...license, offlineDays: 30, createdAt: at, updatedAt: at };
    assert.deepEqual(toLicenseEvents(record, { ...record, used: 1 }), []);
  });
});

describe("a license of another shop", () => {
  it("works with its key and its devices, and goes when the import is undone", async () => {
    const product = await addProgram(app);
    const value = "38B1460A-5104-4067-A91D-77B872934D51";
    const foreign = {
      productId: product.id,
      stockId: product.id,
      value,
      holderName: "Bo",
      holderEmail: "Bo@Example.org",
      maxDevices: 2,
      devices: [{ id: "f90ec370-fd83-46a5-8bbd-44a241e78665", name: "Old Mac", createdAt: app.clock.now() }],
    };
    const { box } = app.shop.deps;
    const add = () =>
      app.store.transact((tx) => importLicense(tx, box, { ...foreign, atMs: app.clock.now() }));
    const { id } = await add();
    await assert.rejects(add, /already exists/u);
    const fields = { license_key: value, instance_id: "f90ec370-fd83-46a5-8bbd-44a241e78665" };
    const answer = await ask(app, "validate", fields);
    assert.equal(answer.instance?.name, "Old Mac");
    assert.deepEqual(
      [answer.meta?.["customer_email"], answer.meta?.["customer_name"]],
      ["Bo@Example.org", "Bo"],
    );
    assert.equal((await list("email=bo@example.org")).length, 1);
    assert.equal(await app.store.transact((tx) => removeImported(tx, id)), true);
    await ask(app, "validate", fields, { status: 404 });
    assert.equal(await app.store.read((tx) => tx.count(devices)), 0);
  });
});

describe("the anonymization of a customer", () => {
  it("takes the names of devices, and leaves them active", async () => {
    const { order, license, license_key, instance_id } = await sell();
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/complete`)).catch(() => undefined);
    await app.setSite({ customers: { retentionDays: 0 } });
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", "/api/admin/customers"));
    await read(await app.admin("POST", `/api/admin/customers/${items[0]?.id}/anonymise`));
    const shown = await read<LicenseView>(await app.admin("GET", `${PATH}/${license.id}`));
    assert.deepEqual(
      shown.devices.map(({ name }) => name),
      [""],
    );
    assert.equal((await ask(app, "validate", { license_key, instance_id })).valid, true);
  });
});

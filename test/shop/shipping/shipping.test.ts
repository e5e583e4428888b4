/** Shipping methods: what they cost, how they are kept, and what a checkout takes. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { shippingMethodSchema } from "../../../src/shop/site/selling-schema.ts";
import { toTrackingUrl } from "../../../src/shop/shipping/carriers.ts";
import { listQuotes } from "../../../src/shop/shipping/quotes.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";

const PATH = "/api/admin/shipping-methods";
const address = { name: "Ann", line1: "Street 1", city: "Berlin", postalCode: "10115", country: "DE" };

interface Preview {
  readonly shipping: number;
  readonly total: number;
  readonly isEstimate: boolean;
  readonly shippingMethods: readonly { id: string; title: string; price: number }[];
  readonly shippingMethodId?: string;
}

const make = (fields: object) =>
  shippingMethodSchema.parse({ id: "one", title: "One", steps: [{ from: 0, price: 500 }], ...fields });

describe("listQuotes", () => {
  const price = (fields: object, parcel: object = {}): number | undefined =>
    listQuotes([make(fields)], { country: "DE", value: 1_000, grams: 700, language: "en", ...parcel })[0]
      ?.price;
  const steps = [
    { from: 0, price: 300 },
    { from: 500, price: 400 },
    { from: 1_000, price: 600 },
  ];
  it("takes the step that weight or value has reached", () => {
    assert.equal(price({ by: "weight", steps }), 400);
    assert.equal(price({ by: "weight", steps }, { grams: 499 }), 300);
    assert.equal(price({ by: "weight", steps }, { grams: 1_000 }), 600);
    assert.equal(price({ by: "value", steps }), 600);
    assert.equal(price({ by: "value", steps }, { value: 0 }), 300);
  });
  it("costs nothing from freeFrom on, and is not offered beyond its limit", () => {
    assert.equal(price({ freeFrom: 1_000 }), 0);
    assert.equal(price({ freeFrom: 1_001 }), 500);
    assert.equal(price({ by: "weight", limit: 699 }), undefined);
    assert.equal(price({ by: "weight", limit: 700 }), 500);
    assert.equal(price({ by: "weight", limit: 699, freeFrom: 1 }), undefined);
  });
  it("sends where it says", () => {
    assert.equal(price({ countries: ["AT"] }), undefined);
    assert.equal(price({ countries: ["AT", "DE"] }), 500);
    assert.equal(price({ excludedCountries: ["DE"] }), undefined);
    assert.equal(price({ countries: ["AT"] }, { country: undefined }), 500);
    assert.equal(price({ enabled: false }), undefined);
  });
});

describe("toTrackingUrl", () => {
  it("knows carriers however they are written, and escapes the number", () => {
    assert.match(toTrackingUrl("DHL", "JD 01"), /^https:\/\/www\.dhl\.de\/.*=JD01$/u);
    assert.match(toTrackingUrl("Royal Mail", "A/B"), /tracking-results\/A%2FB$/u);
    assert.match(toTrackingUrl("顺丰", "SF1"), /sf-express/u);
    assert.equal(toTrackingUrl("A friend", "1"), "");
    assert.equal(toTrackingUrl("DHL", ""), "");
    assert.equal(toTrackingUrl("constructor", "1"), "");
  });
});

describe("shipping methods over HTTP", () => {
  let app: TestShop;
  let mug: string;
  let id: string;
  const preview = async (fields: object = {}): Promise<Preview> =>
    read(
      await app.send("POST", "/api/checkout/preview", {
        body: { items: [{ productId: mug, quantity: 2 }], ...fields },
      }),
    );
  const checkout = (fields: object = {}): Promise<Response> =>
    app.send("POST", "/api/checkout", {
      body: { items: [{ productId: mug, quantity: 2 }], contact: { email: "ann@example.org" }, ...fields },
    });
  const create = async (fields: object): Promise<string> => {
    const body = { title: "Parcel", steps: [{ from: 0, price: 490 }], ...fields };
    return (await read<{ id: string }>(await app.admin("POST", PATH, body), 201)).id;
  };
  beforeEach(async () => {
    app = await createTestShop();
    await setProvider(app);
    await app.setSite({ shippingFee: 999, languages: ["en", "de"] });
    mug = (await addProduct(app, { deliveryType: "shipping", weightGrams: 400 })).id;
    id = await create({
      countries: ["DE", "AT"],
      by: "weight",
      translations: { de: { title: "Paket" } },
      steps: [
        { from: 0, price: 490 },
        { from: 800, price: 690 },
      ],
    });
  });

  it("price a cart by country, in the buyer's language, the cheapest unless another is chosen", async () => {
    const express = await create({ title: "Express", steps: [{ from: 0, price: 1_500 }] });
    const shown = await preview({ country: "DE", language: "de" });
    assert.deepEqual(
      shown.shippingMethods.map(({ title, price }) => [title, price]),
      [
        ["Paket", 690],
        ["Express", 1_500],
      ],
    );
    assert.deepEqual([shown.shipping, shown.shippingMethodId, shown.isEstimate], [690, id, false]);
    assert.equal((await preview({ country: "FR" })).shipping, 1_500);
    assert.equal((await preview({ country: "DE", shippingMethodId: express })).shipping, 1_500);
    const { order } = await read<{ order: Record<string, unknown> }>(
      await checkout({ shippingAddress: address, shippingMethodId: express, expectedTotal: 3_500 }),
      201,
    );
    assert.deepEqual(
      [order["shipping"], order["shippingMethodId"], order["shippingTitle"], order["total"]],
      [1_500, express, "Express", 3_500],
    );
  });

  it("need no country for a preview, which then is an estimate; a checkout asks for the address", async () => {
    const shown = await preview();
    assert.deepEqual([shown.isEstimate, shown.shipping], [true, 690]);
    assert.deepEqual(await code(await checkout({ country: "DE" })), [422, "invalid"]);
  });

  it("refuse countries without a method, and methods that do not go there, by name", async () => {
    const away = await checkout({ shippingAddress: { ...address, country: "CH" } });
    const problem = await read<{ detail: string; errors: { pointer: string; code: string }[] }>(away, 422);
    assert.match(problem.detail, /CH/u);
    assert.deepEqual(
      problem.errors.map(({ pointer, code: each }) => [pointer, each]),
      [["/shippingAddress/country", "no_shipping_method"]],
    );
    const wrong = await checkout({ shippingAddress: address, shippingMethodId: "shm_none" });
    assert.equal(
      (await read<{ errors: { pointer: string }[] }>(wrong, 422)).errors[0]?.pointer,
      "/shippingMethodId",
    );
  });

  it("leave shippingFee as it was while none is switched on, and goods that are not sent alone", async () => {
    await read(await app.admin("PATCH", `${PATH}/${id}`, { enabled: false }));
    const shown = await preview();
    assert.deepEqual([shown.shipping, shown.isEstimate, shown.shippingMethods], [999, false, []]);
    await read(await app.admin("PATCH", `${PATH}/${id}`, { enabled: true }));
    mug = (await addProduct(app, { id: "prd_digital" })).id;
    assert.deepEqual([(await preview()).shipping, (await preview()).shippingMethodId], [0, undefined]);
  });

  it("are public by country, without disabled ones", async () => {
    await create({ title: "Off", enabled: false });
    const list = async (query: string): Promise<string[]> =>
      (
        await read<{ items: { title: string }[] }>(
          await app.send("GET", `/api/site/shipping-methods${query}`),
        )
      ).items.map(({ title }) => title);
    assert.deepEqual(await list("?country=AT&language=de"), ["Paket"]);
    assert.deepEqual(await list(""), ["Parcel"]);
    assert.deepEqual(await list("?country=CH"), []);
    assert.deepEqual(await code(await app.send("GET", "/api/site/shipping-methods?country=Bern")), [
      422,
      "invalid",
    ]);
  });

  it("are kept with versions and an audit, and refuse what cannot be", async () => {
    assert.deepEqual(await code(await app.send("GET", PATH)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await app.admin("GET", `${PATH}/shm_none`)), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("DELETE", `${PATH}/shm_none`)), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/shm_none`, { enabled: false })), [
      404,
      "not_found",
    ]);
    const steps = [{ from: 5, price: 1 }];
    assert.deepEqual(await code(await app.admin("POST", PATH, { title: "X", steps })), [422, "invalid"]);
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/${id}`, { unknown: 1 })), [422, "invalid"]);
    const stale = { "if-match": '"1"' };
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/${id}`, { enabled: true }, stale)), [
      412,
      "version_conflict",
    ]);
    assert.deepEqual(await code(await app.admin("PATCH", `${PATH}/${id}`, { version: 1 })), [
      409,
      "version_conflict",
    ]);
    const changed = await app.admin("PATCH", `${PATH}/${id}`, { freeFrom: 900, limit: 5_000 });
    assert.equal((await read<{ freeFrom: number }>(changed)).freeFrom, 900);
    const cleared = await app.admin("PATCH", `${PATH}/${id}`, { freeFrom: null });
    assert.deepEqual(
      Object.entries(await read<Record<string, unknown>>(cleared)).filter(([name]) =>
        /freeFrom|limit/u.test(name),
      ),
      [["limit", 5_000]],
    );
    assert.equal((await app.admin("DELETE", `${PATH}/${id}`)).status, 204);
    assert.deepEqual((await read<{ items: unknown[] }>(await app.admin("GET", PATH))).items, []);
    const audit = await read<{ items: { action: string; changes: string[] }[] }>(
      await app.admin("GET", "/api/admin/audit"),
    );
    assert.ok(audit.items.some(({ changes }) => changes.includes("shipping")));
  });
});

/** Typing errors at the checkout: asked about once, and never a reason to lose an order. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findMailSlip } from "../../../src/shop/pages/checkout/mail-slips.ts";
import { findPostalExample } from "../../../src/shop/pages/checkout/postal-codes.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";
import { createShopBrowser, readFields } from "./shop-browser.ts";

async function listOrders(app: TestShop) {
  return (await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 50 }))).items;
}

const post = {
  id: "post",
  title: "Parcel",
  description: "",
  deliveryTime: "",
  translations: {},
  countries: [],
  excludedCountries: [],
  by: "value" as const,
  enabled: true,
  sortOrder: 0,
  steps: [{ from: 0, price: 0 }],
};

const SENT = {
  do: "order",
  "contact.email": "ann@example.org",
  country: "DE",
  "shippingAddress.name": "Ann",
  "shippingAddress.line1": "Road 1",
  "shippingAddress.city": "Town",
  "shippingAddress.postalCode": "10115",
};

async function openShop(product: Record<string, unknown> = {}) {
  const app = await createTestShop();
  await setProvider(app);
  await app.setSite({ shipping: { methods: [post] } });
  const mug = await addProduct(app, { deliveryType: "shipping", ...product });
  const browser = createShopBrowser(app);
  browser.fill([{ id: mug.id }]);
  return { app, browser };
}

describe("a mistyped address at the checkout", () => {
  it("causes one warning, and the same address is accepted the second time", async () => {
    const { app, browser } = await openShop();
    const page = await browser.open("/checkout");
    const asked = await browser.send(page, {
      ...SENT,
      "contact.email": "ben@gmial.com",
      "shippingAddress.postalCode": "ABC",
    });
    assert.equal(asked.status, 422);
    assert.match(asked.text, /Did you mean ben@gmail\.com\?/u);
    assert.match(asked.text, /Postal codes in this country \(Germany\) look like 10115/u);
    assert.equal((await listOrders(app)).length, 0);
    await browser.send(asked, { do: "order" });
    const [order = assert.fail()] = await listOrders(app);
    assert.equal(order.email, "ben@gmial.com");
    assert.equal(order.shippingAddress?.postalCode, "ABC");
  });

  it("is replaced by one button, which orders nothing", async () => {
    const { app, browser } = await openShop();
    const asked = await browser.send(await browser.open("/checkout"), {
      ...SENT,
      "contact.email": "ben@gmail",
    });
    assert.match(asked.text, /name="do" value="use:contact\.email">Use ben@gmail\.com</u);
    const taken = await browser.send(asked, { do: "use:contact.email" });
    assert.equal(taken.status, 200);
    assert.equal(readFields(taken.text)["contact.email"], "ben@gmail.com");
    assert.equal((await listOrders(app)).length, 0);
    await browser.send(taken, { do: "order" });
    assert.equal((await listOrders(app))[0]?.email, "ben@gmail.com");
  });

  it("causes a warning with all other errors, and again when it is another one", async () => {
    const { app, browser } = await openShop();
    const slip = { ...SENT, "contact.email": "ben@hotmal.com" };
    const both = await browser.send(await browser.open("/checkout"), { ...slip, "shippingAddress.city": "" });
    assert.match(both.text, /Enter a city/u);
    assert.match(both.text, /Did you mean ben@hotmail\.com\?/u);
    const other = await browser.send(both, { ...SENT, "contact.email": "ben@yaho.com" });
    assert.match(other.text, /Did you mean ben@yahoo\.com\?/u);
    await browser.send(other, { ...slip });
    assert.equal((await listOrders(app))[0]?.email, "ben@hotmal.com");
  });

  it("causes a warning in a product's fields too, without a message about a domain without an ending", async () => {
    const input = { key: "to", label: "Send to", kind: "email", required: true, options: [], maxLength: 90 };
    const { app, browser } = await openShop({ inputs: [input] });
    const field = "items.0.inputs.to";
    const asked = await browser.send(await browser.open("/checkout"), { ...SENT, [field]: "eve@intranet" });
    assert.match(asked.text, /href="#field-items\.0\.inputs\.to">eve@intranet doesn’t end in a domain/u);
    assert.doesNotMatch(asked.text, /value="use:/u);
    await browser.send(asked, { do: "order" });
    assert.equal((await listOrders(app)).length, 1);
  });
});

describe("the table of typing errors", () => {
  it("knows slips in domains of large providers, and leaves other domains alone", () => {
    const meant = {
      "a@gmial.com": "a@gmail.com",
      "a@gmai.com": "a@gmail.com",
      "a@gmaill.com": "a@gmail.com",
      "a@GMAIL.CON": "a@gmail.com",
      "a@outlok.com": "a@outlook.com",
      "a@t-onlin.de": "a@t-online.de",
      "a@yahoo.co.ku": "a@yahoo.co.uk",
      "a@firma.con": "a@firma.com",
      "a@gmail": "a@gmail.com",
    };
    for (const [typed, wanted] of Object.entries(meant))
      assert.equal(findMailSlip(typed)?.meant, wanted, typed);
    assert.deepEqual(findMailSlip("a@localhost"), {});
    for (const domain of ["gmail.com", "ymail.com", "mail.com", "email.com", "gmx.de", "web.de", "qq.com"])
      assert.equal(findMailSlip(`a@${domain}`), undefined, domain);
    for (const domain of ["hotmail.de", "yahoo.fr", "example.org", "me.com", "bücher.example", "gmx.ch"])
      assert.equal(findMailSlip(`a@${domain}`), undefined, domain);
    assert.equal(findMailSlip("gmial.com"), undefined);
  });

  it("takes codes as people write them, and asks about those of another form", () => {
    const right = {
      DE: ["10115", " 10115 ", "D-10115", "DE 10115"],
      GB: ["SW1A 1AA", "sw1a1aa", "M1 1AE", "BFPO 57"],
      NL: ["1012 AB", "1012ab"],
      CA: ["K1A-0B1"],
      US: ["10001", "10001-1234"],
      PL: ["00-950", "00950"],
      JP: ["100-0001", "１００－０００１", "〒100-0001"],
      SE: ["111 20", "SE-111 20"],
      PT: ["1000-001"],
      LV: ["LV-1010"],
      IE: ["D02 AF30", "D6W XY00"],
      LU: ["L-1111"],
      CN: ["100006"],
      FR: ["20000"],
      HK: ["anything"],
      XX: ["?"],
    };
    for (const [country, codes] of Object.entries(right))
      for (const code of codes)
        assert.equal(findPostalExample(country, code), undefined, `${country} ${code}`);
    assert.equal(findPostalExample("DE", "ABC"), "10115");
    assert.equal(findPostalExample("GB", "99999"), "SW1A 1AA");
    const wrong = { DE: "1011", AT: "10115", US: "1000", CA: "10115", FR: "2A004", NL: "1012" };
    for (const [country, code] of Object.entries(wrong))
      assert.notEqual(findPostalExample(country, code), undefined, `${country} ${code}`);
  });
});

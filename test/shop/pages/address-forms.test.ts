/** Addresses as their countries ask for them and write them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findAddressForm, namePart, toAddressRows } from "../../../src/shop/base/address-formats.ts";
import { countryCodes } from "../../../src/shop/base/countries.ts";
import { listRegions, needsRegion } from "../../../src/shop/base/regions.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import { createTestShop } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";
import { createShopBrowser, readFields } from "./shop-browser.ts";

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

async function openShop(language = "en") {
  const app = await createTestShop();
  await setProvider(app);
  const site = await app.store.read(readSite);
  await app.setSite({
    languages: ["en", "de", "zh"],
    shipping: { methods: [post] },
    seller: { ...site.seller, country: "DE" },
    invoices: { ...site.invoices, enabled: true },
  });
  const mug = await addProduct(app, { deliveryType: "shipping" });
  const browser = createShopBrowser(app, { language });
  browser.fill([{ id: mug.id }]);
  return { app, browser };
}

const NAMES = /<(?:input|select)[^>]*name="shippingAddress\.(\w+)"/gu;

describe("the form of an address", () => {
  it("asks for the parts of the country, in its order and words", async () => {
    const { browser } = await openShop();
    const wanted: Record<string, [string, RegExp]> = {
      DE: ["name company line1 line2 postalCode city phone", /Postal code</u],
      US: ["name company line1 line2 city region postalCode phone", /ZIP code<[\s\S]*|State</u],
      GB: ["name company line1 line2 city postalCode phone", /Postal code</u],
      IT: ["name company line1 line2 postalCode city region phone", /Province</u],
      JP: ["name company postalCode region city line1 line2 phone", /Prefecture</u],
      IE: ["name company line1 line2 city region postalCode phone", /County \(optional\)</u],
      AE: ["name company line1 line2 city region phone", /Emirate</u],
    };
    const page = await browser.open("/checkout");
    for (const [country, [names, word]] of Object.entries(wanted)) {
      const asked = await browser.send(page, { do: "update", country });
      const shown = Array.from(asked.text.matchAll(NAMES), ([, part]) => part).join(" ");
      assert.equal(shown, names, country);
      assert.match(asked.text, word, country);
    }
  });

  it("offers states as a list, keeps another one that was typed, and asks for one where mail needs it", async () => {
    const { app, browser } = await openShop();
    const typed = {
      country: "US",
      "contact.email": "ann@example.org",
      "shippingAddress.name": "Ann",
      "shippingAddress.line1": "1 Main St",
      "shippingAddress.city": "Albany",
      "shippingAddress.postalCode": "12207",
    };
    const opened = await browser.open("/checkout");
    const listed = await browser.send(opened, { ...typed, do: "update" });
    assert.match(listed.text, /<option value="NY">New York<\/option>/u);
    const lacking = await browser.send(listed, { ...typed, do: "order" });
    assert.equal(lacking.status, 422);
    assert.match(lacking.text, /href="#field-shippingAddress\.region">Select or enter a state/u);
    const other = await browser.send(lacking, { ...typed, "shippingAddress.region": "N.Y.", do: "update" });
    assert.equal(readFields(other.text)["shippingAddress.region"], "N.Y.");
    // An entry of another country's list is left over.
    for (const country of ["JP", "DE"]) {
      const moved = await browser.send(other, { country, "shippingAddress.region": "NY", do: "update" });
      assert.equal(readFields(moved.text)["shippingAddress.region"] ?? "", "", country);
      assert.doesNotMatch(moved.text, /value="NY"/u, country);
    }
    await browser.send(other, { ...typed, "shippingAddress.region": "NY", do: "order" });
    const [order] = (await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 1 }))).items;
    const shown = await browser.open(`/orders/${order?.number ?? ""}`);
    assert.match(shown.text, /Ann\n1 Main St\nAlbany, NY 12207\nUnited States/u);
    assert.equal(order?.shippingAddress?.region, "NY");
  });

  it("reads in the visitor's language what a list has in another script", async () => {
    for (const [language, option] of [
      ["en", "Tokyo \\(東京都\\)"],
      ["zh", "東京都"],
    ] as const) {
      const { browser } = await openShop(language);
      const page = await browser.send(await browser.open("/checkout"), { do: "update", country: "JP" });
      assert.match(page.text, new RegExp(`<option value="東京都">${option}</option>`, "u"));
    }
  });
});

describe("a wrong Leitweg-ID at the checkout", () => {
  it("is named with its reason", async () => {
    for (const [language, words] of [
      ["en", /its check digits don’t match/u],
      ["de", /Die Prüfziffern stimmen nicht/u],
      ["zh", /校验位不匹配/u],
    ] as const) {
      const { browser } = await openShop(language);
      const page = await browser.open("/checkout");
      const refused = await browser.send(page, {
        do: "order",
        country: "DE",
        "contact.email": "ann@example.org",
        buyerReference: "04011000-1234512345-07",
      });
      assert.equal(refused.status, 422);
      assert.match(refused.text, words);
    }
  });
});

describe("the rows of an address", () => {
  const ann = { name: "Ann Lee", line1: "1 Main St", city: "Town", postalCode: "12345", region: "RG" };
  it("follow the country", () => {
    const rows: Record<string, string[]> = {
      DE: ["12345 Town", "RG"],
      US: ["Town, RG 12345"],
      GB: ["Town", "12345", "RG"],
      AU: ["Town RG 12345"],
      BR: ["Town-RG", "12345"],
      IT: ["12345 Town RG"],
      CN: ["Town", "RG", "12345"],
      GA: ["Town 12345", "RG"],
      XX: ["12345 Town", "RG"],
    };
    for (const [country, place] of Object.entries(rows))
      assert.deepEqual(toAddressRows({ ...ann, country }), ["Ann Lee", "1 Main St", ...place], country);
    assert.deepEqual(toAddressRows({ ...ann, postalCode: "", region: "", country: "US" }).at(-1), "Town");
    const japanese = {
      name: "山田",
      line1: "千代田1-1",
      city: "千代田区",
      region: "東京都",
      postalCode: "100-0001",
    };
    assert.deepEqual(toAddressRows({ ...japanese, country: "JP" }), [
      "〒100-0001",
      "東京都 千代田区",
      "千代田1-1",
      "山田",
    ]);
  });

  it("keep every part that somebody entered, in every country", () => {
    for (const country of countryCodes)
      for (const line1 of ["1 Main St", "千代田1-1"]) {
        const text = toAddressRows({ ...ann, line1, company: "Co", line2: "Flat", country }).join("\n");
        for (const part of ["Ann Lee", "Co", line1, "Flat", "12345", "Town", "RG"])
          assert.equal(
            text.split(part).length - 1,
            part === "Co" ? text.split("Co").length - 1 : 1,
            `${country} ${part}\n${text}`,
          );
      }
  });

  it("are asked for with a list wherever one is needed", () => {
    for (const country of countryCodes) {
      const { parts } = findAddressForm(country);
      assert.equal(new Set(parts).size, parts.length, country);
      if (!needsRegion(country)) continue;
      assert.ok(parts.includes("region"), country);
      assert.ok((listRegions(country)?.length ?? 0) > 2, country);
      assert.notEqual(
        namePart("region", country),
        country === "KR" || country === "TW" ? "" : "region",
        country,
      );
    }
  });
});

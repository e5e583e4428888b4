/** What a VAT ID takes off an order: nothing unless the shop chose so, and a company with its address goes with it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { orders } from "../../../src/shop/orders/records.ts";
import type { SiteSettings } from "../../../src/shop/site/schema.ts";
import { taxSettingsSchema } from "../../../src/shop/site/selling-schema.ts";
import { readSettings } from "../../../src/shop/site/settings.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

const atelier = {
  name: "Eva",
  company: "Werkstatt GmbH",
  line1: "Weg 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
};
const GERMAN = "DE136695976";

interface Priced {
  readonly total: number;
  readonly tax: { readonly rates: readonly { readonly kind: string; readonly country: string }[] };
}
interface Refused {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly code: string }[];
}

let app: TestShop;
let licence: string;
let poster: string;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  licence = (await addProduct(app, { price: 9_900 })).id;
  poster = (await addProduct(app, { price: 9_900, deliveryType: "shipping" })).id;
  await set({ vatIds: "checked" });
});

async function set(tax: Partial<SiteSettings["tax"]>): Promise<void> {
  const { fields } = await app.store.read((tx) => readSettings(tx, "site"));
  await app.setSite({
    seller: { ...fields.seller, country: "FR" },
    tax: taxSettingsSchema.parse({ enabled: true, ...tax }),
  });
}

/** Kind and total of an order, or where and why it is refused. */
async function order(body: object, { as }: { as?: string } = {}): Promise<[string, number | string]> {
  const whole = { items: [{ productId: licence, quantity: 1 }], contact: { email: "a@b.example" }, ...body };
  const response = await app.send("POST", "/api/checkout", { body: whole, as });
  if (response.status === 201) {
    const { order: placed } = await read<{ order: Priced }>(response, 201);
    return [placed.tax.rates[0]?.kind ?? "", placed.total];
  }
  const { errors } = await read<Refused>(response, 422);
  return [errors[0]?.pointer ?? "", errors[0]?.code ?? ""];
}

async function preview(body: object): Promise<[string, number]> {
  const whole = { items: [{ productId: licence, quantity: 1 }], ...body };
  const shown = await read<Priced>(await app.send("POST", "/api/checkout/preview", { body: whole }));
  return [shown.tax.rates[0]?.kind ?? "", shown.total];
}

describe("a VAT ID", () => {
  it("takes nothing off until the seller chooses so", async () => {
    await set({});
    const typed = { vatId: "de 136 695 976", billingAddress: atelier };
    assert.deepEqual(await order(typed), ["taxed", 9_900]);
    assert.deepEqual(await preview(typed), ["taxed", 9_900]);
    assert.deepEqual(await order({ vatId: "DE123456789" }), ["/vatId", "digits"]);
  });

  it("of a company abroad takes the tax off, for guests and for who is signed in", async () => {
    for (const as of [undefined, "ann"]) {
      const typed = { vatId: " de-136.695 976", billingAddress: atelier };
      assert.deepEqual(await preview(typed), ["reverse_charge", 8_250]);
      assert.deepEqual(await order(typed, as === undefined ? {} : { as }), ["reverse_charge", 8_250]);
    }
    const { items } = await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 10 }));
    assert.deepEqual(
      items.map(({ vatId }) => vatId),
      [GERMAN, GERMAN],
    );
  });

  const sentTo = { items: [{ productId: "poster", quantity: 1 }], shippingAddress: atelier };
  const cases: readonly [string, object, [string, number | string]][] = [
    ["alone", { vatId: GERMAN }, ["/billingAddress", "required"]],
    ["with a country alone", { vatId: GERMAN, country: "DE" }, ["/billingAddress", "required"]],
    [
      "of a person",
      { vatId: GERMAN, billingAddress: { ...atelier, company: " " } },
      ["/billingAddress/company", "required"],
    ],
    [
      "of a parcel's person",
      { ...sentTo, vatId: GERMAN, shippingAddress: { ...atelier, company: undefined } },
      ["/shippingAddress/company", "required"],
    ],
    ["with goods to a company", { ...sentTo, vatId: GERMAN }, ["intra_community", 8_250]],
    [
      "with an address elsewhere",
      { vatId: GERMAN, billingAddress: { ...atelier, country: "AT" } },
      ["/vatId", "country"],
    ],
    [
      "with goods that stay at home",
      { ...sentTo, vatId: GERMAN, shippingAddress: { ...atelier, country: "FR" }, billingAddress: atelier },
      ["taxed", 9_900],
    ],
    ["of the example", { vatId: "DE123456789", billingAddress: atelier }, ["/vatId", "digits"]],
    ["that is too short", { vatId: "DE13669597", billingAddress: atelier }, ["/vatId", "form"]],
    [
      "that begins with GR",
      { vatId: "GR094259216", billingAddress: { ...atelier, country: "GR" } },
      ["/vatId", "greek"],
    ],
    [
      "of Greece",
      { vatId: "EL094259216", billingAddress: { ...atelier, country: "GR" } },
      ["reverse_charge", 8_250],
    ],
    ["without its letters", { vatId: "136695976", billingAddress: atelier }, ["/vatId", "prefix"]],
    ["of the seller's own country", { vatId: "FR40303265045" }, ["taxed", 9_900]],
    [
      "of Switzerland",
      { vatId: "CHE-116.281.710 MWST", billingAddress: { ...atelier, country: "CH" } },
      ["export", 8_250],
    ],
    [
      "of Northern Ireland, for services",
      { vatId: "XI980780684", billingAddress: { ...atelier, country: "GB" } },
      ["export", 8_250],
    ],
    [
      "of Northern Ireland, for goods to Belfast",
      {
        ...sentTo,
        vatId: "XI 980 7806 84",
        shippingAddress: { ...atelier, country: "GB", postalCode: "bt1 5gs" },
      },
      ["intra_community", 8_250],
    ],
    [
      "of Northern Ireland with an address in Germany",
      { vatId: "XI980780684", billingAddress: atelier },
      ["/vatId", "country"],
    ],
  ];
  for (const [name, { items, ...rest }, expected] of cases.map(
    ([words, body, result]): [string, { items?: unknown }, [string, number | string]] => [
      words,
      body,
      result,
    ],
  ))
    it(`${name}: ${expected.join(" ")}`, async () => {
      const body = items === undefined ? rest : { ...rest, items: [{ productId: poster, quantity: 1 }] };
      assert.deepEqual(await order(body), expected);
    });

  it("shows the price with tax while the company is not typed yet", async () => {
    assert.deepEqual(await preview({ vatId: GERMAN, country: "DE" }), ["taxed", 9_900]);
    assert.deepEqual(await preview({ vatId: GERMAN, billingAddress: atelier }), ["reverse_charge", 8_250]);
  });

  it("needs no company of a small business, which charges no tax", async () => {
    await set({ vatIds: "checked", smallBusiness: true });
    assert.deepEqual(await order({ vatId: GERMAN }), ["exempt", 9_900]);
  });
});

describe("the VAT ID on the page", () => {
  const typed = { do: "order", "contact.email": "eva@example.org", country: "DE" };

  it("keeps what was typed and says what is wrong, then takes the tax off", async () => {
    const browser = createShopBrowser(app);
    browser.fill([{ id: licence }]);
    const page = await browser.open("/checkout");
    assert.doesNotMatch(page.text, /DE123456789|ATU12345678/u);
    const wrong = await browser.send(page, { ...typed, vatId: "de 123 456 789" });
    assert.match(wrong.text, /check digits don’t match/u);
    assert.match(wrong.text, /value="de 123 456 789"/u);
    const lonely = await browser.send(wrong, { ...typed, vatId: "de 136 695 976" });
    assert.match(lonely.text, /Enter your company’s name/u);
    assert.match(lonely.text, /€99\.00/u);
    const company = {
      ...typed,
      "billingAddress.name": "Eva",
      "billingAddress.company": "Werkstatt GmbH",
      "billingAddress.line1": "Weg 1",
      "billingAddress.city": "Berlin",
      "billingAddress.postalCode": "10115",
    };
    const changed = await browser.send(lonely, company);
    assert.match(changed.text, /€82\.50/u);
    assert.match((await browser.send(changed, { do: "order" })).path, /^\/orders\//u);
    const { items } = await app.store.read((tx) => tx.list(orders, "byCreated", { limit: 10 }));
    assert.deepEqual([items[0]?.vatId, items[0]?.total], [GERMAN, 8_250]);
  });

  it("says in the hint what an ID is for", async () => {
    const browser = createShopBrowser(app);
    browser.fill([{ id: licence }]);
    assert.match((await browser.open("/checkout")).text, /other EU countries aren’t charged VAT/u);
    await set({});
    assert.doesNotMatch((await browser.open("/checkout")).text, /other EU countries aren’t charged VAT/u);
  });
});

describe("shops of the release before", () => {
  it("learn that VAT IDs no longer deduct anything, until they choose", async () => {
    await set({ reverseCharge: true });
    const codes = async (): Promise<string[]> => {
      const site: { warnings: { code: string }[] } = await read(await app.admin("GET", "/api/admin/site"));
      return site.warnings.map((warning) => warning.code);
    };
    assert.ok((await codes()).includes("reverse_charge_off"));
    const change = (tax: object) => app.admin("PATCH", "/api/admin/site", { tax });
    assert.equal((await change({ reverseCharge: false })).status, 422);
    await read(await change({ vatIds: "off", reverseCharge: true }));
    assert.ok(!(await codes()).includes("reverse_charge_off"));
  });
});

/**
 * What the registration of a VAT ID changes: VIES says yes or no or nothing, or a person checks it, and nothing is
 * delivered before that where the shop wants so. The answers are those that VIES is known to give.
 */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { z } from "zod";
import type { OutboundOutcome, OutboundRequest } from "../../../src/kit/outbound/outbound.ts";
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import { askAgain } from "../../../src/shop/fulfilment/vat-jobs.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TaxSettings, taxSettingsSchema } from "../../../src/shop/site/selling-schema.ts";
import { readSettings } from "../../../src/shop/site/settings.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, setProvider } from "../goods.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

const company = {
  name: "Eva",
  company: "Werkstatt GmbH",
  line1: "Weg 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
};
const GERMAN = "DE136695976";

function answer(body: unknown, status = 200): OutboundOutcome {
  return { kind: "answered", status, text: typeof body === "string" ? body : JSON.stringify(body) };
}

const registered = answer({
  countryCode: "DE",
  vatNumber: "136695976",
  requestDate: "2026-11-28T10:00:00.000Z",
  valid: true,
  requestIdentifier: "WAPIAAAAZrT8p1Qx",
  name: "---",
  address: "---",
});
const unknown = answer({
  countryCode: "DE",
  vatNumber: "136695976",
  valid: false,
  name: "---",
  address: "---",
});

let app: TestShop;
let licence: string;
let outcome: OutboundOutcome;
let asked: OutboundRequest[];

beforeEach(async () => {
  asked = [];
  outcome = registered;
  const send = (request: OutboundRequest): Promise<OutboundOutcome> => {
    asked.push(request);
    return Promise.resolve(outcome);
  };
  app = await createTestShop({ paymentOutbound: { send } });
  await setProvider(app);
  await liftLimits(app);
  licence = (await addProduct(app, { price: 12_000, keys: ["KEY-1", "KEY-2", "KEY-3", "KEY-4", "KEY-5"] }))
    .id;
  await set({ vatIds: "vies" });
});

async function set(tax: Partial<TaxSettings>): Promise<void> {
  const { fields } = await app.store.read((tx) => readSettings(tx, "site"));
  await app.setSite({
    seller: { ...fields.seller, country: "FR", vatId: "FR40303265045" },
    tax: taxSettingsSchema.parse({ enabled: true, ...tax }),
  });
}

const consents = { digitalContent: true };
const typed = {
  contact: { email: "a@b.example" },
  consents,
  vatId: "de 136 695 976",
  billingAddress: company,
};
function withItem(body: object): object {
  return { items: [{ productId: licence, quantity: 1 }], ...body };
}

async function place(body: object = typed, from = "192.0.2.1"): Promise<OrderRecord> {
  const response = await app.send("POST", "/api/checkout", { body: withItem(body), from });
  const { order } = await read<{ order: { id: string } }>(response, 201);
  return get(order.id);
}

async function get(id: string): Promise<OrderRecord> {
  return (await app.store.read((tx) => tx.get(orders, id))) ?? assert.fail();
}

async function pay({ id }: OrderRecord): Promise<OrderRecord> {
  await read(await app.admin("POST", `/api/admin/orders/${id}/mark-paid`, { note: "" }));
  return get(id);
}

describe("VIES", () => {
  it("gets one request a day for an ID, with the seller's own, and the order keeps its consultation number", async () => {
    const order = await place();
    await place();
    assert.equal(order.total, 10_000);
    const at = app.clock.now();
    assert.deepEqual(order.vatCheck, { state: "valid", at, consultation: "WAPIAAAAZrT8p1Qx" });
    const body = z.object({ method: z.string(), url: z.string(), body: z.string() }).parse(asked[0]);
    assert.deepEqual(
      [asked.length, body.method, new URL(body.url).pathname],
      [1, "POST", "/taxation_customs/vies/rest-api/check-vat-number"],
    );
    assert.deepEqual(JSON.parse(body.body), {
      countryCode: "DE",
      vatNumber: "136695976",
      requesterMemberStateCode: "FR",
      requesterNumber: "40303265045",
    });
    const shown: { vatCheck: object } = await read(await app.admin("GET", `/api/admin/orders/${order.id}`));
    assert.deepEqual(shown.vatCheck, { ...order.vatCheck, at: toIsoTime(at) });
    app.clock.advance(86_400_000);
    await place();
    assert.equal(asked.length, 2);
  });

  it("gets no request about IDs that change nothing", async () => {
    await place({ contact: typed.contact, consents, billingAddress: company });
    await place({ contact: typed.contact, consents, vatId: "FR40303265045" });
    await app.send("POST", "/api/checkout/preview", { body: withItem({ vatId: GERMAN }) });
    await set({ vatIds: "checked" });
    await place();
    assert.equal(asked.length, 0);
  });

  it("refuses an ID that is not registered, on the page as well", async () => {
    outcome = unknown;
    const response = await app.send("POST", "/api/checkout", { body: withItem(typed) });
    const problem: { errors: { pointer: string; code: string }[] } = await read(response, 422);
    const [first] = problem.errors;
    assert.deepEqual([first?.pointer, first?.code], ["/vatId", "unregistered"]);
    const browser = createShopBrowser(app);
    browser.fill([{ id: licence }]);
    const fields = Object.entries(company).map(([name, value]) => [`billingAddress.${name}`, value]);
    const page = await browser.send(await browser.open("/checkout"), {
      ...Object.fromEntries(fields),
      do: "order",
      "contact.email": "eva@example.org",
      country: "DE",
      vatId: GERMAN,
    });
    assert.match(page.text, /the EU’s register of VAT IDs, doesn’t know this VAT ID/u);
  });

  const noVerdicts: readonly [string, OutboundOutcome][] = [
    [
      "a country that is away",
      answer({ actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] }),
    ],
    [
      "a busy country",
      answer({ actionSucceed: false, errorWrappers: [{ error: "MS_MAX_CONCURRENT_REQ" }] }, 500),
    ],
    ["a blocked address", answer({ isValid: false, userError: "IP_BLOCKED", name: "---" })],
    ["a time-out in the country", answer({ isValid: false, userError: "TIMEOUT" })],
    ["an error page", answer("<html>502</html>", 502)],
    ["a yes with an error's status", answer({ valid: true }, 503)],
    ["another form", answer({ valid: "yes" })],
    ["nothing at all", answer({})],
    ["no connection", { kind: "failed", reason: "ec.europa.eu does not answer" }],
  ];
  for (const [name, given] of noVerdicts)
    it(`charges the VAT, and says why, for ${name}: an ID is never called wrong by it`, async () => {
      outcome = given;
      const order = await place();
      assert.deepEqual([order.total, order.vatCheck?.state, order.vatId], [12_000, "away", GERMAN]);
      const { vatCheck }: { vatCheck: object } = await read(
        await app.send("POST", "/api/checkout/preview", { body: withItem(typed) }),
      );
      assert.deepEqual(vatCheck, { state: "away" });
      assert.deepEqual((await pay(order)).status, "delivered");
    });

  it("gets a limited number of requests for one address", async () => {
    outcome = unknown;
    const numbers = Array.from({ length: 31 }, (_, index) => `LU${toLuxembourg(100_000 + index)}`);
    const statuses: number[] = [];
    for (const vatId of numbers) {
      const body = withItem({ ...typed, vatId, billingAddress: { ...company, country: "LU" } });
      statuses.push((await app.send("POST", "/api/checkout/preview", { body, from: "192.0.2.9" })).status);
    }
    assert.deepEqual([statuses.slice(0, 30).every((status) => status === 422), statuses[30]], [true, 429]);
    assert.equal(asked.length, 30);
  });
});

/** A number of Luxembourg: six digits, and their rest by 89. */
function toLuxembourg(six: number): string {
  return `${six}${String(six % 89).padStart(2, "0")}`;
}

describe("a held order", () => {
  const away = answer({ actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] });

  it("is paid without VAT and delivers nothing until VIES says yes", async () => {
    await set({ vatIds: "vies", viesAway: "hold" });
    outcome = away;
    const order = await pay(await place());
    assert.deepEqual(
      [order.total, order.status, order.attention, order.vatCheck?.isHeld],
      [10_000, "paid", ["vat_id"], true],
    );
    const refused = await app.admin("POST", `/api/admin/orders/${order.id}/deliver`, { note: "" });
    assert.match((await read<{ detail: string }>(refused, 409)).detail, /resolve the flag vat_id/u);
    assert.equal(await askAgain(app.shop.deps, app.shop.vatChecks), 1);
    assert.equal((await get(order.id)).status, "paid");
    outcome = registered;
    await askAgain(app.shop.deps, app.shop.vatChecks);
    const freed = await get(order.id);
    assert.deepEqual(
      [freed.status, freed.attention, freed.vatCheck?.state, freed.vatCheck?.isHeld],
      ["delivered", [], "valid", undefined],
    );
    assert.equal(freed.lines[0]?.secretIds.length, 1);
    assert.equal(await askAgain(app.shop.deps, app.shop.vatChecks), 0);
  });

  it("waits for a person when VIES says no", async () => {
    await set({ vatIds: "vies", viesAway: "hold" });
    outcome = away;
    const order = await pay(await place());
    outcome = unknown;
    await askAgain(app.shop.deps, app.shop.vatChecks);
    const held = await get(order.id);
    assert.deepEqual([held.status, held.vatCheck?.state, held.attention], ["paid", "invalid", ["vat_id"]]);
    assert.equal(await askAgain(app.shop.deps, app.shop.vatChecks), 0);
  });

  it("is delivered when a person resolves its flag", async () => {
    await set({ vatIds: "review" });
    const placed = await place();
    assert.deepEqual([placed.attention, asked.length], [[], 0]);
    const order = await pay(placed);
    assert.deepEqual([order.status, order.vatCheck?.state], ["paid", "unchecked"]);
    const body = { flags: ["vat_id"], note: "found in VIES" };
    await read(await app.admin("POST", `/api/admin/orders/${order.id}/resolve`, body));
    const freed = await get(order.id);
    assert.deepEqual([freed.status, freed.attention, freed.vatCheck?.state], ["delivered", [], "valid"]);
  });

  it("says so before it is ordered", async () => {
    await set({ vatIds: "review" });
    const { vatCheck }: { vatCheck: object } = await read(
      await app.send("POST", "/api/checkout/preview", { body: withItem(typed) }),
    );
    assert.deepEqual(vatCheck, { state: "unchecked", isHeld: true });
  });
});

describe("the rounding of VAT", () => {
  it("is fixed with the first invoice", async () => {
    const { fields } = await app.store.read((tx) => readSettings(tx, "site"));
    const seller = { ...fields.seller, name: "Atelier", line1: "Rue 1", city: "Paris" };
    await app.setSite({ seller, invoices: { ...fields.invoices, enabled: true } });
    const change = (rounding: string) => app.admin("PATCH", "/api/admin/site", { tax: { rounding } });
    await read(await change("document"));
    await pay(await place());
    assert.match(
      (await read<{ detail: string }>(await change("line"), 409)).detail,
      /after the first invoice/u,
    );
    await read(await change("document"));
  });
});

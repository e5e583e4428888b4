/** What a buyer has to agree to, what the order keeps of it, and what the first mail says by law. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { euWords } from "../../../src/shop/eu/words.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, sendNotice, setProvider, toNotice } from "../goods.ts";

const EMAIL = "ann@example.org";
let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
});

interface Order {
  id: string;
  number: string;
  total: number;
  currency: string;
  lines: { withdrawal?: string }[];
  consents?: {
    orderButton: string;
    digitalContent?: { at: string; wording: string };
    terms?: { pageVersion: number; wording?: string };
  };
  withdrawal?: { isOpen: boolean; endsAt?: string };
}

const buy = (productId: string, more: object = {}): Promise<Response> =>
  app.send("POST", "/api/checkout", {
    body: { items: [{ productId, quantity: 1 }], contact: { email: EMAIL }, ...more },
  });
const bought = async (productId: string, more: object = {}) =>
  read<{ order: Order; accessToken: string }>(await buy(productId, more), 201);
const agreed = { consents: { digitalContent: true } };
const mailOf = async (kind: string) =>
  (await app.mails(EMAIL)).find((mail) => mail.kind === kind)?.text ?? "";

describe("consents of a checkout", () => {
  it("are shown by the preview, with the button, in the language of the buyer", async () => {
    await app.setSite({ languages: ["en", "de", "zh"] });
    const { id } = await addProduct(app, { keys: ["K-1"] });
    const preview = async (body: object) =>
      read<{ consents: { name: string; wording: string }[]; orderButton?: string }>(
        await app.send("POST", "/api/checkout/preview", {
          body: { items: [{ productId: id, quantity: 1 }], ...body },
        }),
      );
    for (const language of ["en", "de", "zh"] as const) {
      const { consents, orderButton } = await preview({ language });
      const { digitalContent: wording, orderButton: button } = euWords[language];
      assert.deepEqual([consents, orderButton], [[{ name: "digitalContent", wording }], button]);
    }
    await app.admin("PATCH", "/api/admin/site", { eu: { termsConsent: true } });
    assert.deepEqual(
      (await preview({})).consents.map(({ name }) => name),
      ["digitalContent", "terms"],
    );
    await app.admin("PATCH", "/api/admin/site", { eu: { mode: "off" } });
    const off = await preview({});
    assert.deepEqual([off.consents, off.orderButton], [[], undefined]);
  });

  it("are needed for digital content that is handed over at once, and for nothing else", async () => {
    const key = await addProduct(app, { keys: ["K-1", "K-2", "K-3"] });
    for (const more of [{}, { consents: {} }, { consents: { digitalContent: false } }]) {
      const answer = await buy(key.id, more);
      const { errors } = await read<{ errors: { pointer: string }[] }>(answer, 422);
      assert.equal(errors[0]?.pointer, "/consents/digitalContent");
    }
    assert.deepEqual((await bought(key.id, agreed)).order.lines[0]?.withdrawal, "waived");
    const mug = await addProduct(app, {});
    assert.equal((await bought(mug.id)).order.lines[0]?.withdrawal, "open");
    await app.setSite({ maxPending: { user: 99, address: 99, email: 99 } });
    const sealed = await addProduct(app, { keys: ["K-4"], excludedFromWithdrawal: true });
    const { order } = await bought(sealed.id);
    assert.equal(order.lines[0]?.withdrawal, "excluded");
    await app.setSite({ currency: "EUR" });
    await app.admin("PATCH", "/api/admin/site", { eu: { mode: "off" } });
    const free = (await bought(key.id)).order;
    assert.deepEqual([free.lines[0]?.withdrawal, free.consents], [undefined, undefined]);
  });

  it("stay on the order with time, wording and the version of the terms, whatever changes later", async () => {
    const page = { slug: "terms", title: "Terms", body: "One" };
    await app.admin("PATCH", "/api/admin/site", { pages: [page] });
    const { id } = await addProduct(app, { keys: ["K-1"] });
    const { order, accessToken } = await bought(id, agreed);
    await app.admin("PATCH", "/api/admin/site", { pages: [{ ...page, body: "Two" }] });
    const kept = await read<Order>(
      await app.send("GET", `/api/orders/${order.id}`, { headers: { "x-order-token": accessToken } }),
    );
    const at = "2026-01-31T12:00:00.000+00:00";
    assert.deepEqual(kept.consents, {
      orderButton: euWords.en.orderButton,
      digitalContent: { at, wording: euWords.en.digitalContent },
      terms: { at, pageVersion: 1 },
    });
    assert.deepEqual(kept.withdrawal, { isOpen: true });
  });

  it("take the terms when the shop wants that, and keep the words", async () => {
    await app.admin("PATCH", "/api/admin/site", {
      eu: { termsConsent: true },
      pages: [{ slug: "terms", title: "Terms", body: "One" }],
    });
    const { id } = await addProduct(app, {});
    assert.equal((await buy(id)).status, 422);
    const { order } = await bought(id, { consents: { terms: true } });
    assert.equal(order.consents?.terms?.wording, euWords.en.terms);
  });
});

describe("the mail that confirms an order", () => {
  const seller = { name: "Corner Ltd", line1: "Road 1", postalCode: "10115", city: "Berlin", country: "DE" };

  it("has seller, consent, instructions, form and terms, in three languages", async () => {
    await app.setSite({ languages: ["en", "de", "zh"], timeZone: "Europe/Berlin" });
    await app.admin("PATCH", "/api/admin/site", {
      seller: { ...seller, vatId: "DE123456789" },
      eu: { withdrawalUrl: "/withdraw" },
      pages: [
        {
          slug: "terms",
          title: "Terms",
          body: "We sell **mugs**.",
          translations: { de: { title: "AGB", body: "Wir verkaufen Tassen." } },
        },
      ],
    });
    const { id } = await addProduct(app, { keys: ["K-1", "K-2", "K-3"] });
    const expected = {
      en: [/Seller: Corner Ltd, Road 1, 10115 Berlin, DE/u, /Model withdrawal form/u, /We sell \*\*mugs/u],
      de: [/USt-IdNr\.: DE123456789/u, /Muster-Widerrufsformular/u, /AGB\n\nWir verkaufen Tassen/u],
      zh: [/卖方/u, /撤回声明范本/u, /We sell/u],
    };
    await app.setSite({ maxPending: { user: 99, address: 99, email: 99 } });
    for (const language of ["en", "de", "zh"] as const) {
      const { order } = await bought(id, { ...agreed, language });
      const mail = (await app.mails(EMAIL)).find(({ subject }) => subject.includes(order.number));
      const text = mail?.text ?? "";
      assert.ok(text.includes(`“${euWords[language].digitalContent}”`), text);
      assert.ok(text.includes("https://shop.example.org/withdraw"));
      assert.ok(text.includes(order.number));
      for (const pattern of expected[language]) assert.match(text, pattern);
      assert.doesNotMatch(text, /\{\w+\}/u);
    }
  });

  it("has the shop's own instructions when there is such a page, and no law where it is off", async () => {
    await app.admin("PATCH", "/api/admin/site", {
      pages: [{ slug: "withdrawal", title: "Ours", body: "Send it back." }],
    });
    const { id } = await addProduct(app, {});
    await bought(id);
    assert.match(await mailOf("order_placed"), /Ours\n\nSend it back\.\n\nModel withdrawal form/u);
    await app.admin("PATCH", "/api/admin/site", { eu: { mode: "off" } });
    const { order } = await bought(id);
    const mail = (await app.mails(EMAIL)).find(({ subject }) => subject.includes(order.number));
    assert.doesNotMatch(mail?.text ?? "", /withdraw|Seller/u);
  });

  it("is the only one that says it, and the first one that is sent", async () => {
    const { id } = await addProduct(app, { keys: ["K-1", "K-2"] });
    const { order } = await bought(id, agreed);
    await sendNotice(app, toNotice(order));
    assert.match(await mailOf("order_placed"), /Model withdrawal form/u);
    assert.doesNotMatch(await mailOf("order_delivered"), /Model withdrawal form/u);
    await app.admin("PATCH", "/api/admin/smtp", { notify: { order_placed: false } });
    const second = await bought(id, agreed);
    await sendNotice(app, toNotice(second.order));
    const mails = await app.mails(EMAIL);
    const mail = mails.find(({ subject }) => subject.includes(second.order.number));
    assert.equal(mail?.kind, "order_delivered");
    assert.match(mail.text, /K-2[^]*Model withdrawal form/u);
  });
});

describe("what a shop front must know", () => {
  it("is part of the public settings", async () => {
    const { eu } = await read<{ eu: object }>(await app.send("GET", "/api/site/settings"));
    assert.deepEqual(eu, { isOn: true, withdrawalDays: 14, termsConsent: false, words: euWords });
    await app.setSite({ currency: "USD" });
    const usd = await read<{ eu: { isOn: boolean } }>(await app.send("GET", "/api/site/settings"));
    assert.equal(usd.eu.isOn, false);
  });
});

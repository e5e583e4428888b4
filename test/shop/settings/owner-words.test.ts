/** What helps an owner to set the shop up: words by language, the order of providers, drafts of pages, VAT, mails that are taken back. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createShopBrowser } from "../pages/shop-browser.ts";
import { addProduct } from "../goods.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

const SITE = "/api/admin/site";

async function addBank(app: TestShop): Promise<void> {
  const bank = {
    kind: "manual",
    title: "Bank transfer",
    instructions: "IBAN DE00, name the number",
    translations: { de: { title: "Überweisung", instructions: "IBAN DE00, Nummer angeben" }, zh: {} },
  };
  await read(await app.admin("PUT", `${SITE}/providers/bank`, bank));
}

const words = async (app: TestShop): Promise<string[]> => {
  const site = await read<{ paymentProviders: { word: string }[] }>(await app.admin("GET", SITE));
  return site.paymentProviders.map(({ word }) => word);
};

describe("payment methods that buyers see", () => {
  it("are the same by the API and at the checkout: none that says neither where nor how to pay beside others", async () => {
    const app = await createTestShop();
    const product = await addProduct(app, { stockMode: "unlimited" });
    const listWords = async (): Promise<string[]> =>
      (
        await read<{ items: { word: string }[] }>(await app.send("GET", "/api/site/payment-methods"))
      ).items.map(({ word }) => word);
    const onPage = async (): Promise<string[]> => {
      const browser = createShopBrowser(app);
      browser.fill([{ id: product.id }]);
      const { text } = await browser.open("/checkout");
      const all = [...text.matchAll(/name="paymentMethod" value="([^"]*)"/gu)].map(([, word = ""]) => word);
      return all.length > 0 ? all : (await listWords()).slice(0, 1);
    };
    const choose = async (): Promise<string> => {
      const body = { items: [{ productId: product.id, quantity: 1 }], contact: { email: "ann@example.org" } };
      const { order } = await read<{ order: { paymentMethod: string } }>(
        await app.send("POST", "/api/checkout", { body }),
        201,
      );
      return order.paymentMethod;
    };
    assert.deepEqual(await listWords(), ["generic"], "there is nothing else");
    await addBank(app);
    assert.deepEqual(await listWords(), ["bank"]);
    assert.deepEqual(await onPage(), ["bank"]);
    assert.equal(await choose(), "bank");
    const fields = { instructions: "Pay at the counter" };
    await read(await app.admin("PATCH", `${SITE}/providers/generic`, fields));
    assert.deepEqual(await listWords(), ["generic", "bank"]);
    assert.deepEqual(await onPage(), ["generic", "bank"]);
  });
});

describe("words of payment providers", () => {
  it("are in the requested language, otherwise as they are", async () => {
    const app = await createTestShop();
    await addBank(app);
    const methods = async (query: string): Promise<{ title: string; instructions: string }[]> => {
      const path = `/api/site/payment-methods${query}`;
      const page = await read<{ items: { word: string; title: string; instructions: string }[] }>(
        await app.send("GET", path),
      );
      return page.items.flatMap(({ word, title, instructions }) =>
        word === "bank" ? [{ title, instructions }] : [],
      );
    };
    const german = [{ title: "Überweisung", instructions: "IBAN DE00, Nummer angeben" }];
    const plain = [{ title: "Bank transfer", instructions: "IBAN DE00, name the number" }];
    assert.deepEqual(await methods("?language=de-AT"), german);
    assert.deepEqual(await methods("?language=zh"), plain);
    assert.deepEqual(await methods(""), plain);
    assert.deepEqual(await code(await app.send("GET", "/api/site/payment-methods?language=%00")), [
      422,
      "invalid",
    ]);
  });

  it("tell a buyer in the language of the order how to pay, in the answer and by mail", async () => {
    const app = await createTestShop();
    await app.setSite({ languages: ["en", "de"] });
    await addBank(app);
    const product = await addProduct(app, { stockMode: "unlimited" });
    const body = {
      items: [{ productId: product.id, quantity: 1 }],
      contact: { email: "ann@example.org" },
      paymentMethod: "bank",
      language: "de",
    };
    const { payment } = await read<{ payment: { instructions: string } }>(
      await app.send("POST", "/api/checkout", { body, headers: { "idempotency-key": "a-key-of-a-test" } }),
      201,
    );
    assert.equal(payment.instructions, "IBAN DE00, Nummer angeben");
    assert.match((await app.mails("ann@example.org"))[0]?.text ?? "", /IBAN DE00, Nummer angeben/u);
  });
});

describe("the order of payment providers", () => {
  it("is what was put last", async () => {
    const app = await createTestShop();
    await addBank(app);
    const put = (body: object): Promise<Response> => app.admin("POST", `${SITE}/provider-order`, body);
    assert.deepEqual(await words(app), ["generic", "demo", "bank"]);
    assert.equal((await put({ words: ["bank", "demo", "generic"] })).status, 204);
    assert.deepEqual(await words(app), ["bank", "demo", "generic"]);
    for (const wrong of [["bank", "demo"], ["bank", "demo", "demo"], ["bank", "demo", "other"], []])
      assert.deepEqual(await code(await put({ words: wrong })), [422, "invalid"]);
    assert.deepEqual(await code(await put({ words: ["generic", "demo", "bank"], version: 0 })), [
      409,
      "version_conflict",
    ]);
    assert.deepEqual(await words(app), ["bank", "demo", "generic"]);
  });
});

describe("the announcement", () => {
  it("is in the requested language, otherwise as it is", async () => {
    const app = await createTestShop();
    // null takes a member away, also where there was nothing before.
    const announcement = { text: "Sale", translations: { zh: "促销" }, startsAt: null, endsAt: null };
    await read(await app.admin("PATCH", SITE, { announcement }));
    const shown = async (query: string): Promise<string> => {
      const body = await read<{ announcement: { text: string } }>(
        await app.send("GET", `/api/site/announcement${query}`),
      );
      return body.announcement.text;
    };
    assert.equal(await shown("?language=zh-Hans"), "促销");
    assert.equal(await shown("?language=de"), "Sale");
    assert.equal(await shown(""), "Sale");
  });
});

describe("pages", () => {
  it("are drafted from the seller's details; missing ones are in brackets", async () => {
    const app = await createTestShop();
    const drafts = async (language: string): Promise<Record<string, string>> => {
      const page = await read<{ items: { slug: string; body: string }[] }>(
        await app.admin("GET", `${SITE}/pages/drafts?language=${language}`),
      );
      return Object.fromEntries(page.items.map(({ slug, body }) => [slug, body]));
    };
    assert.match((await drafts("en"))["imprint"] ?? "", /\[name of the seller\]/u);
    const seller = { name: "Ada GmbH", line1: "Weg 1", postalCode: "10115", city: "Berlin", country: "DE" };
    await read(await app.admin("PATCH", SITE, { seller, contact: { email: "ada@example.org" } }));
    const german = await drafts("de");
    assert.match(german["imprint"] ?? "", /^Ada GmbH {2}\nWeg 1 {2}\n10115 Berlin {2}\nDeutschland\n/u);
    assert.match(german["withdrawal"] ?? "", /binnen 14 Tagen[^]*Ada GmbH, Weg 1[^]*ada@example\.org/u);
    assert.deepEqual(await code(await app.admin("GET", `${SITE}/pages/drafts?language=fr`)), [
      422,
      "invalid",
    ]);
  });
});

describe("VAT", () => {
  it("has the rates of the EU, and tells whether a number has the form of its country", async () => {
    const app = await createTestShop();
    const { items } = await read<{ items: object[] }>(await app.admin("GET", "/api/admin/tax/rates"));
    const found = (wanted: object): boolean =>
      items.some((item) => JSON.stringify(item) === JSON.stringify(wanted));
    assert.ok(found({ country: "DE", taxClass: "standard", basisPoints: 1_900 }));
    assert.ok(found({ country: "FR", taxClass: "super_reduced", basisPoints: 210 }));
    const look = async (number: string): Promise<object> =>
      read(await app.admin("GET", `/api/admin/tax/vat-number?number=${encodeURIComponent(number)}`));
    assert.deepEqual(await look("EL 094 259 216"), {
      isWellFormed: true,
      hasRightCheckDigits: true,
      country: "GR",
    });
    const wrong = { isWellFormed: true, hasRightCheckDigits: false, fault: "digits" };
    assert.deepEqual(await look("DE123456789"), wrong);
    assert.deepEqual(await look("DE12345"), { ...wrong, isWellFormed: false, fault: "form" });
    assert.deepEqual(await look("GR094259216"), { ...wrong, isWellFormed: false, fault: "greek" });
    assert.equal((await app.send("GET", "/api/admin/tax/rates")).status, 401);
  });
});

describe("a mail of the outbox", () => {
  it("is taken back while it waits, and the audit keeps who did", async () => {
    const app = await createTestShop();
    const mail = { kind: "order_placed", to: "ann@example.org", subject: "Thanks", text: "Thank you" };
    const id = await app.store.transact((tx) => app.shop.deps.outbox.enqueue(tx, mail));
    const cancel = (): Promise<Response> => app.admin("DELETE", `/api/admin/smtp/outbox/${id}`);
    assert.equal((await cancel()).status, 204);
    assert.deepEqual(await app.mails(), []);
    assert.deepEqual(await code(await cancel()), [404, "not_found"]);
    const audit = await read<{ items: { action: string; target: string }[] }>(
      await app.admin("GET", "/api/admin/audit"),
    );
    assert.ok(audit.items.some(({ action, target }) => action === "mail.cancel" && target === id));
  });

  it("leaves through no server while none is set, which the settings say", async () => {
    const app = await createTestShop();
    const { source } = await read<{ source: string }>(await app.admin("GET", "/api/admin/smtp"));
    assert.equal(source, "none");
    const fields = { enabled: true, host: "mail.example.org", fromAddress: "shop@example.org" };
    const changed = await read<{ source: string }>(await app.admin("PATCH", "/api/admin/smtp", fields));
    assert.equal(changed.source, "settings");
  });
});

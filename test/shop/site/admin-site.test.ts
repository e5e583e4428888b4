/** The site's settings for administrators. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { products } from "../../../src/shop/products/records.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

interface ProviderView {
  word: string;
  secretSet: boolean;
  webhookPath: string;
}

interface SiteView {
  name: string;
  version: number;
  contact: { email: string; phone: string };
  announcement: Record<string, string> | null;
  paymentProviders: ProviderView[];
  warnings: { code: string }[];
}

const PATH = "/api/admin/site";
const SECRET = "a secret of the service, long enough";

async function storedSecret(app: TestShop, word: string): Promise<string | undefined> {
  const site = await app.store.read(readSite);
  return site.paymentProviders.find((provider) => provider.word === word)?.secret;
}

async function change(app: TestShop, body: object): Promise<SiteView> {
  return read<SiteView>(await app.admin("PATCH", PATH, body));
}

async function addProduct(app: TestShop, status: "published" | "archived"): Promise<void> {
  await app.store.transact((tx) =>
    tx.insert(products, {
      id: "prd_1",
      slug: "mug",
      status,
      title: "Mug",
      summary: "",
      description: "",
      images: [],
      tags: [],
      price: 500,
      currency: "EUR",
      sku: "",
      variants: [],
      stockMode: "unlimited",
      minQuantity: 1,
      maxQuantity: 10,
      deliveryType: "manual",
      inputs: [],
      instructions: "",
      translations: {},
      sortOrder: 0,
      createdAt: 1,
      updatedAt: 1,
    }),
  );
}

describe("PATCH /api/admin/site", () => {
  it("merges objects and replaces lists", async () => {
    const app = await createTestShop();
    await change(app, { contact: { email: "hello@example.org", phone: "1" }, languages: ["en", "de"] });
    const view = await change(app, { contact: { phone: "2" }, languages: ["fr"], name: "Corner" });
    assert.deepEqual(
      [view.contact.email, view.contact.phone, view.name],
      ["hello@example.org", "2", "Corner"],
    );
    const again = await read<SiteView & { languages: string[] }>(await app.admin("GET", PATH));
    assert.deepEqual(again.languages, ["fr"]);
    assert.equal(again.version, 2);
  });

  it("has PUT beside it, which loosens nothing by leaving it out", async () => {
    const app = await createTestShop();
    const strict = {
      guestCheckout: false,
      maintenance: true,
      maxPending: { user: 1, address: 1, email: 1 },
      paymentProviders: [{ word: "acme", title: "Card", secret: SECRET, enabled: false }],
    };
    await change(app, strict);
    const before = await app.store.read(readSite);
    const response = await app.admin("PUT", PATH, { name: "Corner", maxPending: { user: 2 } });
    assert.deepEqual([response.status, response.headers.get("etag")], [200, '"2"']);
    const after = await app.store.read(readSite);
    assert.deepEqual(after, { ...before, name: "Corner", maxPending: { user: 2, address: 1, email: 1 } });
    const stale = await app.admin("PUT", PATH, { name: "Late", version: 1 });
    assert.deepEqual(await code(stale), [409, "version_conflict"]);
    const unknown = await app.admin("PUT", PATH, { nam: "Corner" });
    assert.deepEqual(await code(unknown), [422, "invalid"]);
  });

  it("puts an announcement up, changes it, and takes it down", async () => {
    const app = await createTestShop();
    const startsAt = "2026-02-01T10:00:00+02:00";
    await change(app, { announcement: { text: "Soon", startsAt } });
    const warned = await change(app, { announcement: { level: "warning" } });
    assert.deepEqual(warned.announcement, {
      text: "Soon",
      level: "warning",
      startsAt: "2026-02-01T08:00:00.000+00:00",
    });
    const always = await change(app, { announcement: { startsAt: null } });
    assert.deepEqual(always.announcement, { text: "Soon", level: "warning" });
    assert.equal((await change(app, { announcement: null })).announcement, null);
    const response = await app.admin("PATCH", PATH, { announcement: { level: "info" } });
    assert.deepEqual(await code(response), [422, "invalid"]);
  });

  it("takes a provider's secret in, keeps it, removes it, and never shows it", async () => {
    const app = await createTestShop();
    const provider = { word: "acme", title: "Card" };
    const response = await app.admin("PATCH", PATH, {
      paymentProviders: [{ ...provider, secret: SECRET }],
    });
    const text = await response.clone().text();
    assert.doesNotMatch(text, /of the service|"secret":/u);
    assert.deepEqual(
      (await read<SiteView>(response)).paymentProviders.map(({ secretSet }) => secretSet),
      [true],
    );
    const sealed = (await storedSecret(app, "acme")) ?? "";
    assert.doesNotMatch(sealed, /of the service/u);
    assert.equal(app.shop.deps.box.open(sealed, PROVIDER_PURPOSE), SECRET);

    const kept = await change(app, {
      paymentProviders: [
        { ...provider, title: "Cards" },
        { word: "new", title: "New" },
      ],
    });
    assert.deepEqual(
      kept.paymentProviders.map(({ word, secretSet, webhookPath }) => [word, secretSet, webhookPath]),
      [
        ["acme", true, "/api/webhooks/acme-pay"],
        ["new", false, "/api/webhooks/new-pay"],
      ],
    );
    assert.equal(await storedSecret(app, "acme"), sealed);
    await change(app, { name: "Other" });
    assert.equal(await storedSecret(app, "acme"), sealed);
    await change(app, { paymentProviders: [{ ...provider, secret: "" }] });
    assert.equal(await storedSecret(app, "acme"), undefined);
  });

  it("warns of what is risky", async () => {
    const app = await createTestShop({ publicUrl: "http://127.0.0.1:8081" });
    const codes = async (...paymentProviders: object[]): Promise<string[]> =>
      (await change(app, { paymentProviders })).warnings.map((warning) => warning.code);
    const demo = { word: "demo", title: "Demo" };
    const open = { word: "acme", title: "Card", requireWebhookSecret: false };
    assert.deepEqual(await codes({ ...demo, enabled: true }), ["demo_provider_enabled"]);
    assert.deepEqual(await codes({ ...demo, enabled: true }, open), [
      "unsecured_webhook",
      "demo_provider_enabled",
    ]);
    assert.deepEqual(await codes({ ...demo, enabled: false }), ["no_payment_provider"]);
    assert.deepEqual(await codes({ word: "acme", title: "Card" }), ["no_webhook_secret"]);
    assert.deepEqual(await codes({ ...open, secret: SECRET }), []);
  });

  it("does not lose a secret with a provider that the list leaves out", async () => {
    const app = await createTestShop();
    const acme = { word: "acme", title: "Card" };
    await change(app, { paymentProviders: [{ ...acme, secret: SECRET }] });
    const bank = { word: "bank", title: "Bank" };
    const response = await app.admin("PATCH", PATH, { paymentProviders: [bank] });
    assert.deepEqual(await code(response), [409, "conflict"]);
    const both = await change(app, { paymentProviders: [bank, acme] });
    assert.deepEqual(
      both.paymentProviders.map(({ word, secretSet }) => [word, secretSet]),
      [
        ["bank", false],
        ["acme", true],
      ],
    );
  });

  it("keeps an address with an unknown name that was stored before, and refuses a new one", async () => {
    const app = await createTestShop();
    const orderUrlTemplate = "https://shop.example.org/o/{orderId}?for={email}";
    await app.setSite({ orderUrlTemplate });
    await change(app, { name: "Other", orderUrlTemplate });
    const response = await app.admin("PATCH", PATH, { productUrlTemplate: "/p/{slug}/{id}" });
    const problem: { errors: { pointer: string; message: string }[] } = await response.json();
    assert.equal(response.status, 422);
    assert.deepEqual(
      problem.errors.map(({ pointer, message }) => [pointer, message]),
      [["/productUrlTemplate", "contains {id}. Supported placeholders: {slug}"]],
    );
  });

  it("keeps the currency while products are priced in another", async () => {
    const app = await createTestShop();
    await addProduct(app, "published");
    assert.deepEqual(await code(await app.admin("PATCH", PATH, { currency: "JPY" })), [409, "conflict"]);
    const archived = await createTestShop();
    await addProduct(archived, "archived");
    assert.equal((await archived.admin("PATCH", PATH, { currency: "JPY" })).status, 200);
  });

  it("is guarded by versions", async () => {
    const app = await createTestShop();
    const first = await app.admin("GET", PATH);
    assert.equal(first.headers.get("etag"), '"0"');
    await change(app, { name: "One", version: 0 });
    assert.deepEqual(await code(await app.admin("PATCH", PATH, { name: "Two", version: 0 })), [
      409,
      "version_conflict",
    ]);
    const stale = await app.admin("PATCH", PATH, { name: "Two" }, { "if-match": '"0"' });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
    const good = await app.admin("PATCH", PATH, { name: "Two" }, { "if-match": '"1"' });
    assert.deepEqual([good.status, good.headers.get("etag")], [200, '"2"']);
    const bad = await app.admin("PATCH", PATH, { name: "Two" }, { "if-match": "2" });
    assert.deepEqual(await code(bad), [400, "bad_request"]);
  });

  const refused: readonly (readonly [string, object])[] = [
    ["an unknown member", { role: "admin" }],
    ["an unknown member of a member", { contact: { fax: "1" } }],
    ["two lines in a name", { name: "a\r\nBcc: b@example.org" }],
    ["an address that is none", { logo: "javascript:alert(1)" }],
    ["a currency that is none", { currency: "XQX" }],
    ["a time zone that is none", { timeZone: "Mars/Olympus" }],
    [
      "a word twice",
      {
        paymentProviders: [
          { word: "a", title: "A" },
          { word: "a", title: "B" },
        ],
      },
    ],
    ["a category below nothing", { categories: [{ id: "a", title: "A", parentId: "b" }] }],
    [
      "categories in a circle",
      {
        categories: [
          { id: "a", title: "A", parentId: "b" },
          { id: "b", title: "B", parentId: "a" },
        ],
      },
    ],
    ["a page twice", { pages: [1, 2].map(() => ({ slug: "terms", title: "T", body: "" })) }],
    [
      "an end before the start",
      {
        announcement: { text: "x", startsAt: "2026-02-01T10:00:00Z", endsAt: "2026-02-01T09:00:00Z" },
      },
    ],
    ["a secret that no header takes", { paymentProviders: [{ word: "a", title: "A", secret: "a\nb" }] }],
    [
      "an address with a name that nothing fills in",
      { paymentProviders: [{ word: "a", title: "A", payUrlTemplate: "https://pay.example.org/{email}" }] },
    ],
  ];
  for (const [what, body] of refused) {
    it(`refuses ${what}, and changes nothing`, async () => {
      const app = await createTestShop();
      assert.deepEqual(await code(await app.admin("PATCH", PATH, body)), [422, "invalid"]);
      assert.equal((await read<SiteView>(await app.admin("GET", PATH))).version, 0);
    });
  }

  it("refuses who has no token, what is no JSON, and what is too large", async () => {
    const app = await createTestShop();
    for (const method of ["GET", "PATCH"])
      assert.deepEqual(await code(await app.send(method, PATH, method === "GET" ? {} : { body: {} })), [
        401,
        "unauthenticated",
      ]);
    const headers = { "x-admin-token": "adm_test-token-of-the-suite", "content-type": "application/json" };
    const broken = await app.fetch(PATH, { method: "PATCH", headers, body: "{" });
    assert.deepEqual(await code(broken), [400, "bad_request"]);
    const large = await app.admin("PATCH", PATH, { description: "x".repeat(1_100_000) });
    assert.deepEqual(await code(large), [413, "too_large"]);
  });
});

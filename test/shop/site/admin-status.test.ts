/** How the shop fares, and who changed what. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import type { NoticeRecord } from "../../../src/shop/payments/schema.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { PROVIDER_PURPOSE } from "../../../src/shop/payments/notice-proof.ts";
import type { Provider } from "../../../src/shop/site/schema.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestShop, type TestShopOptions, code, createTestShop, read } from "../app-fixture.ts";
import { insertOrder } from "../chat/chat-fixture.ts";

const PATH = "/api/admin/system-status";
const MINUTE = 60_000;

interface Status {
  auth: string;
  store: { status: string; kind?: string; records: number };
  smtp: { state: string };
  outbox: { waiting: number; failed: number; sent: number };
  webhooks: {
    word: string;
    lastNoticeAt?: string;
    unverified: number;
    openReviews: number;
    clockSkewMs?: number;
    isSilent?: boolean;
  }[];
  jobs: unknown[];
  warnings: { code: string }[];
  runtime?: { uptimeSeconds: number };
}

const provider: Provider = {
  word: "acme",
  title: "Card",
  enabled: true,
  requireWebhookSecret: true,
  payUrlTemplate: "",
  instructions: "",
};

async function createShopOf(providers: Provider[], options: TestShopOptions = {}): Promise<TestShop> {
  const app = await createTestShop(options);
  const { box } = app.shop.deps;
  const secret = box.seal("a secret of the service, long enough", PROVIDER_PURPOSE);
  const paymentProviders = providers.map((one) => (one.requireWebhookSecret ? { ...one, secret } : one));
  await app.setSite({ paymentProviders });
  return app;
}

function status(app: TestShop): Promise<Status> {
  return app.admin("GET", PATH).then((response) => read<Status>(response));
}

async function codes(app: TestShop): Promise<string[]> {
  return (await status(app)).warnings.map((warning) => warning.code);
}

async function addNotice(app: TestShop, fields: Partial<NoticeRecord> & { id: string }): Promise<void> {
  await app.store.transact((tx) =>
    tx.insert(notices, {
      provider: "acme",
      eventId: fields.id,
      providerRef: fields.id,
      claimedOrderId: "ord_1",
      type: "payment",
      amount: 1,
      currency: "EUR",
      verified: "signature",
      state: "applied",
      reason: "",
      receivedAt: app.clock.now(),
      repeats: 0,
      raw: "{}",
      ...fields,
    }),
  );
}

async function addOrder(app: TestShop, id: string): Promise<void> {
  const now = app.clock.now();
  const line = {
    id: "lin_1",
    productId: "prd_1",
    stockId: "prd_1",
    stockMode: "unlimited" as const,
    title: "Mug",
    sku: "",
    options: {},
    quantity: 1,
    unitPrice: 500,
    subtotal: 500,
    discount: 0,
    total: 500,
    deliveryType: "manual" as const,
    inputs: {},
    instructions: "",
    secretIds: [],
  };
  await app.store.transact((tx) =>
    tx.insert(orders, {
      id,
      number: id,
      email: "a@example.org",
      emailLower: "a@example.org",
      language: "en",
      status: "expired",
      paymentStatus: "unpaid",
      attention: [],
      currency: "EUR",
      subtotal: 500,
      discount: 0,
      shipping: 0,
      total: 500,
      amountPaid: 0,
      amountRefunded: 0,
      lines: [line],
      history: [],
      note: "",
      paymentMethod: "acme",
      expiresAt: now + 15 * MINUTE,
      createdAt: now,
      updatedAt: now,
    }),
  );
}

describe("GET /api/admin/system-status", () => {
  it("tells what is known, and nothing where nothing is", async () => {
    const bare = await createShopOf([provider]);
    const plain = await status(bare);
    assert.deepEqual(
      [plain.auth, plain.store.status, plain.runtime, plain.jobs, plain.warnings],
      ["unknown", "ok", undefined, [], []],
    );
    const app = await createShopOf([provider], {
      facts: {
        runtime: () => ({ uptimeSeconds: 5, residentBytes: 1, heapUsedBytes: 1, eventLoopDelayMaxMs: 2 }),
        checkAuth: () => Promise.resolve(),
        jobs: () => [{ name: "outbox", lastRunAt: START, lastError: "disk full" }, { name: "new" }],
        storeKind: "postgresql",
        hasMailServer: () => true,
      },
    });
    const full = await status(app);
    assert.deepEqual(
      [full.auth, full.store.kind, full.smtp.state, full.runtime?.uptimeSeconds],
      ["ok", "postgresql", "environment", 5],
    );
    assert.deepEqual(full.jobs[0], {
      name: "outbox",
      lastRunAt: "2026-01-31T12:00:00.000+00:00",
      lastError: "disk full",
    });
    assert.deepEqual(
      full.warnings.map((warning) => warning.code),
      ["job_failing"],
    );
  });

  it("warns when the auth center does not answer", async () => {
    const app = await createShopOf([provider], {
      facts: { checkAuth: () => Promise.reject(new Error("away")) },
    });
    assert.deepEqual(await codes(app), ["auth_unavailable"]);
  });

  it("warns of unsecured webhooks and of the demo provider", async () => {
    const open = { ...provider, requireWebhookSecret: false };
    const app = await createShopOf([open, { ...provider, word: "demo" }]);
    assert.deepEqual(await codes(app), ["unsecured_webhook", "demo_provider_enabled"]);
    const short = app.shop.deps.box.seal("whsec_", PROVIDER_PURPOSE);
    await app.setSite({ paymentProviders: [{ ...provider, secret: short }] });
    assert.deepEqual(await codes(app), ["unsecured_webhook"]);
    const alone = await createShopOf([{ ...provider, word: "demo" }]);
    assert.deepEqual(await codes(alone), ["demo_provider_enabled"]);
  });

  it("counts mails, and warns when they fail or wait for long", async () => {
    const app = await createShopOf([provider]);
    const mail = { kind: "order_paid", to: "a@example.org", subject: "Hi", text: "Hi" };
    await app.store.transact((tx) => app.shop.deps.outbox.enqueue(tx, mail));
    app.clock.advance(16 * MINUTE);
    assert.deepEqual((await status(app)).outbox, { waiting: 1, failed: 0, sent: 0 });
    assert.deepEqual(await codes(app), []);
    await app.setSmtp({ enabled: true, host: "mail.example.org", fromAddress: "a@example.org" });
    assert.deepEqual(await codes(app), ["mails_failing"]);
    await app.setSmtp({ enabled: false });
    await app.store.transact(async (tx) => {
      const [record] = (await tx.list(outboxCollection, "id", { limit: 1 })).items;
      if (record !== undefined) await tx.put(outboxCollection, { ...record, state: "failed" });
    });
    assert.deepEqual(await codes(app), ["mails_failing"]);
  });

  it("tells of each provider its last notice, the unverified and those to decide", async () => {
    const app = await createShopOf([provider, { ...provider, word: "other" }]);
    await addNotice(app, { id: "n1", verified: "none", state: "needs_review", open: "yes" });
    app.clock.advance(MINUTE);
    await addNotice(app, { id: "n2" });
    const { webhooks } = await status(app);
    assert.deepEqual(
      webhooks.map(({ word, lastNoticeAt, unverified, openReviews }) => [
        word,
        lastNoticeAt,
        unverified,
        openReviews,
      ]),
      [
        ["acme", "2026-01-31T12:01:00.000+00:00", 1, 1],
        ["other", undefined, 0, 0],
      ],
    );
  });

  it("warns of a clock only when the newest notices agree", async () => {
    const app = await createShopOf([provider]);
    const raw = (aheadMs: number): string =>
      JSON.stringify({ timestamp: new Date(app.clock.now() + aheadMs).toISOString() });
    await addNotice(app, { id: "n1", raw: raw(400_000) });
    await addNotice(app, { id: "n2", raw: raw(300_000) });
    assert.deepEqual(await codes(app), []);
    app.clock.advance(1);
    await addNotice(app, { id: "n3", raw: raw(500_000) });
    const told = await status(app);
    assert.deepEqual(
      [told.warnings.map((warning) => warning.code), told.webhooks[0]?.clockSkewMs],
      [["clock_skew"], 300_000],
    );
    app.clock.advance(1);
    await addNotice(app, { id: "n4", raw: raw(-500_000) });
    assert.deepEqual(await codes(app), []);
    await addNotice(app, { id: "n5", raw: "no JSON" });
    assert.deepEqual(await codes(app), []);
  });

  it("warns of a provider that is silent while orders wait for it", async () => {
    const app = await createShopOf([provider]);
    await app.setSmtp({ enabled: true });
    await addNotice(app, { id: "n1" });
    app.clock.advance(1);
    for (const id of ["ord_1", "ord_2", "ord_3"]) await addOrder(app, id);
    assert.deepEqual(await codes(app), []);
    app.clock.advance(16 * MINUTE);
    assert.deepEqual(await codes(app), ["silent_provider"]);
    assert.equal((await status(app)).webhooks[0]?.isSilent, true);
    await addNotice(app, { id: "n2" });
    assert.deepEqual(await codes(app), []);
  });

  it("is for administrators", async () => {
    const app = await createTestShop();
    for (const path of [PATH, "/api/admin/audit", "/api/admin/audit/verify"])
      assert.deepEqual(await code(await app.send("GET", path)), [401, "unauthenticated"]);
  });
});

describe("GET /api/admin/audit", () => {
  it("lists changes, the newest first, and verifies their chain", async () => {
    const app = await createTestShop();
    await app.admin("PATCH", "/api/admin/site", { name: "One" });
    await app.admin("PATCH", "/api/admin/site", { description: "Two" });
    const page = await read<{ items: { action: string; changes: string[]; at: string }[] }>(
      await app.admin("GET", "/api/admin/audit?limit=1"),
    );
    assert.deepEqual(
      page.items.map(({ action, changes, at }) => [action, changes, at]),
      [["settings.site", ["description"], "2026-01-31T12:00:00.000+00:00"]],
    );
    const { head, ...verified } = await read<{ head: { id: string; hash: string } }>(
      await app.admin("GET", "/api/admin/audit/verify"),
    );
    assert.deepEqual(verified, { valid: true, entries: 2, unkeyed: 0, dropped: 0 });
    assert.equal(head.id, "aud_000000000002");
    assert.match(head.hash, /^[\w-]{43}$/u);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/audit?limit=0")), [422, "invalid"]);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/audit?cursor=x")), [400, "bad_request"]);
  });

  it("warns of orders while no mail leaves", async () => {
    const codes = async (options: TestShopOptions): Promise<string[]> => {
      const app = await createTestShop(options);
      const before = await read<Status>(await app.admin("GET", PATH));
      assert.ok(!before.warnings.some((warning) => warning.code === "mail_off"));
      await insertOrder(app.store, { id: "ord_1", userId: "usr_ann", email: "ann@example.org" });
      const after = await read<Status>(await app.admin("GET", PATH));
      return after.warnings.map((warning) => warning.code);
    };
    assert.ok((await codes({})).includes("mail_off"));
    assert.ok(!(await codes({ facts: { hasMailServer: () => true } })).includes("mail_off"));
  });
});

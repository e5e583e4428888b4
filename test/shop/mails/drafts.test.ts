/** Mails as the outbox keeps them: laid out when they are sent, with texts that many share kept once. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { MailMessage } from "../../../src/kit/mail/mail.ts";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import { mailTexts } from "../../../src/shop/mails/records.ts";
import { sweepMailTexts } from "../../../src/shop/mails/drafts.ts";
import { type MailDocument, layOut } from "../../../src/shop/mails/mail-layout.ts";
import { enqueueMail } from "../../../src/shop/mails/mails.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import type { StoreRecord } from "../../../src/store/store.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";

const DAY_MS = 86_400_000;
const law = `Order {number}. ${"You have the right to *withdraw*. ".repeat(50)}`;

let app: TestShop;
let sent: MailMessage[];

beforeEach(async () => {
  sent = [];
  app = await createTestShop({
    sender: {
      send: (message) => {
        sent.push(message);
        return Promise.resolve({ status: "sent" });
      },
      close: () => {},
    },
  });
});

function toDocument(number: string): MailDocument {
  return {
    language: "en",
    shopName: "Trivet shop",
    title: "Your order",
    cutNote: "There is more.",
    parts: [
      { kind: "paragraph", text: "Thank you <b>" },
      { kind: "facts", rows: [["Order", number]] },
      { kind: "link", label: "Pay", address: "https://pay.example.org/" },
      { kind: "goods", title: "Keys", values: ["K-1", "K-2"] },
      { kind: "document", title: "Short", markdown: "A *short* text" },
      { kind: "document", title: "Law", markdown: law, values: { number } },
    ],
  };
}

async function mail(number: string): Promise<void> {
  const { shopName: _name, ...document } = toDocument(number);
  await app.store.transact(async (tx) => {
    const site = await readSite(tx);
    const about = { kind: "order_placed", subject: "Your order", to: "ann@example.org" };
    await enqueueMail(tx, { ...app.shop.deps, site }, { ...document, ...about });
  });
}

function readTexts(): Promise<readonly (StoreRecord & { text: string; keptUntil: number })[]> {
  return app.store.read(async (tx) => (await tx.list(mailTexts, "id", { limit: 100 })).items);
}

describe("a mail that waits", () => {
  it("is sent as it would have been when it was written", async () => {
    await mail("n-1");
    const { text, html } = layOut(toDocument("n-1"));
    assert.equal((await app.mails())[0]?.text, text);
    await app.shop.deps.outbox.deliver();
    assert.deepEqual([sent[0]?.text, sent[0]?.html], [text, html]);
  });

  it("shares its long texts with others", async () => {
    await mail("n-1");
    await mail("n-2");
    assert.deepEqual(
      (await readTexts()).map(({ text }) => text),
      [law],
    );
    const records = await app.store.read((tx) => tx.list(outboxCollection, "id", { limit: 9 }));
    for (const { sealedText, sealedDraft = "" } of records.items) {
      assert.equal(sealedText, "");
      assert.ok(sealedDraft !== "" && sealedDraft.length < law.length, sealedDraft);
    }
  });

  it("is not sent without a text that it names", async () => {
    await mail("n-1");
    await app.store.transact(async (tx) => {
      for (const { id } of (await tx.list(mailTexts, "id", { limit: 9 })).items)
        await tx.remove(mailTexts, id);
    });
    await app.shop.deps.outbox.deliver();
    assert.deepEqual(sent, []);
    assert.equal((await app.mails())[0]?.text, "");
  });

  it("is kept as text when it is too long for a draft", async () => {
    await app.store.transact(async (tx) => {
      const site = await readSite(tx);
      const { shopName: _name, ...document } = toDocument("n-1");
      const parts = [
        { kind: "goods", title: "Keys", values: Array<string>(4_000).fill("x".repeat(60)) } as const,
      ];
      const about = { kind: "order_paid", subject: "Your order", to: "ann@example.org" };
      await enqueueMail(tx, { ...app.shop.deps, site }, { ...document, parts, ...about });
    });
    assert.match((await app.mails())[0]?.text ?? "", /There is more\./u);
  });
});

describe("a text of mails", () => {
  it("stays while mails go on naming it, and goes afterwards", async () => {
    const start = app.clock.now();
    await mail("n-1");
    app.clock.advance(10 * DAY_MS);
    await mail("n-2");
    assert.equal((await readTexts())[0]?.keptUntil, start + 30 * DAY_MS);
    app.clock.advance(10 * DAY_MS);
    await mail("n-3");
    assert.equal((await readTexts())[0]?.keptUntil, start + 50 * DAY_MS);
    assert.equal(await sweepMailTexts(app.store, start + 49 * DAY_MS), 0);
    assert.equal(await sweepMailTexts(app.store, start + 50 * DAY_MS), 1);
  });
});

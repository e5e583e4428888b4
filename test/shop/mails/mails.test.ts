/** What mails of the shop say, and what can never get into them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type MailMessage, isMailLine } from "../../../src/kit/mail/mail.ts";
import { mailAdmin } from "../../../src/shop/mails/mails.ts";
import { type OrderMail, mailOrder } from "../../../src/shop/orders/mails.ts";
import { orderRecordSchema, type OrderRecord } from "../../../src/shop/orders/schema.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";

const TOKEN = "ord_token-of-the-order";

function order(fields: Partial<OrderRecord> = {}): OrderRecord {
  return orderRecordSchema.parse({
    id: "ord_1",
    version: 1,
    number: "260131-7KQ4MP",
    email: "ada@example.org",
    emailLower: "ada@example.org",
    language: "en",
    status: "pending_payment",
    paymentStatus: "unpaid",
    attention: [],
    currency: "EUR",
    subtotal: 2_000,
    discount: 500,
    shipping: 0,
    total: 1_500,
    amountPaid: 0,
    amountRefunded: 0,
    lines: [
      {
        id: "lin_1",
        productId: "prd_1",
        stockId: "prd_1",
        stockMode: "tracked",
        title: "Mug",
        sku: "",
        options: { size: "L" },
        quantity: 2,
        unitPrice: 1_000,
        subtotal: 2_000,
        discount: 500,
        total: 1_500,
        deliveryType: "auto_secret",
        inputs: {},
        instructions: "",
        secretIds: [],
      },
    ],
    history: [],
    note: "",
    paymentMethod: "demo",
    expiresAt: START + 15 * 60_000,
    createdAt: START,
    updatedAt: START,
    ...fields,
  });
}

interface Sent {
  readonly app: TestShop;
  readonly sent: MailMessage[];
}

async function createSendingShop(): Promise<Sent> {
  const sent: MailMessage[] = [];
  const sender = {
    send: async (message: MailMessage) => {
      sent.push(message);
      return { status: "sent" } as const;
    },
    close: () => undefined,
  };
  return { app: await createTestShop({ sender }), sent };
}

/** The mail as the mail server gets it. */
async function send({ app, sent }: Sent, mail: Partial<OrderMail>): Promise<MailMessage & { html: string }> {
  await app.store.transact((tx) =>
    mailOrder(tx, app.shop.deps, { kind: "order_placed", order: order(), orderToken: TOKEN, ...mail }),
  );
  await app.shop.deps.outbox.deliver();
  const message = sent.at(-1);
  assert.ok(message !== undefined);
  return { ...message, html: message.html ?? "" };
}

describe("mailOrder", () => {
  it("describes the order in text and HTML, with the link to pay and until when", async () => {
    const bench = await createSendingShop();
    await bench.app.setSite({ name: "Corner shop", timeZone: "Europe/Berlin" });
    const mail = await send(bench, { payUrl: "/demo-pay/ord_1?token=a&b=c" });
    assert.equal(mail.subject, "Corner shop: We’ve received your order (260131-7KQ4MP)");
    assert.equal(mail.to, "ada@example.org");
    for (const part of [mail.text, mail.html]) {
      assert.match(part, /2 × Mug \(L\)(?:: |<\/td><td [^>]*>)€20\.00/u);
      assert.match(part, /€15\.00/u);
      assert.match(part, /January 31, 2026.*01:15\sPM GMT\+1/u);
      assert.match(part, /ord_token-of-the-order/u);
    }
    assert.match(mail.text, /^ {4}https:\/\/shop\.example\.org\/demo-pay\/ord_1\?token=a&b=c$/mu);
    assert.match(
      mail.html,
      /<a href="https:\/\/shop\.example\.org\/demo-pay\/ord_1\?token=a&amp;b=c" style=/u,
    );
  });

  it("does not overtake the mail before it about the same order, which could not be sent at once", async () => {
    const sent: string[] = [];
    let isAway = true;
    const sender = {
      send: async ({ subject }: MailMessage) => {
        if (isAway) return { status: "temporary", reason: "Busy (450)" } as const;
        sent.push(subject.replace(/^.*: | \(.*$/gu, ""));
        return { status: "sent" } as const;
      },
      close: () => undefined,
    };
    const app = await createTestShop({ sender });
    const { deps } = app.shop;
    const mail = (kind: OrderMail["kind"]): Promise<void> =>
      app.store.transact((tx) => mailOrder(tx, deps, { kind, order: order(), orderToken: TOKEN }));
    await mail("order_placed");
    await deps.outbox.deliver();
    isAway = false;
    await mail("order_paid");
    await deps.outbox.deliver();
    assert.deepEqual(sent, []);
    app.clock.advance(30_000);
    await deps.outbox.deliver();
    assert.deepEqual(sent, ["We’ve received your order", "Payment received"]);
  });

  it("speaks the order's language, or English", async () => {
    const bench = await createSendingShop();
    const subjects: string[] = [];
    for (const language of ["de-AT", "fr", "es", "zh", "pt-BR"])
      subjects.push((await send(bench, { order: order({ language }) })).subject);
    assert.deepEqual(
      subjects.map((subject) => subject.replace(/^Trivet shop: | \(.*$/gu, "")),
      [
        "Ihre Bestellung ist eingegangen",
        "Nous avons bien reçu votre commande",
        "Hemos recibido su pedido",
        "已收到您的订单",
        "We’ve received your order",
      ],
    );
    const german = await send(bench, { order: order({ language: "de" }) });
    assert.match(german.text, /20,00\s€/u);
    assert.match(german.html, /<html lang="de" dir="ltr">/u);
  });

  it("writes amounts with the digits of their currency", async () => {
    const bench = await createSendingShop();
    const mail = await send(bench, { order: order({ currency: "JPY" }) });
    assert.match(mail.text, /¥1,500/u);
  });

  it("hands licence keys over exactly, in a box of their own", async () => {
    const bench = await createSendingShop();
    const key = "AB<C>-&-\"D'";
    const handedOver = [{ title: "Mug", values: [key, "line 1\nline 2"], instructions: "Open it." }];
    const mail = await send(bench, { kind: "order_delivered", handedOver });
    assert.ok(mail.text.includes(`\n    ${key}\n`));
    assert.ok(mail.html.includes(`monospace`));
    assert.ok(mail.html.includes(">AB&lt;C&gt;-&amp;-&quot;D&#39;</pre>"));
    assert.match(mail.text, /Open it\./u);
  });

  it("leads to the page of the order where there is one", async () => {
    const bench = await createSendingShop();
    await bench.app.setSite({ orderUrlTemplate: "/my/{number}?o={orderId}&t={token}" });
    const mail = await send(bench, {});
    assert.ok(mail.text.includes(`https://shop.example.org/my/260131-7KQ4MP?o=ord_1&t=${TOKEN}`));
  });

  it("lets no markup and no line break through", async () => {
    const bench = await createSendingShop();
    const evil = "<script>alert(1)</script>\"'&";
    await bench.app.setSite({ name: evil });
    const [line] = order().lines;
    assert.ok(line !== undefined);
    const lines = [{ ...line, title: evil, options: { size: evil } }];
    const shipment = { carrier: evil, trackingNumber: evil, trackingUrl: "javascript:alert(1)" };
    const mail = await send(bench, {
      kind: "order_delivered",
      order: order({ lines, shipment, number: "1\r\nBcc: b@example.org" }),
      handedOver: [{ title: evil, values: [evil], instructions: evil }],
      payUrl: `javascript:${evil}`,
      note: `${evil}\r\nBcc: b@example.org`,
    });
    assert.doesNotMatch(mail.html, /<script|href="javascript|<[^>]*alert/iu);
    assert.ok(isMailLine(mail.subject));
    assert.doesNotMatch(mail.subject, /[\r\n]/u);
    assert.match(mail.text, /<script>alert\(1\)<\/script>/u);
  });

  it("cuts what no mail can hold, and still goes out", async () => {
    const bench = await createSendingShop();
    const values = Array.from({ length: 5_000 }, (_, index) => `KEY-${index}-${"x".repeat(20)}`);
    const mail = await send(bench, { handedOver: [{ title: "Keys", values, instructions: "" }] });
    assert.match(mail.text, /KEY-0-[^]*This email is too long to show everything/u);
    assert.ok(mail.text.length < 50_000);
    const wide = await send(bench, {
      handedOver: [{ title: "Keys", values: ["<".repeat(40_000)], instructions: "" }],
    });
    assert.equal(wide.html, "");
    const nameless = await send(bench, {
      handedOver: [{ title: "Keys", values: ["y".repeat(60_000)], instructions: "" }],
    });
    assert.match(nameless.text, /This email is too long to show everything/u);
  });

  it("is silent about kinds that are switched off", async () => {
    const bench = await createSendingShop();
    const { notify } = await bench.app.shop.smtpAdmin.read();
    await bench.app.setSmtp({ notify: { ...notify, order_placed: false } });
    await bench.app.store.transact((tx) =>
      mailOrder(tx, bench.app.shop.deps, { kind: "order_placed", order: order(), orderToken: TOKEN }),
    );
    assert.deepEqual(await bench.app.mails(), []);
  });

  it("keeps text and HTML sealed, and forgets both once they were sent", async () => {
    const bench = await createSendingShop();
    const { app } = bench;
    await app.store.transact((tx) =>
      mailOrder(tx, app.shop.deps, { kind: "order_placed", order: order(), orderToken: TOKEN }),
    );
    const [waiting] = await app.mails();
    assert.match(waiting?.text ?? "", /ord_token/u);
    assert.equal(Object.hasOwn(waiting ?? {}, "sealedHtml"), false);
    await app.shop.deps.outbox.deliver();
    assert.equal((await app.mails())[0]?.text, "");
  });
});

describe("mailAdmin", () => {
  it("writes to the administrator's address, if there is one", async () => {
    const { app } = await createSendingShop();
    const mail = { subject: "look\r\nat this", lines: ["one", "two"] };
    await app.store.transact((tx) => mailAdmin(tx, app.shop.deps, mail));
    assert.deepEqual(await app.mails(), []);
    await app.setSmtp({ adminAddress: "owner@example.org" });
    await app.store.transact((tx) => mailAdmin(tx, app.shop.deps, mail));
    const [written] = await app.mails("owner@example.org");
    assert.equal(written?.subject, "Trivet shop: look at this");
    assert.match(written?.text ?? "", /one\n\ntwo/u);
  });
});

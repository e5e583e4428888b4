/** A shop as its owner sets it up over HTTP: 200 products, three ways to pay, shipping, tax, a coupon, a webhook. */
import assert from "node:assert/strict";
import type { OutboundOutcome, OutboundRequest } from "../../../src/kit/outbound/outbound.ts";
import type { MailMessage } from "../../../src/kit/mail/mail.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { ADMIN_TOKEN, type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addFile, makeBytes } from "../files/files-fixture.ts";
import { liftLimits } from "../goods.ts";
import type { Gateway, GatewayNotice } from "../payments/gateways/gateway.ts";
import { createPaypalGateway } from "../payments/gateways/paypal.ts";
import { createStripeGateway } from "../payments/gateways/stripe.ts";
import { createReceiver } from "../webhooks-out/receiver.ts";

/** Kinds of goods, by the number of a product: every fifth is a file, every fifth a licence key, the rest are parcels. */
export type Goods = "files" | "auto_secret" | "shipping";
export const PRODUCTS = 200;
const KEYS_EACH = 20;
/** How long the last order waits for its payment. */
export const DAYS = 15;

export interface DayProduct {
  readonly id: string;
  readonly slug: string;
  readonly goods: Goods;
  readonly price: number;
}

function goodsOf(number: number): Goods {
  return number % 5 === 0 ? "files" : number % 5 === 1 ? "auto_secret" : "shipping";
}

function toRow(number: number): string {
  const goods = goodsOf(number);
  const words = { de: { title: `Ding ${number}` }, zh: { title: `商品 ${number}` } };
  const cells = [
    `thing-${number}`,
    "published",
    `Thing ${number}`,
    String(500 + 37 * number),
    "EUR",
    goods,
    goods === "files" ? "unlimited" : "tracked",
    number % 3 === 0 ? "reduced" : "standard",
    goods === "shipping" ? String(100 + number) : "",
    goods === "shipping" ? "400" : "",
    `"${JSON.stringify(words).replaceAll('"', '""')}"`,
  ];
  return cells.join(",");
}

const HEAD =
  "slug,status,title,price,currency,deliveryType,stockMode,taxClass,weightGrams,onHand,translations";

async function addProducts(app: TestShop): Promise<DayProduct[]> {
  const rows = Array.from({ length: PRODUCTS }, (_, index) => toRow(index + 1));
  const report = await read<{ created: number; errors: unknown[] }>(
    await app.fetch("/api/admin/products/import", {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "text/csv" },
      body: [HEAD, ...rows].join("\r\n"),
    }),
  );
  assert.deepEqual([report.created, report.errors], [PRODUCTS, []]);
  const found: DayProduct[] = [];
  for (let cursor = ""; ;) {
    const query = `?limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await read<{
      items: { id: string; slug: string; deliveryType: Goods; price: number }[];
      nextCursor?: string;
    }>(await app.admin("GET", `/api/admin/products${query}`));
    found.push(
      ...page.items.map(({ id, slug, deliveryType, price }) => ({ id, slug, goods: deliveryType, price })),
    );
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  assert.equal(found.length, PRODUCTS);
  return found.sort((a, b) => a.price - b.price);
}

async function stockDigital(app: TestShop, products: readonly DayProduct[]): Promise<void> {
  for (const { id, slug, goods } of products) {
    if (goods === "auto_secret") {
      const keys = Array.from({ length: KEYS_EACH }, (_, n) => `KEY-${slug}-${n}`);
      await read(await app.admin("POST", `/api/admin/products/${id}/secrets`, keys));
    }
    if (goods === "files")
      await addFile(app, id, { bytes: makeBytes(3_000), fileName: `${slug}.pdf`, title: slug });
  }
}

const shipping = {
  methods: [
    {
      id: "parcel",
      title: "Parcel",
      by: "weight",
      freeFrom: 20_000,
      translations: { de: { title: "Paket" }, zh: { title: "包裹" } },
      steps: [
        { from: 0, price: 490 },
        { from: 1_000, price: 790 },
      ],
      countries: ["DE", "FR", "AT"],
    },
    {
      id: "world",
      title: "Worldwide",
      by: "value",
      steps: [{ from: 0, price: 1_990 }],
      excludedCountries: ["DE"],
    },
  ],
};

/** Numbers that restart in January would change this test. */
const invoices = { enabled: true, restart: "never", format: "R{number:5}", creditFormat: "G{number:5}" };

const seller = {
  name: "Ada's Things GmbH",
  line1: "Gasse 1",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "DE123456788",
  email: "owner@example.org",
};

/** Whether an address of the network is one of the services, and which. */
function createServices(gateways: Readonly<Record<string, Gateway>>) {
  return async (request: OutboundRequest): Promise<OutboundOutcome> => {
    const { method, url, headers, contentType, body } = request;
    const gateway = Object.entries(gateways).find(([name]) => new URL(url).hostname === `${name}.test`)?.[1];
    if (gateway === undefined) assert.fail(`${url} is no service`);
    const answer = await gateway.answer(
      new Request(url, {
        method,
        headers: { ...headers, ...(contentType === undefined ? {} : { "content-type": contentType }) },
        ...(body === undefined ? {} : { body }),
      }),
    );
    return { kind: "answered", status: answer.status, text: await answer.text(), headers: answer.headers };
  };
}

export type DayShop = Awaited<ReturnType<typeof openDayShop>>;

/** Opens the shop in the morning. */
export async function openDayShop() {
  // The package that checks webhooks looks at the machine's clock, which the shop's has reached when they are sent.
  const clock = createFixedClock(Date.now() - DAYS * 86_400_000);
  const now = (): number => clock.now();
  const gateways = {
    stripe: createStripeGateway({ origin: "https://stripe.test", now }),
    paypal: createPaypalGateway({ origin: "https://paypal.test", now }),
  };
  const receiver = createReceiver();
  const mails: MailMessage[] = [];
  const app = await createTestShop({
    clock,
    sender: {
      send: async (mail) => {
        mails.push(mail);
        return { status: "sent" };
      },
      close: () => undefined,
    },
    webhookOutbound: receiver.outbound,
    paymentOutbound: { send: createServices(gateways) },
  });
  await liftLimits(app);
  await app.setSmtp({
    enabled: true,
    host: "mail.example.org",
    fromAddress: "shop@example.org",
    adminAddress: "owner@example.org",
  });
  await read(
    await app.admin("PATCH", "/api/admin/site", {
      name: "Ada's Things",
      currency: "EUR",
      languages: ["en", "de", "zh"],
      timeZone: "Europe/Berlin",
      seller,
      shipping,
      tax: { enabled: true, destination: "buyer" },
      invoices,
      eu: { mode: "on" },
      paymentProviders: [],
    }),
  );
  for (const [word, { kind, options, credentials }] of Object.entries(gateways))
    await read(
      await app.admin("PUT", `/api/admin/site/providers/${word}`, {
        title: word,
        kind,
        options,
        credentials,
        expiryMinutes: 60,
      }),
    );
  await read(
    await app.admin("PUT", "/api/admin/site/providers/bank", {
      title: "Bank transfer",
      kind: "manual",
      instructions: "IBAN DE02 1203 0000 0000 2020 51",
      expiryMinutes: 20_160,
    }),
  );
  await read(
    await app.admin("POST", "/api/admin/coupons", { code: "SPRING", kind: "percent", value: 1_000 }),
    201,
  );
  const endpoint = await read<{ id: string; secret: string }>(
    await app.admin("POST", "/api/admin/webhooks", {
      url: "https://erp.example.org/in",
      types: [
        "order.placed",
        "order.paid",
        "order.delivered",
        "order.refunded",
        "order.expired",
        "order.canceled",
        "order.withdrawal",
      ],
    }),
    201,
  );
  const products = await addProducts(app);
  await stockDigital(app, products);
  return {
    app,
    clock,
    gateways,
    receiver,
    endpoint,
    products,
    mails,
    /** Sends what waits: emails and webhook events. */
    deliverAll: async (): Promise<void> => {
      while ((await app.shop.deps.outbox.deliver()).sent > 0);
      while ((await app.shop.webhookSender.deliver()).sent > 0);
    },
    notify: (word: string, { method, query, headers, body }: GatewayNotice): Promise<Response> =>
      app.fetch(`/api/webhooks/${word}-pay${query}`, {
        method,
        headers,
        ...(method === "GET" ? {} : { body }),
      }),
  };
}

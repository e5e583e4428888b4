/** A shop with goods, orders and a payment service, and a browser, for the tests of its console. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { type PageOptions, type WatchedPage, withPage } from "../watched-page.ts";

const SECRET = "a secret of the payment service";
/** Of the buyer of most orders. */
export const ANN = "ann@example.org";

/** An order as a checkout answers with it. */
export interface Placed {
  readonly id: string;
  readonly number: string;
  readonly total: number;
  readonly currency: string;
}

export interface OrderRoom {
  /** Sends a request as administrator; resolves with the answer. */
  admin<T = unknown>(method: string, path: string, body?: object): Promise<T>;
  /** Orders as a guest. */
  order(items: readonly { productId: string; quantity?: number }[], email?: string): Promise<Placed>;
  /** What the payment service says of money. */
  notify(order: { id: string; total: number; currency: string }, data?: object): Promise<void>;
  /** Adds a product; resolves with its ID. */
  product(fields: object): Promise<string>;
  /** Ids of the goods. */
  goods(): { readonly mug: string; readonly key: string };
  page(
    options: Omit<PageOptions, "baseURL"> & { name: string },
    work: (watched: WatchedPage) => Promise<void>,
  ): Promise<void>;
}

const address = {
  name: "Ann Lee",
  line1: "Harbour Road 7",
  city: "Hamburg",
  postalCode: "20457",
  country: "DE",
};

const limits = {
  maxPending: { user: 1_000, address: 1_000, email: 1_000 },
  orderLimits: {
    addressPerHour: 1_000,
    emailPerHour: 1_000,
    mailedPerDay: 1_000,
    guestUnits: 1_000,
    userUnits: 1_000,
  },
};

/** Prepares it before the tests of a suite, and stops it after them. */
export function createOrderRoom(): OrderRoom {
  let browser: Browser;
  let programs: Programs;
  let url = "";
  let goods = { mug: "", key: "" };

  async function send<T>(
    method: string,
    path: string,
    init: { headers?: object; body?: object } = {},
  ): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...init.headers },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    // What a test needs of an answer is checked where it is used.
    return JSON.parse(text === "" ? "null" : text) as T;
  }

  const admin: OrderRoom["admin"] = (method, path, body) =>
    send(method, path, {
      headers: { "x-admin-token": ADMIN_TOKEN },
      ...(body === undefined ? {} : { body }),
    });

  async function addProduct(fields: object): Promise<string> {
    const made = await admin<{ id: string }>("POST", "/api/admin/products", {
      status: "published",
      ...fields,
    });
    return made.id;
  }

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["shop"])]);
    url = await programs.shopUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN }));
    const provider = { word: "card", title: "Card", enabled: true, secret: SECRET };
    const seller = { ...address, name: "Harbour Goods", email: "shop@example.org" };
    await admin("PATCH", "/api/admin/site", {
      ...limits,
      seller,
      invoices: { enabled: true },
      paymentProviders: [provider],
    });
    const mug = await addProduct({ title: "Red mug", price: 1_250, deliveryType: "shipping", onHand: 20 });
    const key = await addProduct({ title: "Editor", price: 1_999, deliveryType: "auto_secret" });
    await admin("POST", `/api/admin/products/${key}/secrets`, [
      "KEY-AAAA-0001",
      "KEY-AAAA-0002",
      "KEY-AAAA-0003",
    ]);
    goods = { mug, key };
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  return {
    admin,
    product: addProduct,
    goods: () => goods,
    order: async (items, email = ANN) => {
      const body = {
        items: items.map((item) => ({ quantity: 1, ...item })),
        contact: { email },
        shippingAddress: address,
        billingAddress: address,
        paymentMethod: "card",
        consents: { digitalContent: true },
      };
      const headers = { "idempotency-key": crypto.randomUUID() };
      return (await send<{ order: Placed }>("POST", "/api/checkout", { headers, body })).order;
    },
    notify: async ({ id, total, currency }, data = {}) => {
      const notice = { id: `ref-${id}`, orderId: id, amount: total, currency, status: "succeeded", ...data };
      await send("POST", "/api/webhooks/card-pay", {
        headers: { "x-webhook-secret": SECRET },
        body: { type: "payment.arrived", data: notice },
      });
    },
    page: (options, work) => withPage(browser, { ...options, baseURL: url }, work),
  };
}

/** An empty shop beside its auth center, and the buyers who come to it by requests, each from an address of their own. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { type PageOptions, type WatchedPage, withPage } from "../watched-page.ts";
import type { Placed } from "./order-room.ts";

/** What the payment service and the shop both know. */
export const SECRET = "a secret of the payment service";
const PASSWORD = "correct horse battery staple";

const address = {
  name: "Ann Lee",
  line1: "Harbour Road 7",
  city: "Hamburg",
  postalCode: "20457",
  country: "DE",
};

export interface Crowd {
  /** A buyer who has never been here orders, and pays at the service whose short name is `word`. */
  buy(item: { slug: string; quantity?: number }, word: string): Promise<Placed>;
  /** A user with an account writes to the shop. */
  write(username: string, body: string): Promise<void>;
  page(
    options: Omit<PageOptions, "baseURL"> & { name: string },
    work: (watched: WatchedPage) => Promise<void>,
  ): Promise<void>;
}

async function post<T>(url: string, { headers, body }: { headers?: object; body: object }): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  // What a test needs of an answer is checked where it is used.
  return JSON.parse(text === "" ? "null" : text) as T;
}

/** Prepares it before the tests of a suite, and stops it after them. */
export function createCrowd(): Crowd {
  let browser: Browser;
  let programs: Programs;
  let [shopUrl, authUrl] = ["", ""];
  let buyers = 0;

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["shop", "auth"])]);
    // Both have to know each other's address.
    const [shop, auth] = await findFreePorts(2);
    const ports = { SHOP_PORT: String(shop), AUTH_PORT: String(auth) };
    const env = { LOG_LEVEL: "warn", ADMIN_TOKEN, TRUSTED_PROXIES: "127.0.0.1", ...ports };
    const program = programs.run(env);
    [shopUrl, authUrl] = await Promise.all([programs.shopUrl(program), programs.authUrl(program)]);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  return {
    buy: async ({ slug, quantity = 1 }, word) => {
      buyers += 1;
      const found = await fetch(`${shopUrl}/api/products/${slug}`);
      // As the route's schema has it.
      const { id } = (await found.json()) as { id: string };
      const { order } = await post<{ order: Placed }>(`${shopUrl}/api/checkout`, {
        headers: {
          "idempotency-key": crypto.randomUUID(),
          "x-forwarded-for": `198.51.100.${buyers}`,
        },
        body: {
          items: [{ productId: id, quantity }],
          contact: { email: `buyer-${buyers}@example.org` },
          shippingAddress: address,
          billingAddress: address,
          paymentMethod: word,
          consents: { digitalContent: true },
        },
      });
      const { total, currency } = order;
      const data = { id: `ref-${order.id}`, orderId: order.id, amount: total, currency, status: "succeeded" };
      await post(`${shopUrl}/api/webhooks/${word}-pay`, {
        headers: { "x-webhook-secret": SECRET },
        body: { type: "payment.arrived", data },
      });
      return order;
    },
    write: async (username, body) => {
      const email = `${username}@example.org`;
      await post(`${authUrl}/api/admin/users`, {
        headers: { "x-admin-token": ADMIN_TOKEN },
        body: { username, email, password: PASSWORD, emailVerified: true },
      });
      const { accessToken } = await post<{ accessToken: string }>(`${authUrl}/api/auth/login`, {
        body: { identifier: username, password: PASSWORD },
      });
      await post(`${shopUrl}/api/chat/messages`, {
        headers: { authorization: `Bearer ${accessToken}` },
        body: { body, clientId: crypto.randomUUID() },
      });
    },
    page: (options, work) => withPage(browser, { ...options, baseURL: shopUrl }, work),
  };
}

/** A shop and a browser for the tests of its console; empty, until a test fills it. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { type PageOptions, type WatchedPage, withPage } from "../watched-page.ts";

export interface ConsoleRoom {
  /** Where the shop is, without a slash at its end. */
  url(): string;
  /** Sends a request as administrator; resolves with the answer. */
  admin<T = unknown>(method: string, path: string, body?: object): Promise<T>;
  /** Creates a product on sale, turns on the demo payment, and buys one for free; resolves with the order. */
  sell(fields?: object): Promise<{ readonly id: string; readonly number: string }>;
  /** Runs a test in a fresh page. */
  page(
    options: Omit<PageOptions, "baseURL"> & { name: string },
    work: (watched: WatchedPage) => Promise<void>,
  ): Promise<void>;
}

const mug = { title: "Red mug", price: 1_250, deliveryType: "manual", onHand: 20, status: "published" };

/** Prepares it before the tests of a suite, and stops it after them. */
export function createConsoleRoom(environment: Readonly<Record<string, string>> = {}): ConsoleRoom {
  let browser: Browser;
  let programs: Programs;
  let url = "";

  async function send<T>(
    method: string,
    path: string,
    init: { headers?: object; body?: object },
  ): Promise<T> {
    const { headers, body } = init;
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    // What a test needs of an answer is checked where it is used.
    return JSON.parse(text === "" ? "null" : text) as T;
  }
  const admin: ConsoleRoom["admin"] = (method, path, body) =>
    send(method, path, {
      headers: { "x-admin-token": ADMIN_TOKEN },
      ...(body === undefined ? {} : { body }),
    });

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["shop"])]);
    url = await programs.shopUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN, ...environment }));
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  return {
    url: () => url,
    admin,
    sell: async (fields = {}) => {
      const { id } = await admin<{ id: string }>("POST", "/api/admin/products", { ...mug, ...fields });
      await admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
      const placed = await send<{ order: { id: string; number: string } }>("POST", "/api/checkout", {
        headers: { "idempotency-key": crypto.randomUUID() },
        body: {
          items: [{ productId: id, quantity: 1 }],
          contact: { email: "ann@example.org" },
          paymentMethod: "demo",
        },
      });
      await admin("POST", `/api/admin/orders/${placed.order.id}/mark-paid`, {
        reference: `cash-${placed.order.number}`,
      });
      return placed.order;
    },
    page: (options, work) => withPage(browser, { ...options, baseURL: url }, work),
  };
}

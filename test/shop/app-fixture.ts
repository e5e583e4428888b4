/** A whole shop without ports: store in memory (or one that is given), an auth center that is a table, and every answer checked against the OpenAPI document. */
import assert from "node:assert/strict";
import type { Bus } from "../../src/bus/bus.ts";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { createHealth } from "../../src/kit/observe/health.ts";
import { silentLog, type Log } from "../../src/kit/observe/log.ts";
import type { MailSender } from "../../src/kit/mail/mail.ts";
import { createMetrics } from "../../src/kit/observe/metrics.ts";
import type { Outbound } from "../../src/kit/outbound/outbound.ts";
import { createOutbox } from "../../src/records/outbox.ts";
import { type OutboxEntry } from "../../src/records/outbox-read.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { toSmtpRules } from "../../src/kit/mail/smtp-rules.ts";
import { carryOverCategories } from "../../src/shop/categories/former-categories.ts";
import { createMemoryBlobs, type Blobs } from "../../src/shop/base/blobs.ts";
import type { ImageSizePlace } from "../../src/shop/base/resize.ts";
import type { ShopDeps } from "../../src/shop/base/deps.ts";
import type { HttpHandler } from "../../src/runtime/runtime.ts";
import { type ShopAppOptions, createShopApp } from "../../src/shop/app/app.ts";
import { layOutDraft } from "../../src/shop/mails/drafts.ts";
import { askMailGate, MAIL_TRIES } from "../../src/shop/mails/mail-gate.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import { readSettings, replaceSettings } from "../../src/shop/site/settings.ts";
import { type Shop, createShop } from "../../src/shop/app/shop.ts";
import type { SiteSettings, SmtpSettings } from "../../src/shop/site/schema.ts";
import type { UserCheckResult } from "../../src/shop/users/user-check.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createContract } from "../contract/openapi-contract.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

export const ADMIN_TOKEN = "adm_test-token-of-the-suite";

export interface RequestOptions {
  /** A JSON body. */
  readonly body?: unknown;
  /** A user's name: "ann" is signed in with the access token "token-ann" and has the id "usr_ann". */
  readonly as?: string | undefined;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestShop {
  readonly shop: Shop;
  readonly clock: FixedClock;
  readonly store: Store;
  /** The application itself, for a real port: answers are not checked. */
  readonly handle: HttpHandler;
  /** Sends any request and checks the answer against the document. */
  fetch(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Sends any request, such as for a page, which no document describes. */
  raw(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Sends JSON, as a guest or as a user. */
  send(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** The same as administrator. */
  admin(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Changes some of the site's settings. */
  setSite(fields: Partial<SiteSettings>): Promise<void>;
  /** Changes some of the mail settings. */
  setSmtp(fields: Partial<SmtpSettings>): Promise<void>;
  /** The mails to an address (to all without one), the newest first. */
  mails(address?: string): Promise<OutboxEntry[]>;
  /** Whether the auth center answers; it does at first. "no_addresses": it says whose token it is, and no more. */
  setAuth(state: "up" | "down" | "no_addresses"): void;
  /** Verified addresses of a user, the primary one first; "<name>@example.org" at first. */
  setAddresses(name: string, addresses: readonly string[]): void;
}

export interface TestShopOptions extends Partial<ShopAppOptions> {
  readonly store?: Store;
  readonly clock?: FixedClock;
  readonly sender?: MailSender;
  /** Sends to webhooks of others; none by default. */
  readonly webhookOutbound?: Outbound;
  readonly log?: Log;
  /** Another shop works on the same store. */
  readonly isShared?: boolean;
  /** Whether mail servers may be on this machine; they may by default. */
  readonly smtpPrivate?: boolean;
  /** For requests to payment providers; by default nothing is sent. */
  readonly paymentOutbound?: ShopDeps["paymentOutbound"];
  /** Downloads pictures of imports; by default nothing is sent. */
  readonly pictureOutbound?: ShopDeps["pictureOutbound"];
  /** Pictures; in memory by default. */
  readonly blobs?: Blobs;
  /** Where smaller pictures are kept, and what makes them; by default only originals are served. */
  readonly sizes?: ImageSizePlace;
  /** Joins it to other shops. */
  readonly bus?: Bus;
  /** Where people reach it; by default https://shop.example.org. */
  readonly publicUrl?: string;
  /** Whether an auth center belongs to it; true by default. */
  readonly hasAccounts?: boolean;
}

/** Status and code of a problem document. */
export async function code(response: Response): Promise<[number, string]> {
  const problem: { code: string } = await response.json();
  return [response.status, problem.code];
}

/** The body of an answer that must have this status. */
export async function read<T>(response: Response, status = 200): Promise<T> {
  assert.equal(response.status, status, await response.clone().text());
  return response.json();
}

function toUser(token: string): UserCheckResult {
  const [, name, admin] = /^token-([a-z0-9]+)(?:-by-([a-z]+))?$/u.exec(token) ?? [];
  if (name === undefined) return { status: "refused" };
  const user = { id: `usr_${name}`, username: name, displayName: name, emailVerified: true };
  return { status: "valid", user, impersonatedBy: admin };
}

export async function createTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  const clock = options.clock ?? createFixedClock();
  const given = options.store ?? createMemoryStore({ collections: shopCollections });
  const log = options.log ?? silentLog;
  const box = createSecretBox("a secret of the test suite, long enough");
  const outbox = createOutbox({
    store: given,
    clock,
    log,
    box,
    sender: () => options.sender,
    maxTries: MAIL_TRIES,
    gate: askMailGate,
    layOut: layOutDraft,
  });
  const shop = createShop({
    store: given,
    clock,
    log,
    box,
    outbox,
    blobs: options.blobs ?? createMemoryBlobs(),
    sizes: options.sizes,
    publicUrl: options.publicUrl ?? "https://shop.example.org",
    isShared: options.isShared ?? false,
    hasAccounts: options.hasAccounts ?? true,
    smtpRules: toSmtpRules(options.smtpPrivate ?? true),
    ...(options.bus === undefined ? {} : { bus: options.bus }),
    webhookOutbound: options.webhookOutbound,
    ...(options.pictureOutbound === undefined ? {} : { pictureOutbound: options.pictureOutbound }),
    ...(options.paymentOutbound === undefined ? {} : { paymentOutbound: options.paymentOutbound }),
  });
  // What tests write to the store goes the way of all commits: the catalogue sees it.
  const { store } = shop;
  await shop.catalogue.load();
  let authState: "up" | "down" | "no_addresses" = "up";
  const addresses = new Map<string, readonly string[]>();
  const app = createShopApp(shop, {
    version: "0.0.0-test",
    log,
    clock,
    metrics: createMetrics(),
    health: createHealth({ version: "0.0.0-test", clock, checks: { store: () => store.check() } }),
    tokenHashes: [hashSecret(ADMIN_TOKEN)],
    metricsPublic: false,
    allowedOrigins: [],
    trustedProxies: [],
    assets: {
      style: "pages.css",
      storeStyles: {
        plain: { style: "store.css", fonts: [] },
        editorial: { style: "editorial.css", fonts: [] },
        market: { style: "market.css", fonts: [] },
      },
      statusStyle: "status.css",
      statusScript: "status.js",
      passkeys: "",
      buying: "buying.js",
      store: "store.js",
      browsing: "browsing.js",
      icon: "icon.svg",
      find: () => undefined,
    },
    consoleAssets: { page: "<title>{{title}}</title>", find: () => undefined },
    consoles: [],
    userCheck: {
      validateRequest: async ({ headers }) =>
        authState === "down"
          ? { status: "auth_unavailable", retryAfterSeconds: 1 }
          : toUser((headers.get("authorization") ?? "").replace("Bearer ", "")),
      readAddresses: async ({ headers }) => {
        const name = /^Bearer token-([a-z0-9]+)$/u.exec(headers.get("authorization") ?? "")?.[1];
        if (authState !== "up" || name === undefined)
          return { status: "auth_unavailable", retryAfterSeconds: 1 };
        return { status: "known", addresses: addresses.get(name) ?? [`${name}@example.org`] };
      },
    },
    ...options,
  });
  const contract = createContract(app, "shop");

  const raw: TestShop["raw"] = async (path, { from = "192.0.2.1", ...init } = {}) =>
    app.fetch(new Request(`http://localhost${path}`, init), { remoteAddress: from });
  const fetch: TestShop["fetch"] = async (path, init = {}) => {
    const response = await raw(path, init);
    // A copy of a stream without end would keep it open, and read it.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const copy = isStream ? new Response(null, response) : response.clone();
    await contract.check({ method: init.method ?? "GET", path }, copy);
    return response;
  };
  const send: TestShop["send"] = (method, path, { body, as, from, headers } = {}) =>
    fetch(path, {
      method,
      ...(from === undefined ? {} : { from }),
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer token-${as}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const actor = { name: "test", clientId: "test", requestId: "test" };

  return {
    shop,
    clock,
    store,
    handle: (request, connection) => app.fetch(request, connection),
    fetch,
    raw,
    send,
    admin: (method, path, body, headers) =>
      send(method, path, { body, headers: { "x-admin-token": ADMIN_TOKEN, ...headers } }),
    setSite: async (fields) => {
      await store.transact(async (tx) => {
        const before = (await readSettings(tx, "site")).fields;
        await replaceSettings(tx, { group: "site", fields: { ...before, ...fields }, actor, clock });
      });
      // As at a start: categories become records of their own.
      await carryOverCategories({ store, clock });
    },
    setSmtp: async (fields) => {
      await store.transact(async (tx) => {
        const before = (await readSettings(tx, "smtp")).fields;
        await replaceSettings(tx, { group: "smtp", fields: { ...before, ...fields }, actor, clock });
      });
    },
    mails: async (address) => {
      const { items } = await outbox.list({ limit: 1_000 });
      return items.filter(({ to }) => address === undefined || to === address);
    },
    setAuth: (state) => {
      authState = state;
    },
    setAddresses: (name, all) => {
      addresses.set(name, all);
    },
  };
}

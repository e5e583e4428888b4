/** The three services with something in them, ready for hostile requests; answers are checked against their documents. */
import assert from "node:assert/strict";
import { ADMIN_TOKEN, createTestApp as createAuthTest } from "../auth/app-fixture.ts";
import { createTestApp as createMonitorTest } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { addProduct, order, setProvider, WEBHOOK_SECRET } from "../shop/goods.ts";
import type { Store } from "../../src/store/store.ts";
import type { Route, Subject } from "./route-cases.ts";
// After the applications: their schemas get the words of OpenAPI when zod-openapi is loaded.
import { authCollections } from "../../src/auth/app/records.ts";
import { monitorCollections } from "../../src/monitor/app/records.ts";
import { shopCollections } from "../../src/shop/app/records.ts";

const admin = { "x-admin-token": ADMIN_TOKEN };
/** Of the right form; nothing has such an id. */
const NOBODY = "0".repeat(26);

function pick(
  words: Readonly<Record<string, string>>,
  prefixes: Readonly<Record<string, string>> = {},
): Subject["places"] {
  return (route, place) => {
    const noun = new RegExp(`(\\w[\\w-]*)/\\{${place}\\}`, "u").exec(route.template)?.[1] ?? "";
    const prefix = prefixes[noun];
    return (
      words[`${noun}/${place}`] ?? words[place] ?? (prefix === undefined ? NOBODY : `${prefix}_${NOBODY}`)
    );
  };
}

/** The monitor with a server, a channel and a rule. */
export async function createMonitorSubject(options: { store?: Store } = {}): Promise<Subject> {
  const app = await createMonitorTest(options);
  const make = async (path: string, body: unknown): Promise<string> => {
    const response = await app.admin("POST", path, body);
    assert.equal(response.status, 201, path);
    const made: { id: string } = await response.json();
    return made.id;
  };
  const server = await make("/api/admin/servers", { id: "hel-1", name: "Helsinki" });
  const channel = await make("/api/admin/channels", {
    name: "Hook",
    type: "ntfy",
    serverUrl: "https://ntfy.example.org",
    topic: "t",
  });
  const rule = await make("/api/admin/alert-rules", { name: "Gone", kind: "offline", channelIds: [channel] });
  return {
    name: "monitor",
    store: app.store,
    collections: monitorCollections,
    places: pick({ "servers/id": server, "channels/id": channel, "alert-rules/id": rule, file: "none.js" }),
    credentials: async (route) => (route.schemes.includes("adminToken") ? admin : {}),
    fetch: app.fetch,
    document: app.document,
  };
}

/** The auth center with two people. */
export async function createAuthSubject(options: { store?: Store } = {}): Promise<Subject> {
  const app = await createAuthTest(options);
  const { user: ann } = await app.signUp("ann");
  const { user: bob } = await app.signUp("bob");
  return {
    name: "auth",
    store: app.store,
    collections: authCollections,
    places: pick(
      { "users/id": bob.id, username: "bob", clientId: "no-app", "clients/id": "no-app", file: "none.js" },
      { invites: "inv", resources: "rsc", outbox: "mail", sessions: "ses", emails: "eml", passkeys: "pky" },
    ),
    // A new session each time: some requests end all others.
    credentials: async (route): Promise<Record<string, string>> => {
      if (route.schemes.includes("adminToken")) return admin;
      if (!route.schemes.includes("bearer")) return {};
      return { authorization: `Bearer ${(await app.signIn(ann)).accessToken}` };
    },
    fetch: app.fetch,
    document: app.document,
  };
}

/** The shop with a product, its keys, and an order of Ann's. */
export async function createShopSubject(options: { store?: Store } = {}): Promise<Subject> {
  const app = await createTestShop(options);
  await setProvider(app);
  const product = await addProduct(app, { id: `prd_${"1".repeat(26)}`, onHand: 50 });
  const { order: bought } = await order(app, [{ productId: product.id }], { userId: "usr_ann" });
  return {
    name: "shop",
    store: app.store,
    collections: shopCollections,
    places: pick(
      {
        "products/id": product.id,
        productId: product.id,
        idOrSlug: product.id,
        "orders/id": bought.id,
        orderId: bought.id,
        slug: "terms",
        hash: "0".repeat(64),
        provider: "test",
        word: "test",
        file: "none.js",
        keyId: `sec_${NOBODY}`,
      },
      { coupons: "cpn", payments: "pay", outbox: "mail", conversations: "cnv" },
    ),
    credentials: async (route): Promise<Record<string, string>> => {
      if (route.template.startsWith("/api/webhooks/")) return { "x-webhook-secret": WEBHOOK_SECRET };
      if (route.schemes.includes("adminToken")) return admin;
      return route.schemes.includes("bearer") ? { authorization: "Bearer token-ann" } : {};
    },
    fetch: app.fetch,
    document: async () => (await app.fetch("/openapi.json")).json(),
  };
}

/** What tells routes apart that need a person from those for administrators. */
export function isForPeople(route: Route): boolean {
  return route.schemes.includes("bearer") && !route.schemes.includes("adminToken");
}

/** What people do in a soak: they look, search, order and pay; they register, sign in, come back and sign out. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { signWebhook } from "../../../src/kit/secrets/webhook-signature.ts";
import type { Calls, PacedWork } from "./calls.ts";

export interface PeopleOptions {
  readonly shopUrl: string;
  readonly authUrl: string;
  readonly adminToken: string;
  readonly calls: Calls;
  /** Times the usual rates. */
  readonly rate: number;
}

export interface People {
  readonly works: readonly PacedWork[];
  /** Records that they made: orders, accounts, sessions. */
  readonly records: number;
}

const PASSWORD = "correct horse battery";
const SECRET = "a secret of the payment service";
const PRODUCTS = 200;
const ACCOUNTS = 40;
const WORDS = ["licence", "poster", "manual", "sticker", "course", "ticket", "theme", "plugin"];

const idSchema = z.object({ id: z.string() });
const boughtSchema = z.object({ order: z.object({ id: z.string(), total: z.number() }) });
const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });
const appliedSchema = z.object({ result: z.literal("applied") });

/** Each visitor comes from an address of its own; TRUSTED_PROXIES lets the load say so. */
function newAddress(): Record<string, string> {
  const part = (): number => Math.floor(Math.random() * 254) + 1;
  return { "x-forwarded-for": `10.${part()}.${part()}.${part()}` };
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("Nothing to pick from");
  return item;
}

async function prepareShop({ shopUrl, adminToken, calls }: PeopleOptions): Promise<string[]> {
  const headers = { "x-admin-token": adminToken };
  const site = {
    maxPending: { user: 1_000_000, address: 1_000_000, email: 1_000_000 },
    orderLimits: {
      addressPerHour: 1_000_000,
      emailPerHour: 1_000_000,
      mailedPerDay: 1_000_000,
      guestUnits: 1_000_000,
      userUnits: 1_000_000,
    },
    paymentProviders: [{ word: "generic", title: "Transfer", secret: SECRET, instructions: "Transfer it" }],
  };
  await calls.send("prepare", `${shopUrl}/api/admin/site`, { method: "PATCH", headers, body: site });
  const ids: string[] = [];
  for (let n = 0; n < PRODUCTS; n += 1) {
    const body = {
      title: `${pick(WORDS)} ${pick(WORDS)} ${n}`,
      price: 500 + n,
      status: "published",
      deliveryType: "manual",
      onHand: 1_000_000,
    };
    const made = await calls.send("prepare", `${shopUrl}/api/admin/products`, {
      method: "POST",
      headers,
      body,
      expect: [201],
    });
    ids.push(calls.read("prepare", idSchema, made).id);
  }
  return ids;
}

async function register({ authUrl, calls }: PeopleOptions, name: string): Promise<void> {
  await calls.send("register", `${authUrl}/api/auth/register`, {
    method: "POST",
    headers: newAddress(),
    body: { username: name, email: `${name}@example.org`, password: PASSWORD },
    expect: [201],
  });
}

async function prepareAuth(options: PeopleOptions): Promise<string[]> {
  const { authUrl, adminToken, calls } = options;
  await calls.send("prepare", `${authUrl}/api/admin/settings/registration`, {
    method: "PUT",
    headers: { "x-admin-token": adminToken },
    body: { emailVerification: "off", maxPerAddressPerDay: 100_000 },
  });
  const names = Array.from({ length: ACCOUNTS }, (_, n) => `soaker${n}`);
  for (const name of names) await register(options, name);
  return names;
}

/** Orders one thing, pays it as the payment service does, and looks at the order. */
async function buy({ shopUrl, calls }: PeopleOptions, productIds: readonly string[]): Promise<void> {
  const name = randomUUID();
  const bought = await calls.send("checkout", `${shopUrl}/api/checkout`, {
    method: "POST",
    headers: { ...newAddress(), "idempotency-key": name },
    body: {
      items: [{ productId: pick(productIds), quantity: 1 }],
      contact: { email: `${name}@example.org` },
      consents: { digitalContent: true },
    },
    expect: [201],
  });
  const { order } = calls.read("checkout", boughtSchema, bought);
  const id = `evt_${name}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const payment = { id: name, orderId: order.id, amount: order.total, currency: "EUR", status: "succeeded" };
  const body = { type: "payment.arrived", data: payment };
  const signature = signWebhook(SECRET, { id, timestamp, body: JSON.stringify(body) });
  const outcome = await calls.send("payment notice", `${shopUrl}/api/webhooks/generic-pay`, {
    method: "POST",
    headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature },
    body,
  });
  calls.read("payment notice", appliedSchema, outcome);
}

/** Signs in, is looked at by applications, renews the token, and signs out again. */
async function visit({ authUrl, calls }: PeopleOptions, names: readonly string[]): Promise<void> {
  const post = { method: "POST", headers: newAddress() };
  const body = { identifier: pick(names), password: PASSWORD };
  const login = await calls.send("sign in", `${authUrl}/api/auth/login`, { ...post, body });
  const first = calls.read("sign in", tokensSchema, login);
  for (let n = 0; n < 10; n += 1)
    await calls.send("validate", `${authUrl}/api/auth/validate`, {
      headers: { authorization: `Bearer ${first.accessToken}` },
    });
  const refresh = await calls.send("refresh", `${authUrl}/api/auth/refresh`, {
    ...post,
    body: { refreshToken: first.refreshToken },
  });
  const renewed = calls.read("refresh", tokensSchema, refresh);
  await calls.send("sign out", `${authUrl}/api/auth/logout`, {
    method: "POST",
    headers: { authorization: `Bearer ${renewed.accessToken}` },
    expect: [200, 204],
  });
}

/** Prepares both services and gives what people do from then on. */
export async function createPeople(options: PeopleOptions): Promise<People> {
  const { shopUrl, calls, rate } = options;
  const productIds = await prepareShop(options);
  const names = await prepareAuth(options);
  let records = 0;
  const counted = (run: () => Promise<void>) => async (): Promise<void> => {
    await run();
    records += 1;
  };
  const look = (kind: string, toPath: () => string) => async (): Promise<void> => {
    await calls.send(kind, `${shopUrl}${toPath()}`, { headers: newAddress() });
  };
  const work = (perSecond: number, run: () => Promise<void>): PacedWork => ({
    perSecond: perSecond * rate,
    atOnce: 50,
    run,
  });
  return {
    works: [
      work(
        20,
        look("catalogue", () => "/api/products"),
      ),
      work(
        10,
        look("product", () => `/api/products/${pick(productIds)}`),
      ),
      work(
        5,
        look("search", () => `/api/products?q=${pick(WORDS)}+${pick(WORDS)}`),
      ),
      work(
        3,
        counted(() => buy(options, productIds)),
      ),
      work(
        2,
        counted(() => visit(options, names)),
      ),
      work(
        0.2,
        counted(() => register(options, `s${randomUUID().slice(0, 18)}`)),
      ),
    ],
    get records() {
      return records;
    },
  };
}

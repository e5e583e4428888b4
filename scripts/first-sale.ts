/**
 * A first sale on running services, from a product with three licence keys to the confirmed receipt: what
 * docs/shop.md shows as commands. `npm run first-sale` on fresh services started with `npm start`.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { textOf } from "../src/kit/thrown.ts";
import { reach } from "./reach.ts";

/** Where the services are, and who administers them. */
interface SaleOptions {
  readonly shopUrl: string;
  readonly authUrl: string;
  readonly adminToken: string;
  readonly say: (text: string) => void;
}

/** The keys that the sale brings along; the first one is sold. */
const KEYS = ["TRIVET-AAAA-0001", "TRIVET-AAAA-0002", "TRIVET-AAAA-0003"];
const PASSWORD = "correct horse battery";

interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function call<T>(method: string, url: string, { headers = {}, body }: Request = {}): Promise<T> {
  const response = await reach(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} → ${response.status}: ${text}`);
  // What a step needs of an answer is checked where it is used.
  return JSON.parse(text === "" ? "null" : text) as T;
}

/** Registers somebody at the auth center, proves the mailbox with the code of the outbox, and signs in; resolves with the access token. */
async function signUp(
  { authUrl, adminToken }: Pick<SaleOptions, "authUrl" | "adminToken">,
  name: string,
): Promise<string> {
  const email = `${name}@example.org`;
  await call("POST", `${authUrl}/api/auth/register`, { body: { username: name, email, password: PASSWORD } });
  const headers = { "x-admin-token": adminToken };
  const outbox = await call<{ items: { to: string; text: string }[] }>("GET", `${authUrl}/api/admin/outbox`, {
    headers,
  });
  const mail = outbox.items.find(({ to }) => to === email);
  const code = /\d{4} \d{4}/u.exec(mail?.text ?? "")?.[0];
  assert.ok(code !== undefined, "The outbox has no code for the new account");
  await call("POST", `${authUrl}/api/auth/email/verify`, { body: { email, code } });
  const body = { identifier: name, password: PASSWORD };
  const { accessToken } = await call<{ accessToken: string }>("POST", `${authUrl}/api/auth/login`, { body });
  return accessToken;
}

/** Switches the demo payment on unless it is on; resolves with what leaves it as it was. */
async function openDemo({ shopUrl, adminToken, say }: SaleOptions): Promise<() => Promise<void>> {
  const url = `${shopUrl}/api/site/payment-methods`;
  const { items } = await call<{ items: { word: string }[] }>("GET", url);
  if (items.some(({ word }) => word === "demo")) return () => Promise.resolve();
  const headers = { "x-admin-token": adminToken };
  const change = (enabled: boolean): Promise<unknown> =>
    call("PATCH", `${shopUrl}/api/admin/site/providers/demo`, { headers, body: { enabled } });
  await change(true);
  say("The demo payment is on for this sale: with it nobody pays anything");
  return async () => {
    await change(false);
    say("The demo payment is off again");
  };
}

/** Creates a product with its keys; resolves with its ID. */
async function stockUp({ shopUrl, adminToken, say }: SaleOptions): Promise<string> {
  const headers = { "x-admin-token": adminToken };
  const body = {
    title: "A licence",
    price: 1_999,
    deliveryType: "auto_secret",
    status: "published",
    instructions: "Type the key into the program.",
  };
  const { id } = await call<{ id: string }>("POST", `${shopUrl}/api/admin/products`, { headers, body });
  await call("POST", `${shopUrl}/api/admin/products/${id}/secrets`, { headers, body: KEYS });
  say(`A product with ${KEYS.length} licence keys is for sale: ${id}`);
  return id;
}

interface Bought {
  readonly order: { id: string; number: string };
  readonly accessToken: string;
  readonly payment: { url: string };
}

/** Presses "Pay" on the demo provider's page. */
async function pay(url: string): Promise<void> {
  const page = new URL(url);
  const token = page.searchParams.get("token") ?? "";
  const response = await reach(`${page.origin}${page.pathname}`, {
    method: "POST",
    body: new URLSearchParams({ token, action: "pay" }),
    redirect: "manual",
  });
  await response.body?.cancel();
  assert.equal(response.status, 303, `The demo page answered ${response.status}`);
}

/** Does it all; resolves with the key that the buyer got. Throws Error naming the step that failed. */
async function runFirstSale(options: SaleOptions): Promise<string> {
  const closeDemo = await openDemo(options);
  try {
    return await sell(options);
  } finally {
    await closeDemo();
  }
}

async function sell(options: SaleOptions): Promise<string> {
  const { shopUrl, say } = options;
  const productId = await stockUp(options);
  const name = `buyer${Date.now().toString(36)}`;
  const token = await signUp(options, name);
  say(`${name} has an account at the auth center`);
  const headers = { authorization: `Bearer ${token}` };
  const contact = { email: `${name}@example.org` };
  const body = {
    items: [{ productId, quantity: 1 }],
    contact,
    consents: { digitalContent: true },
    paymentMethod: "demo",
  };
  const bought = await call<Bought>("POST", `${shopUrl}/api/checkout`, {
    headers: { ...headers, "idempotency-key": `first-sale-${name}` },
    body,
  });
  say(`Order ${bought.order.number} waits for payment at ${bought.payment.url}`);
  await pay(new URL(bought.payment.url, shopUrl).href);
  const path = `${shopUrl}/api/orders/${bought.order.id}`;
  const status = await call<{ paymentStatus: string }>("GET", `${path}/payment-status?wait=10`, {
    headers: { "x-order-token": bought.accessToken },
  });
  assert.equal(status.paymentStatus, "paid");
  const order = await call<{ lines: { delivered?: string[] }[] }>("GET", path, { headers });
  const key = order.lines[0]?.delivered?.[0];
  assert.ok(key !== undefined && KEYS.includes(key), "The order has no key");
  const outbox = await call<{ items: { to: string; text: string }[] }>(
    "GET",
    `${shopUrl}/api/admin/smtp/outbox`,
    { headers: { "x-admin-token": options.adminToken } },
  );
  const mail = outbox.items.find(({ to, text }) => to === body.contact.email && text.includes(key));
  assert.ok(mail !== undefined, "No mail with the key is in the outbox");
  say(`It is paid, and ${name} has the key ${key}, in the order and by mail`);
  const confirmed = await call<{ status: string }>("POST", `${path}/confirm`, { headers });
  assert.equal(confirmed.status, "completed");
  say("The receipt is confirmed");
  return key;
}

async function main(): Promise<void> {
  const adminToken = process.env["ADMIN_TOKEN"];
  if (adminToken === undefined) {
    console.error("ADMIN_TOKEN is missing: put in the token that the first start printed");
    process.exitCode = 1;
    return;
  }
  const options = {
    shopUrl: process.env["SHOP_URL"] ?? "http://127.0.0.1:8081",
    authUrl: process.env["AUTH_URL"] ?? "http://127.0.0.1:8082",
    adminToken,
    say: (text: string) => console.log(text),
  };
  try {
    await runFirstSale(options);
  } catch (error) {
    console.error(textOf(error));
    process.exitCode = 1;
  }
}

await main();

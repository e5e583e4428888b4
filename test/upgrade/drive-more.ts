/** The rest of what a fixture's program is made to write: settings with secrets, refused sign-ins, people, a chat, a waiting order, rules. */
import { TOTP } from "otpauth";
import { z } from "zod";
import { type Urls, ADMIN_TOKEN } from "./notes.ts";

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** Access token of a user; without one the administrator asks. */
  readonly token?: string | undefined;
  /** What is meant to be refused, with this status. */
  readonly expect?: number;
}

/** Programs that lack the route or ask for another body are left without what it would have stored. */
async function attempt({ method, url, body, token, expect }: Sent): Promise<unknown> {
  const credential: Record<string, string> =
    token === undefined ? { "x-admin-token": ADMIN_TOKEN } : { authorization: `Bearer ${token}` };
  const response = await fetch(url, {
    method,
    headers: { ...credential, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isFine = expect === undefined ? response.ok : response.status === expect;
  if (!isFine) console.warn(`left out: ${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
  return text === "" || !response.ok ? undefined : JSON.parse(text);
}

const PASSWORD = "correct horse battery staple";

/** An account with a second factor, whose secret is sealed in the store. */
async function addSecondFactor(auth: string): Promise<void> {
  const account = { username: "ben", email: "ben@example.org", emailVerified: true, password: PASSWORD };
  await attempt({ method: "POST", url: `${auth}/api/admin/users`, body: account });
  const credentials = { identifier: "ben", password: PASSWORD };
  const signedIn = await attempt({ method: "POST", url: `${auth}/api/auth/login`, body: credentials });
  const tokens = z.object({ accessToken: z.string() }).safeParse(signedIn);
  if (!tokens.success) return;
  const token = tokens.data.accessToken;
  const begun = await attempt({ method: "POST", url: `${auth}/api/auth/mfa/totp`, token });
  const secret = z.object({ secret: z.string() }).safeParse(begun);
  if (!secret.success) return;
  const code = new TOTP({ secret: secret.data.secret }).generate();
  await attempt({ method: "POST", url: `${auth}/api/auth/mfa/totp/confirm`, body: { code }, token });
}

async function fillAuth(auth: string, token: string): Promise<void> {
  const wrong = { identifier: "ann", password: "not the password" };
  for (let i = 0; i < 3; i += 1)
    await attempt({ method: "POST", url: `${auth}/api/auth/login`, body: wrong, expect: 401 });
  const sent = { email: "ann@example.org", purpose: "login" };
  await attempt({ method: "POST", url: `${auth}/api/auth/email/send-code`, body: sent });
  const guess = { email: "ann@example.org", code: "00000000" };
  await attempt({ method: "POST", url: `${auth}/api/auth/login/code`, body: guess, expect: 400 });
  const address = { address: "ann@work.example.org" };
  await attempt({ method: "POST", url: `${auth}/api/auth/emails`, body: address, token });
  const profile = { displayName: "Ann Example", visibility: "public" };
  await attempt({ method: "PATCH", url: `${auth}/api/auth/profile`, body: profile, token });
  await addSecondFactor(auth);

  const mail = { host: "mail.example.org", port: 465, security: "tls", user: "svc", password: "mail-secret" };
  const settings: readonly (readonly [string, object])[] = [
    ["registration", { siteName: "Ours", mode: "open" }],
    ["checkin", { rewardMin: 5, rewardMax: 5 }],
    ["invites", { defaultMaxUses: 3 }],
    ["mail", { ...mail, from: "auth@example.org" }],
    // Its new name.
    ["mail", { ...mail, user: undefined, username: mail.user, from: "auth@example.org" }],
  ];
  for (const [group, body] of settings)
    await attempt({ method: "PUT", url: `${auth}/api/admin/settings/${group}`, body });
  await attempt({ method: "POST", url: `${auth}/api/admin/invites`, body: { note: "for Cleo" } });
  const client = { id: "wiki", name: "The wiki", audiences: ["https://wiki.example.org"] };
  await attempt({ method: "POST", url: `${auth}/api/admin/clients`, body: client });
  const role = { name: "Packing", scopes: ["orders:write", "products:read"] };
  await attempt({ method: "POST", url: `${auth}/api/admin/roles`, body: role });
  const group = { id: "family", title: "Family" };
  await attempt({ method: "POST", url: `${auth}/api/admin/groups`, body: group });
  const notes = { identifier: "https://api.example.org", title: "Notes" };
  const resource = { ...notes, scopes: [{ name: "notes:read", title: "Read notes" }] };
  await attempt({ method: "POST", url: `${auth}/api/admin/resources`, body: resource });
}

/** A secret long enough for every check of a webhook's proof. */
const WEBHOOK_SECRET = "fixture-secret-of-32-characters!";

async function fillShop(shop: string, token: string): Promise<void> {
  const generic = { word: "generic", title: "Bank transfer", enabled: true, secret: WEBHOOK_SECRET };
  const demo = { word: "demo", title: "Demo payment", enabled: true };
  const site = { name: "Shop of ours", paymentProviders: [demo, generic] };
  await attempt({ method: "PATCH", url: `${shop}/api/admin/site`, body: site });
  const smtp = {
    host: "mail.example.org",
    port: 465,
    security: "tls",
    username: "svc",
    password: "smtp-secret",
  };
  const sender = { ...smtp, fromAddress: "shop@example.org" };
  await attempt({ method: "PUT", url: `${shop}/api/admin/smtp`, body: sender });
  const listed = await attempt({ method: "GET", url: `${shop}/api/products` });
  const products = z.object({ items: z.array(z.object({ id: z.string() })).min(1) }).safeParse(listed);
  const productId = products.data?.items[0]?.id;
  if (productId !== undefined) {
    const order = {
      items: [{ productId, quantity: 1 }],
      contact: { email: "guest@example.org" },
      paymentMethod: "generic",
    };
    const url = `${shop}/api/checkout`;
    const consents = { digitalContent: true };
    const placed =
      (await attempt({ method: "POST", url, body: order })) ??
      (await attempt({ method: "POST", url, body: { ...order, consents } }));
    const made = z.object({ order: z.object({ id: z.string() }) }).safeParse(placed);
    // What older programs lack is left out: a new token for the order, a bound of one customer.
    const renew = `${shop}/api/admin/orders/${made.data?.order.id}/renew-token`;
    if (made.success) await attempt({ method: "POST", url: renew, body: { note: "The link was public" } });
    const bound = {
      title: "Two each",
      price: 500,
      deliveryType: "manual",
      status: "draft",
      maxPerCustomer: 2,
    };
    await attempt({ method: "POST", url: `${shop}/api/admin/products`, body: bound });
    await attempt({ method: "POST", url: `${shop}/api/wishlist`, body: { productId, note: "later" }, token });
  }
  const message = { body: "Is the key good for two machines?", clientId: "fixture-1" };
  await attempt({ method: "POST", url: `${shop}/api/chat/messages`, body: message, token });
}

async function fillMonitor(monitor: string): Promise<void> {
  const hidden = { id: "secret-1", name: "Hidden 1", hidden: true };
  await attempt({ method: "POST", url: `${monitor}/api/admin/servers`, body: hidden });
  const rule = { kind: "metric", name: "Busy", metric: "cpu.usagePercent", op: ">", threshold: 90 };
  await attempt({ method: "POST", url: `${monitor}/api/admin/alert-rules`, body: rule });
  const nights = { type: "weekly", days: [7], from: "02:00", to: "04:00" };
  const maintenance = { name: "Sunday updates", scope: { type: "tag", tag: "web" }, schedule: nights };
  await attempt({ method: "POST", url: `${monitor}/api/admin/maintenances`, body: maintenance });
  // Nothing is contacted: one is paused, the other waits for pings.
  const site = { name: "Site", target: { kind: "http", url: "https://site.example.org/" }, paused: true };
  await attempt({ method: "POST", url: `${monitor}/api/admin/checks`, body: site });
  const job = { name: "Backup", target: { kind: "heartbeat" } };
  await attempt({ method: "POST", url: `${monitor}/api/admin/checks`, body: job });
  const components = [{ name: "Support", source: { type: "manual", status: "operational" } }];
  const statusPage = { slug: "main", title: "Our status", components };
  await attempt({ method: "POST", url: `${monitor}/api/admin/status-pages`, body: statusPage });
  const smtp = { host: "mail.example.org", user: "status", password: "mail-secret", from: "s@example.org" };
  await attempt({ method: "PUT", url: `${monitor}/api/admin/smtp`, body: smtp });
  const provider = { provider: "Hetzner" };
  await attempt({ method: "PATCH", url: `${monitor}/api/admin/servers/secret-1`, body: provider });
  const wrong = { token: "adm_wrong" };
  await attempt({ method: "POST", url: `${monitor}/api/admin/auth`, body: wrong, expect: 401 });
  await attempt({ method: "POST", url: `${monitor}/api/admin/auth`, body: { token: ADMIN_TOKEN } });
}

/** Writes what each service has beside the first sale: settings, refused sign-ins, people, a chat, a waiting order, rules. */
export async function driveMore(urls: Urls, buyerToken: string | undefined): Promise<void> {
  if (urls.monitor !== undefined) await fillMonitor(urls.monitor);
  if (urls.auth !== undefined && buyerToken !== undefined) await fillAuth(urls.auth, buyerToken);
  if (urls.shop !== undefined && buyerToken !== undefined) await fillShop(urls.shop, buyerToken);
}

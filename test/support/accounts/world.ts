/** An auth center with people, groups and applications, and browsers that are signed in there, for pages to be looked at. */
import { Secret, TOTP } from "otpauth";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { z } from "zod";

/** Of every account. */
export const PASSWORD = "correct horse battery staple";
const TOTP_STEP_MS = 30_000;
const OWN_FORM = { "sec-fetch-site": "same-origin" };

/**
 * Viewers: a visitor, someone between password and code, an account with everything, a new one, one with new recovery
 * codes, the console.
 */
export type Viewer = "stranger" | "halfway" | "ann" | "nia" | "kai" | "console";

export interface AccountsWorld {
  readonly url: string;
  /** What a device shows that waits to be let in. */
  readonly deviceCode: string;
  /** A request as administrator; gives the answer's JSON. @throws Error unless the status is a success */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  /** Opens a browser with a signed-in user. */
  open(browser: Browser, viewer: Viewer, options?: BrowserContextOptions): Promise<BrowserContext>;
}

const people = [
  ["ann", "Ann Keller", "user"],
  ["bob", "Bob Okafor", "user"],
  ["carla", "Carla Núñez", "admin"],
  ["mei", "李梅", "user"],
  ["kai", "Kai Lindqvist", "user"],
  ["nia", "Nia Adeyemi", "user"],
] as const;

const applications = [
  { id: "photos", name: "Photos", launchUrl: "https://photos.example.org", allowedGroups: ["family"] },
  { id: "wiki", name: "Wiki", launchUrl: "https://wiki.example.org" },
  {
    id: "invoices",
    name: "Invoices",
    allowedGroups: ["work"],
    redirectUris: ["https://invoices.example.org/callback"],
  },
];

/** Asks before it gets anything. */
const recipes = {
  id: "recipes",
  name: "Recipes",
  redirectUris: ["https://recipes.example.org/callback"],
  consent: "always",
};

/** On a device without a browser. */
const television = { id: "television", name: "Television", clientType: "public", deviceFlow: true };

const devices = [
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1",
    "photos",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "wiki"],
] as const;

const withId = z.object({ id: z.string() });
const withUserCode = z.object({ user_code: z.string() });
const withSecret = z.object({ secret: z.string() });
const signedIn = z.object({ accessToken: z.string() });

/** Where an application sends a browser. */
export function toAuthorizePath(id: string): string {
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: `https://${id}.example.org/callback`,
    response_type: "code",
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
    scope: "openid profile email groups offline_access",
  });
  return `/oauth/authorize?${query.toString()}`;
}

type Send = (
  method: string,
  path: string,
  options?: { body?: object; headers?: Record<string, string> },
) => Promise<unknown>;

function createSend(url: string): Send {
  return async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

async function addPeople(admin: AccountsWorld["admin"]): Promise<void> {
  for (const id of ["family", "work"])
    await admin("POST", "/api/admin/groups", { id, title: id === "family" ? "Family" : "Work" });
  for (const [username, displayName, role] of people) {
    const email = `${username}@example.org`;
    const account = { username, email, displayName, role, password: PASSWORD, emailVerified: true };
    const { id } = withId.parse(await admin("POST", "/api/admin/users", account));
    if (["ann", "bob", "mei"].includes(username))
      await admin("PUT", `/api/admin/groups/family/members/${id}`);
  }
  for (const application of [...applications, recipes, television])
    await admin("POST", "/api/admin/clients", application);
}

/** What the account with everything did. Gives the secret of its second factor. */
async function live(send: Send): Promise<string> {
  const signIn = async (identifier: string, [userAgent, client]: readonly [string, string] = devices[0]) => {
    const headers = { "user-agent": userAgent, "x-auth-client": client };
    const body = { identifier, password: PASSWORD };
    const { accessToken } = signedIn.parse(await send("POST", "/api/auth/login", { body, headers }));
    return { ...headers, authorization: `Bearer ${accessToken}` };
  };
  const like = { likePolicy: "anyone", visibility: "public", inDirectory: true };
  for (const username of ["bob", "mei"])
    await send("PATCH", "/api/auth/profile", { headers: await signIn(username), body: like });
  for (const device of devices) await signIn("ann", device);
  const headers = await signIn("ann");
  await send("PATCH", "/api/auth/profile", {
    headers,
    body: {
      ...like,
      bio: "Gardener, sailor, and keeper of too many photographs.",
      website: "https://ann.example.org",
      location: "Hamburg",
      showStreak: true,
      showJoined: true,
    },
  });
  for (const username of ["bob", "mei"])
    await send("PUT", "/api/public/users/ann/like", { headers: await signIn(username) });
  await send("POST", "/api/auth/checkin", { headers });
  await send("POST", "/api/auth/emails", { headers, body: { address: "ann@sailing.example" } });
  const { secret } = withSecret.parse(await send("POST", "/api/auth/mfa/totp", { headers }));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await send("POST", "/api/auth/mfa/totp/confirm", { headers, body: { code } });
  return secret;
}

/** Fills an auth center that runs and is empty. */
export async function createAccountsWorld(url: string, adminToken: string): Promise<AccountsWorld> {
  const send = createSend(url);
  const admin: AccountsWorld["admin"] = (method, path, body) =>
    send(method, path, { headers: { "x-admin-token": adminToken }, ...(body === undefined ? {} : { body }) });
  await addPeople(admin);
  const secret = await live(send);
  const asked = await fetch(`${url}/oauth/device_authorization`, {
    method: "POST",
    headers: { "user-agent": "TrivetTV/2.1 (Linux)" },
    body: new URLSearchParams({ client_id: television.id, scope: "openid profile offline_access" }),
  });
  const { user_code: deviceCode } = withUserCode.parse(await asked.json());
  const states = new Map<Viewer, BrowserContextOptions["storageState"]>();

  async function prepare(context: BrowserContext, viewer: Viewer): Promise<void> {
    const { request } = context;
    const post = (path: string, form: Record<string, string>) =>
      request.post(url + path, { form, headers: OWN_FORM });
    if (viewer === "stranger") return;
    if (viewer === "console") {
      const page = await context.newPage();
      await page.goto(`${url}/admin`);
      await page.locator("input[type=password]").fill(adminToken);
      await page.keyboard.press("Enter");
      await page.locator("input[type=password]").waitFor({ state: "detached" });
      await page.close();
      return;
    }
    await request.get(`${url}/sign-in`);
    const identifier = viewer === "halfway" ? "ann" : viewer;
    await post("/sign-in", { identifier, password: PASSWORD });
    if (viewer === "ann") {
      // The code of now was used to switch it on.
      const timestamp = Date.now() + TOTP_STEP_MS;
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
      await post("/sign-in/second-factor", { method: "totp", code });
      const asked = new URLSearchParams(toAuthorizePath("recipes").split("?")[1]);
      await post("/oauth/authorize/answer", { ...Object.fromEntries(asked), answer: "allow" });
    }
    if (viewer === "nia" || viewer === "kai") await post("/account/security/second-factor/begin", {});
    if (viewer === "kai") {
      const page = await (await request.get(`${url}/account/security/second-factor`)).text();
      const shown = /class="mono">([A-Z2-7 ]+)</u.exec(page)?.[1]?.replaceAll(" ", "") ?? "";
      const code = new TOTP({ secret: Secret.fromBase32(shown) }).generate();
      await post("/account/security/second-factor", { code });
    }
  }

  return {
    url,
    deviceCode,
    admin,
    open: async (browser, viewer, options = {}) => {
      const known = states.get(viewer);
      if (known !== undefined) return browser.newContext({ baseURL: url, ...options, storageState: known });
      const context = await browser.newContext({ baseURL: url, ...options });
      await prepare(context, viewer);
      states.set(viewer, await context.storageState());
      return context;
    },
  };
}

/** An auth center with tokens of every kind of one person's, for the tests beside it. */
import assert from "node:assert/strict";
import { type SignedIn, type TestApp, PASSWORD, createTestApp } from "../auth/app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../auth/pages/browser.ts";
import { type Route, takesJson } from "./route-cases.ts";
import { readOnward } from "../auth/oidc/onward.ts";
import { keepOwnClient } from "../../src/auth/applications/own-clients.ts";
import { sessions } from "../../src/auth/sessions/records.ts";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { applicationScopes } from "../../src/records/rights/application-scopes.ts";

const VERIFIER = "v".repeat(43);
const FORM = "application/x-www-form-urlencoded";
export const NOTES = "https://notes.example";
export const WIKI = "https://wiki.example";
export const AUDIENCE = "https://api.bank.example";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly scope: string;
}

type Fields = Record<string, string> | [string, string][];

export interface GrantOptions {
  /** Sent to /oauth/authorize. */
  readonly resources?: readonly string[];
  /** Sent with the code. */
  readonly narrow?: readonly string[];
}

export interface Center {
  readonly app: TestApp;
  readonly person: SignedIn;
  /** Signed in as the person. */
  readonly browser: Browser;
  /** Basic credentials of an application. */
  basic(clientId: string): string;
  /** Sends a form, with an application's credentials. */
  post(path: string, fields: Fields, clientId?: string): Promise<Response>;
  /** What an application gets that asks for this scope; without the parameter when undefined. */
  grant(clientId: string, scope: string | undefined, more?: GrantOptions): Promise<Tokens>;
  /** The fields with which an application redeems a code that it was just given. */
  begin(
    clientId: string,
    scope: string | undefined,
    resources?: readonly string[],
  ): Promise<[string, string][]>;
  /** What a device gets. */
  grantDevice(clientId: string, scope: string): Promise<Tokens>;
}

/** A registered resource, which "bank" is; it has a scope of its own. */
export const READ = "accounts:read";
const machineScopes = ["orders:read", "servers:read", "users:read"];
const everywhere = [
  ...Object.entries(applicationScopes).map(([id, scopes]) => ({ id, scopes })),
  { id: AUDIENCE, scopes: [READ] },
];

/**
 * Applications: "notes" and "wiki" behind a proxy, "jot" with tokens in the form of JWTs, "bank" with an audience, and
 * the shop and the monitor of the install. "notes" and "jot" may request everything.
 */
export async function openCenter(): Promise<Center> {
  const app = await createTestApp();
  const person = await app.signUp("ann", { role: "admin" });
  const browser = createBrowser(app);
  assert.equal((await signIn(browser, "ann", PASSWORD)).status, 303);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const challenge = Buffer.from(digest).toString("base64url");
  const secrets = new Map<string, string>();
  await app.admin("POST", "/api/admin/resources", {
    identifier: AUDIENCE,
    title: "Bank",
    scopes: [{ name: READ, title: "See your accounts" }],
  });
  for (const id of ["shop", "monitor"]) {
    secrets.set(id, `own_${id}`);
    const places = { redirectUris: [], postLogoutRedirectUris: [], logoutUrl: "" };
    await keepOwnClient(app.auth, { id, name: id, secret: `own_${id}`, ...places });
  }
  for (const [id, more] of Object.entries({
    notes: { protectedOrigins: [NOTES], deviceFlow: true, resources: everywhere },
    wiki: { protectedOrigins: [WIKI] },
    jot: { accessTokenFormat: "jwt", resources: everywhere },
    bank: { audiences: [AUDIENCE] },
    robot: { machineScopes },
  })) {
    const fields = { id, name: id, redirectUris: [`https://${id}.example/cb`], ...more };
    const made = await app.admin("POST", "/api/admin/clients", fields);
    assert.equal(made.status, 201, await made.clone().text());
    const { secret }: { secret: string } = await made.json();
    secrets.set(id, secret);
  }
  const basic: Center["basic"] = (clientId) => `Basic ${btoa(`${clientId}:${secrets.get(clientId) ?? ""}`)}`;
  const post: Center["post"] = (path, fields, clientId) =>
    app.fetch(path, {
      method: "POST",
      headers: {
        "content-type": FORM,
        ...(clientId === undefined ? {} : { authorization: basic(clientId) }),
      },
      body: new URLSearchParams(fields).toString(),
    });
  const readTokens = async (response: Response): Promise<Tokens> => {
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  };
  const begin: Center["begin"] = async (clientId, scope, resources = []) => {
    const redirectUri = `https://${clientId}.example/cb`;
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    if (scope !== undefined) query.set("scope", scope);
    for (const resource of resources) query.append("resource", resource);
    const onward = readOnward(await browser.get(`/oauth/authorize?${query.toString()}`));
    const code = new URL(onward).searchParams.get("code") ?? "";
    return [
      ["grant_type", "authorization_code"],
      ["code", code],
      ["code_verifier", VERIFIER],
      ["redirect_uri", redirectUri],
    ];
  };
  return {
    app,
    person,
    browser,
    basic,
    post,
    begin,
    grant: async (clientId, scope, { resources, narrow = [] } = {}) => {
      const fields = await begin(clientId, scope, resources);
      const narrowed = narrow.map((resource): [string, string] => ["resource", resource]);
      return readTokens(await post("/oauth/token", [...fields, ...narrowed], clientId));
    },
    grantDevice: async (clientId, scope) => {
      const asked = await post("/oauth/device_authorization", { scope }, clientId);
      const codes: { device_code: string; user_code: string } = await asked.json();
      const allowed = await browser.post("/device/answer", { user_code: codes.user_code, answer: "allow" });
      assert.equal(allowed.status, 303);
      const grantType = "urn:ietf:params:oauth:grant-type:device_code";
      const fields = { grant_type: grantType, device_code: codes.device_code };
      return readTokens(await post("/oauth/token", fields, clientId));
    },
  };
}

/** Every kind of token that an application can show, with what it opens and whose it is. */
export interface Kind {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Resources. */
  readonly audience: readonly string[];
  /** Whether the token is an access token that the center knows by its hash. */
  readonly isOpaque: boolean;
  /** Whether it opens nothing, anywhere: not valid anymore, or never an access token. */
  readonly isDead?: boolean;
  /** What it administers in the application's own name. */
  readonly machineScopes?: readonly string[];
}

/** Has the access token end. */
async function expire({ app }: Center, token: string): Promise<void> {
  await app.store.transact(async (tx) => {
    const session = await tx.by(sessions, "byAccess", [hashSecret(token)]);
    assert.ok(session);
    await tx.put(sessions, { ...session, accessExpiresAt: app.clock.now() - 1 });
  });
}

/** A token of each kind, and one of the application with an audience. */
export async function mintKinds(center: Center): Promise<{ kinds: ReadonlyMap<string, Kind>; bank: Kind }> {
  const kinds = new Map<string, Kind>();
  const toKind = (tokens: Tokens, clientId: string, audience: readonly string[] = []): Kind => {
    const { access_token: token, scope } = tokens;
    return { token, clientId, audience, scopes: scope.split(" "), isOpaque: token.startsWith("acc_") };
  };
  const grant = async (
    clientId: string,
    scope: string | undefined,
    more: GrantOptions = {},
  ): Promise<Kind> => {
    const tokens = await center.grant(clientId, scope, more);
    const kind = toKind(tokens, clientId, more.narrow ?? more.resources);
    if (more.narrow === undefined) assert.deepEqual(kind.scopes, (scope ?? "openid").split(" "));
    return kind;
  };
  const renew = async (tokens: Tokens, fields: Record<string, string>): Promise<Tokens> => {
    const body = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, ...fields };
    const response = await center.post("/oauth/token", body, "notes");
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  };
  kinds.set("openid", await grant("notes", "openid"));
  kinds.set("profile and email", await grant("notes", "openid profile email"));
  kinds.set("without scope", await grant("notes", undefined));
  kinds.set("offline_access", await grant("notes", "openid offline_access"));
  kinds.set("JWT", await grant("jot", "openid profile email groups"));
  kinds.set("another application's", await grant("wiki", "openid profile email groups"));
  kinds.set("device flow", toKind(await center.grantDevice("notes", "openid profile"), "notes"));
  for (const [resource, scopes] of Object.entries({ ...applicationScopes, [AUDIENCE]: [READ] })) {
    const resources = [resource];
    kinds.set(`for ${resource} without scope`, await grant("notes", "openid", { resources }));
    for (const scope of scopes)
      kinds.set(`for ${resource} with ${scope}`, await grant("notes", `openid ${scope}`, { resources }));
    const all = `openid profile email ${scopes.join(" ")}`;
    kinds.set(`for ${resource} with all`, await grant("notes", all, { resources }));
    kinds.set(`JWT for ${resource}`, await grant("jot", all, { resources }));
  }
  const words = Object.values(applicationScopes).flat().join(" ");
  const wide = { resources: ["auth", "shop", "monitor"] };
  const everything = `openid profile email ${words}`;
  kinds.set("for all three", await grant("notes", everything, wide));
  kinds.set("narrowed with its code", await grant("notes", everything, { ...wide, narrow: ["shop"] }));
  const first = await center.grant("notes", everything, wide);
  const monitor = await renew(first, { resource: "monitor" });
  kinds.set("narrowed to a resource", toKind(monitor, "notes", ["monitor"]));
  const wishes = await renew(monitor, { scope: "openid wishlist" });
  kinds.set("narrowed to a scope", toKind(wishes, "notes", wide.resources));
  const dead = { isDead: true, isOpaque: false };
  const spare = await center.grant("notes", everything, wide);
  const of = toKind(spare, "notes", wide.resources);
  kinds.set("refresh token", { ...of, ...dead, token: spare.refresh_token });
  kinds.set("ID token", { ...of, ...dead, token: spare.id_token ?? assert.fail("it has an ID token") });
  const late = await grant("notes", everything, wide);
  await expire(center, late.token);
  kinds.set("expired", { ...late, ...dead });
  const ended = await grant("notes", everything, wide);
  assert.equal((await center.post("/oauth/revoke", { token: ended.token }, "notes")).status, 200);
  kinds.set("revoked", { ...ended, ...dead });
  const machine = await center.post("/oauth/token", { grant_type: "client_credentials" }, "robot");
  kinds.set("machine token", { ...toKind(await machine.json(), "robot"), ...dead, machineScopes });
  return { kinds, bank: await grant("bank", "openid profile") };
}

/** The request of a document's example. */
export function toInit(route: Route, token: string): RequestInit {
  const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
  const headers = new Headers({ authorization: `Bearer ${token}` });
  if (route.mediaType !== undefined) headers.set("content-type", route.mediaType);
  return { method: route.method, headers, ...body };
}

/** An auth center with tokens of every kind of one person's, for the tests beside it. */
import assert from "node:assert/strict";
import { type SignedIn, type TestApp, PASSWORD, createTestApp } from "../auth/app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../auth/pages/browser.ts";
import { type Route, takesJson } from "./route-cases.ts";
import { readOnward } from "../auth/oidc/onward.ts";

const VERIFIER = "v".repeat(43);
const FORM = "application/x-www-form-urlencoded";
export const NOTES = "https://notes.example";
export const WIKI = "https://wiki.example";
export const AUDIENCE = "https://api.bank.example";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface Center {
  readonly app: TestApp;
  readonly person: SignedIn;
  /** Signed in as the person. */
  readonly browser: Browser;
  /** Basic credentials of an application. */
  basic(clientId: string): string;
  /** Sends a form, with an application's credentials. */
  post(path: string, fields: Readonly<Record<string, string>>, clientId?: string): Promise<Response>;
  /** What an application gets that asks for this scope; without the parameter when undefined. */
  grant(clientId: string, scope: string | undefined): Promise<Tokens>;
  /** What a device gets. */
  grantDevice(clientId: string, scope: string): Promise<Tokens>;
}

/** Applications: "notes" and "wiki" behind a proxy, "jot" with tokens in the form of JWTs, and "bank" with an audience. */
export async function openCenter(): Promise<Center> {
  const app = await createTestApp();
  const person = await app.signUp("ann", { role: "admin" });
  const browser = createBrowser(app);
  assert.equal((await signIn(browser, "ann", PASSWORD)).status, 303);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const challenge = Buffer.from(digest).toString("base64url");
  const secrets = new Map<string, string>();
  for (const [id, more] of Object.entries({
    notes: { protectedOrigins: [NOTES], deviceFlow: true },
    wiki: { protectedOrigins: [WIKI] },
    jot: { accessTokenFormat: "jwt" },
    bank: { audiences: [AUDIENCE] },
  })) {
    const fields = { id, name: id, redirectUris: [`https://${id}.example/cb`], ...more };
    const made = await app.admin("POST", "/api/admin/clients", fields);
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
  return {
    app,
    person,
    browser,
    basic,
    post,
    grant: async (clientId, scope) => {
      const redirectUri = `https://${clientId}.example/cb`;
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: "S256",
      });
      if (scope !== undefined) query.set("scope", scope);
      const onward = readOnward(await browser.get(`/oauth/authorize?${query.toString()}`));
      const code = new URL(onward).searchParams.get("code") ?? "";
      const fields = { grant_type: "authorization_code", code, code_verifier: VERIFIER };
      return readTokens(await post("/oauth/token", { ...fields, redirect_uri: redirectUri }, clientId));
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

/** Every kind of token that an application can show, with the scopes that it has and whose it is. */
export interface Kind {
  readonly token: string;
  readonly clientId: string;
  /** Empty: none of them opens anything by scope, as with a JWT, which only userinfo reads. */
  readonly scopes: readonly string[];
  /** Whether the token is an access token that the center knows in a header. */
  readonly isOpaque: boolean;
}

/** A token of each kind, and one of the application with an audience. */
export async function mintKinds(center: Center): Promise<{ kinds: ReadonlyMap<string, Kind>; bank: Kind }> {
  const kinds = new Map<string, Kind>();
  const grant = async (clientId: string, scope: string | undefined): Promise<Kind> => {
    const { access_token: token } = await center.grant(clientId, scope);
    return { token, clientId, scopes: (scope ?? "openid").split(" "), isOpaque: token.startsWith("acc_") };
  };
  kinds.set("openid", await grant("notes", "openid"));
  kinds.set("profile and email", await grant("notes", "openid profile email"));
  kinds.set("without scope", await grant("notes", undefined));
  kinds.set("offline_access", await grant("notes", "openid offline_access"));
  kinds.set("JWT", await grant("jot", "openid profile email groups"));
  kinds.set("another application's", await grant("wiki", "openid profile email groups"));
  const device = await center.grantDevice("notes", "openid profile");
  const scopes = ["openid", "profile"];
  kinds.set("device flow", { token: device.access_token, clientId: "notes", scopes, isOpaque: true });
  const { refresh_token: refresh } = await center.grant("notes", "openid profile email");
  kinds.set("refresh token", { token: refresh, clientId: "notes", scopes: [], isOpaque: false });
  return { kinds, bank: await grant("bank", "openid profile") };
}

/** The request of a document's example. */
export function toInit(route: Route, token: string): RequestInit {
  const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
  const headers = new Headers({ authorization: `Bearer ${token}` });
  if (route.mediaType !== undefined) headers.set("content-type", route.mediaType);
  return { method: route.method, headers, ...body };
}

/** What the modules of the conformance suite share: a center, registered applications driven by oauth4webapi, and a person's browser. */
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { PASSWORD, type TestApp, type TestAppOptions, createTestApp } from "../../app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../../pages/browser.ts";
import { readOnward } from "../onward.ts";

export const ISSUER = "https://auth.example.org";
export const REDIRECT = "https://suite.example/test/a/trivet/callback";
export const AFTER_LOGOUT = "https://suite.example/test/a/trivet/post_logout_redirect";

type Fields = Readonly<Record<string, string>>;
/** With undefined for a parameter that is left out. */
type Changes = Readonly<Record<string, string | undefined>>;

const toPath = (url: URL | string): string => new URL(url, ISSUER).pathname + new URL(url, ISSUER).search;

/** The library's requests, sent to the center without a port. */
const toFetch =
  (center: TestApp) =>
  (url: string, init: oauth.CustomFetchOptions<string, URLSearchParams | undefined>): Promise<Response> =>
    center.fetch(toPath(url), init);

/** The fields of a form, to send them unchanged. */
function readForm(html: string, field: string): { action: string; fields: Record<string, string> } {
  const form = html.split("<form").find((part) => part.includes(`name="${field}"`)) ?? assert.fail(html);
  const attribute = (tag: string, name: string): string =>
    (new RegExp(` ${name}="([^"]*)"`, "u").exec(tag)?.[1] ?? "").replaceAll("&amp;", "&");
  const hidden = form.split("<input").filter((tag) => attribute(tag, "type") === "hidden");
  return {
    action: attribute(form, "action"),
    fields: Object.fromEntries(hidden.map((tag) => [attribute(tag, "name"), attribute(tag, "value")])),
  };
}

/** Where a person's browser came to. */
export interface Trip {
  /** The application's address with the answer; undefined when the center kept the browser. */
  readonly callback: URL | undefined;
  /** Paths of the pages that the person saw and answered. */
  readonly seen: string[];
  /** What the center showed at last, with its status. */
  readonly status: number;
  readonly text: string;
}

/** A person who follows every redirect, types the password when prompted, and confirms when prompted. */
async function travel(browser: Browser, start: string): Promise<Trip> {
  const seen: string[] = [];
  let path = start;
  let answer = await browser.get(path);
  for (let step = 0; step < 10; step += 1) {
    const { status, headers } = answer;
    const location = headers.get("location") ?? (headers.has("refresh") ? readOnward(answer) : undefined);
    if (location !== undefined && new URL(location, ISSUER).origin !== ISSUER)
      return { callback: new URL(location), seen, status, text: "" };
    if (location !== undefined) {
      path = toPath(location);
      answer = await browser.get(path);
      continue;
    }
    const { pathname } = new URL(path, ISSUER);
    const text = await answer.text();
    if (status !== 200) return { callback: undefined, seen, status, text };
    seen.push(pathname);
    if (pathname === "/sign-in" || pathname === "/account/confirm") {
      const { action, fields } = readForm(text, "password");
      path = action;
      answer = await browser.post(action, { ...fields, identifier: "ann", password: PASSWORD });
    } else if (pathname === "/oauth/authorize") {
      const onward = / class="button primary wide" href="([^"]+)"/u.exec(text)?.[1];
      if (onward === undefined) {
        const { action, fields } = readForm(text, "answer");
        answer = await browser.post(action, { ...fields, answer: "allow" });
        continue;
      }
      path = onward.replaceAll("&amp;", "&");
      answer = await browser.get(path);
    } else return { callback: undefined, seen, status, text };
  }
  return assert.fail(`No end of pages: ${seen.join(", ")}`);
}

/** What an application got, and what its ID token says. */
export type Tokens = oauth.TokenEndpointResponse & { readonly claims: oauth.IDToken };

type Expected = Partial<{
  nonce: string | typeof oauth.expectNoNonce;
  verifier: string | typeof oauth.nopkce;
  maxAge: number;
}>;

/** How an application is registered beside its addresses, and how it says who it is. */
interface Registration {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly authenticate?: (secret: string) => oauth.ClientAuth;
}

export type Party = Awaited<ReturnType<typeof createParty>>;

async function createParty(
  { center, as }: { center: TestApp; as: oauth.AuthorizationServer },
  id: string,
  { fields = {}, authenticate }: Registration,
) {
  const made = await center.admin("POST", "/api/admin/clients", {
    id,
    name: id,
    redirectUris: [REDIRECT],
    postLogoutRedirectUris: [AFTER_LOGOUT],
    // The suite's modules send no challenge, but for the one that is about it.
    requirePkce: false,
    ...fields,
  });
  assert.equal(made.status, 201);
  const { secret }: { secret?: string } = await made.json();
  const usual = secret === undefined ? oauth.None : oauth.ClientSecretBasic;
  const auth = (authenticate ?? usual)(secret ?? "");
  const options = { [oauth.customFetch]: toFetch(center) };
  /** The tests' clock shows another time. */
  const toClient = (): oauth.Client => ({
    client_id: id,
    [oauth.clockSkew]: Math.floor((center.clock.now() - Date.now()) / 1_000),
  });

  /** An authorization request as the suite sends it, with what a module changes of it. */
  function toRequest(changes: Changes = {}): URL {
    const url = new URL(as.authorization_endpoint ?? "");
    const all = {
      client_id: id,
      redirect_uri: REDIRECT,
      scope: "openid",
      state: "s-1",
      nonce: "n-1",
      response_type: "code",
      ...changes,
    };
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  /** The parameters of the answer, once the client took them. Throws what the center refused it with. */
  const readCallback = (callback: URL): URLSearchParams =>
    oauth.validateAuthResponse(as, toClient(), callback, "s-1");

  /** Redeems the code and checks the ID token's claims and signature. */
  async function redeem(
    callback: URL,
    { nonce = "n-1", verifier = oauth.nopkce, maxAge }: Expected = {},
  ): Promise<Tokens> {
    const client = toClient();
    const code = readCallback(callback);
    const given = await oauth.authorizationCodeGrantRequest(
      ...([as, client, auth, code, REDIRECT, verifier, options] as const),
    );
    const expected: oauth.ProcessAuthorizationCodeResponseOptions = {
      expectedNonce: nonce,
      requireIdToken: true,
      ...(maxAge === undefined ? {} : { maxAge }),
    };
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, given, expected);
    await oauth.validateApplicationLevelSignature(as, given, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    return { ...tokens, claims: claims ?? assert.fail("No ID token") };
  }

  return {
    id,
    secret,
    toRequest,
    readCallback,
    redeem,
    /** Sends a browser to the center and takes what it comes back with. */
    async enter(
      browser: Browser,
      changes: Changes = {},
      expected: Expected = {},
    ): Promise<Tokens & { seen: string[] }> {
      const { callback, seen, text } = await travel(browser, toPath(toRequest(changes)));
      return { ...(await redeem(callback ?? assert.fail(text), expected)), seen };
    },
    /** The claims of userinfo, which must be of the ID token's person. */
    async readUserinfo({ access_token: token, claims }: Tokens): Promise<oauth.UserInfoResponse> {
      const answer = await oauth.userInfoRequest(as, toClient(), token, options);
      return oauth.processUserInfoResponse(as, toClient(), claims.sub, answer);
    },
    /** Sends a request ahead; gives its address. */
    async push(): Promise<string> {
      const { searchParams } = toRequest();
      const answer = await oauth.pushedAuthorizationRequest(as, toClient(), auth, searchParams, options);
      return (await oauth.processPushedAuthorizationResponse(as, toClient(), answer)).request_uri;
    },
    /** A token in the application's own name. */
    async grant(scope: string): Promise<oauth.TokenEndpointResponse> {
      const answer = await oauth.clientCredentialsGrantRequest(as, toClient(), auth, { scope }, options);
      return oauth.processClientCredentialsResponse(as, toClient(), answer);
    },
    /** Renews the tokens. */
    async renew(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
      const answer = await oauth.refreshTokenGrantRequest(as, toClient(), auth, refreshToken, options);
      const renewed = await oauth.processRefreshTokenResponse(as, toClient(), answer);
      await oauth.validateApplicationLevelSignature(as, answer, options);
      return renewed;
    },
  };
}

export type Suite = Awaited<ReturnType<typeof openSuite>>;

/** Opens a center with one person, who has a display name, and reads its metadata. */
export async function openSuite(options: TestAppOptions = {}) {
  const center = await createTestApp({ publicUrl: ISSUER, ...options });
  const { accessToken: token } = await center.signUp("ann");
  const named = await center.send("PATCH", "/api/auth/profile", { token, body: { displayName: "Ann Lee" } });
  assert.equal(named.status, 200);
  const issuer = new URL(ISSUER);
  const found = await oauth.discoveryRequest(issuer, { [oauth.customFetch]: toFetch(center) });
  const as = await oauth.processDiscoveryResponse(issuer, found);
  return {
    center,
    as,
    register: (id: string, registration: Registration = {}) => createParty({ center, as }, id, registration),
    /** A browser that the center does not know, or one that Ann is signed in with. */
    openBrowser: async (isSignedIn = true): Promise<Browser> => {
      const browser = createBrowser(center);
      if (isSignedIn) await signIn(browser, "ann", PASSWORD);
      return browser;
    },
    travel: (browser: Browser, url: URL | string) => travel(browser, toPath(url)),
    /** Sends a form from another site, which brings no cookie, and follows. */
    travelByPost: async (browser: Browser, url: URL): Promise<Trip> => {
      const answer = await center.raw(url.pathname, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: url.search.slice(1),
      });
      return travel(browser, answer.headers.get("location") ?? assert.fail(String(answer.status)));
    },
    /** Asks userinfo without the library, for what the library does not send. */
    askUserinfo: (init: { method: string; headers?: Fields; body?: string }) =>
      center.fetch(toPath(as.userinfo_endpoint ?? ""), init),
  };
}

/**
 * Signs people in at the auth center for an application that renders pages: authorization code with PKCE (RFC
 * 6749 section 4.1, RFC 7636), a sealed cookie, token refresh before expiry, and sign-out.
 */
import type { ValidAuth } from "./answers.ts";
import {
  type AuthClient,
  type AuthClientOptions,
  type AuthUnavailable,
  type RefusedAuth,
  createAuthClient,
} from "./client.ts";
import { type Kept, createKept } from "./kept.ts";
import { answer, isNavigation, toPage, toProblem, toReturnPath } from "./replies.ts";
import { createSeal, newSecretText, toChallenge } from "./seal.ts";
import { type HeldTokens, type TokenResult, createTokenCalls } from "./tokens.ts";

export interface SignInOptions extends Omit<
  AuthClientOptions,
  "clientName" | "maxCached" | "clientId" | "clientSecret" | "audience"
> {
  /** Where browsers reach the center, when that is another address than `authUrl`. */
  readonly publicAuthUrl?: string;
  /** The id under which an administrator registered the application. */
  readonly clientId: string;
  /** Its secret; cookies are sealed with a key made of it. */
  readonly clientSecret: string;
  /** Where a browser goes after signing out at the center; register it as a post-logout address. The center's own page unless told. */
  readonly signedOutUrl?: string;
  /** Scopes that the application requests, separated by spaces; default "profile email groups". */
  readonly scope?: string;
  /** The APIs that the application calls in a person's name: their identifiers, or addresses of the center's own services. */
  readonly resources?: readonly string[];
  /** Where people reach the application, such as https://notes.example.org; register this with `path` and "/callback". */
  readonly appUrl: string;
  /** Below it are "sign-in", "callback" and "sign-out"; "/auth" unless told. */
  readonly path?: string;
  /** Which paths are public; none by default. */
  readonly isPublic?: (path: string) => boolean;
}

/** A request with who makes it. */
export interface Visit {
  /** The signed-in user; undefined on a public path without a session. */
  readonly auth: ValidAuth | undefined;
  /** For asking other services in the person's name. */
  readonly accessToken: string | undefined;
  /** A response in place of the application's: the redirect to the sign-in, a callback, an error. */
  readonly response: Response | undefined;
  /** Values of Set-Cookie that the application's answer must carry. */
  readonly cookies: readonly string[];
}

/** A user of the center, with the tokens of their sign-in. */
export interface KnownPerson {
  readonly status: "valid";
  readonly auth: ValidAuth;
  readonly tokens: HeldTokens;
}

/** A user who returned from the center; they were on their way to `returnTo`. */
export interface Arrival extends KnownPerson {
  readonly returnTo: string;
}

/** Tokens are renewed so long before they end. */
const EARLY_MS = 30_000;
/** When to come again while the center does not answer. */
const RETRY_SECONDS = 5;
/** A browser that lost answers follows the successors of its token, which are remembered. */
const MAX_STEPS = 100;

function trimUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The address is not quoted: it may hold a password.
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new TypeError(`${name} must be an http or https URL without a username`);
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/u, "")}`;
}

const nobody: Visit = { auth: undefined, accessToken: undefined, response: undefined, cookies: [] };

function answered(response: Response, cookies: readonly string[] = []): Visit {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return { ...nobody, response };
}

function toUnavailable(retryAfterSeconds = RETRY_SECONDS): Visit {
  return answered(toProblem(503, "auth_unavailable", { "retry-after": String(retryAfterSeconds) }));
}

interface Parts {
  readonly client: AuthClient;
  /** For what programs bring, who signed in at the center themselves. */
  readonly firstParty: AuthClient;
  readonly calls: ReturnType<typeof createTokenCalls>;
  readonly kept: Kept;
  readonly now: () => number;
}

const refused: RefusedAuth = { status: "refused" };
const unavailable: AuthUnavailable = {
  status: "auth_unavailable",
  reason: "unreachable",
  retryAfterSeconds: RETRY_SECONDS,
};

/** Finds who shows tokens, and renews them. */
function createIdentify({ client, firstParty, calls, kept, now }: Parts) {
  /** The tokens, or their successors when they end soon. */
  async function renew(held: HeldTokens | undefined): Promise<TokenResult | undefined> {
    let present: TokenResult | undefined = held;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (typeof present !== "object" || present.accessEndsAt - EARLY_MS > now()) return present;
      present = await calls.refresh(present.refreshToken);
    }
    return present;
  }
  /** The user of these tokens, which may have been refreshed. Never rejects. */
  async function check(held: HeldTokens): Promise<KnownPerson | RefusedAuth | AuthUnavailable> {
    const tokens = await renew(held);
    if (typeof tokens !== "object") return tokens === "unavailable" ? unavailable : refused;
    const auth = await client.validate(tokens.accessToken);
    return auth.status === "valid" ? { status: "valid", auth, tokens } : auth;
  }
  return {
    renew,
    check,
    /** The user of the tokens in a cookie. */
    async byTokens(held: HeldTokens): Promise<Visit | "refused"> {
      const person = await check(held);
      if (person.status === "auth_unavailable") return toUnavailable(person.retryAfterSeconds);
      if (person.status === "refused") return "refused";
      const { auth, tokens } = person;
      const cookies = tokens === held ? [] : [await kept.writeHeld(tokens)];
      return { auth, accessToken: tokens.accessToken, response: undefined, cookies };
    },
    /** Programs bring an access token: of a first-party sign-in, or one issued to this application. */
    async byBearer(request: Request): Promise<Visit> {
      const first = await firstParty.validateRequest(request);
      const result = first.status === "refused" ? await client.validateRequest(request) : first;
      if (result.status === "auth_unavailable") return toUnavailable(result.retryAfterSeconds);
      const headers = { "www-authenticate": 'Bearer error="invalid_token"' };
      if (result.status === "refused") return answered(toProblem(401, "token_invalid", headers));
      const accessToken = request.headers.get("authorization")?.replace(/^bearer +/iu, "");
      return { ...nobody, auth: result, accessToken };
    },
  };
}

interface Places {
  readonly clientId: string;
  readonly appUrl: string;
  readonly publicAuthUrl: string;
  readonly path: string;
  readonly scope: string;
  readonly resources: readonly string[];
}

/** The way to the center, back from it, and out. */
function createWays(parts: Parts & ReturnType<typeof createIdentify>, places: Places) {
  const { client, calls, kept, renew } = parts;
  const { clientId, appUrl, publicAuthUrl, path, scope, resources } = places;
  const redirectUri = `${appUrl}${path}/callback`;
  const again = `${path}/sign-in`;
  return {
    /** Sends a browser to the center, from where it comes back to `returnTo`; who proved who they are longer ago does it again. */
    async begin(request: Request, returnTo: string, maxAgeSeconds?: number): Promise<Visit> {
      const verifier = newSecretText();
      const { state, cookie } = await kept.writeBegun(request, { verifier, returnTo });
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        scope,
        code_challenge: await toChallenge(verifier),
        code_challenge_method: "S256",
      });
      if (maxAgeSeconds !== undefined) query.set("max_age", String(maxAgeSeconds));
      for (const resource of resources) query.append("resource", resource);
      const location = `${publicAuthUrl}/oauth/authorize?${query.toString()}`;
      return answered(answer(302, { location }), [cookie]);
    },
    /** The user who returns from the center, or the response to send. */
    async receive(request: Request): Promise<Arrival | Visit> {
      const query = new URL(request.url).searchParams;
      const begun = await kept.readBegun(request, query.get("state"));
      if (begun === undefined)
        return answered(toPage(400, "This sign-in was started in another browser or has expired", again));
      if (query.has("error")) return answered(toPage(403, "The sign-in was denied", again));
      const { verifier, returnTo } = begun;
      const tokens = await calls.exchange(query.get("code") ?? "", { verifier, redirectUri });
      if (tokens === "unavailable") return toUnavailable();
      if (tokens === "refused")
        return answered(toPage(400, "This sign-in was already used or has expired", again));
      const auth = await client.validate(tokens.accessToken);
      if (auth.status === "valid") return { status: "valid", auth, tokens, returnTo };
      if (auth.status === "refused") return answered(toPage(403, "The sign-in was denied", again));
      return toUnavailable(auth.retryAfterSeconds);
    },
    /** Ends a sign-in at the center; resolves with whether that is certain. Never rejects. */
    async end(held: HeldTokens): Promise<boolean> {
      const tokens = await renew(held);
      if (tokens === "unavailable") return false;
      if (typeof tokens !== "object") return true;
      if (!(await calls.end(tokens.accessToken))) return false;
      await client.forget(tokens.accessToken);
      return true;
    },
  };
}

type Ways = ReturnType<typeof createWays>;

/** Where the center sends the browser back to. */
async function complete(request: Request, ways: Ways, kept: Kept): Promise<Visit> {
  const arrival = await ways.receive(request);
  if (!("status" in arrival)) return arrival;
  return answered(answer(303, { location: arrival.returnTo }), [await kept.writeHeld(arrival.tokens)]);
}

interface SignOutParts {
  readonly kept: Kept;
  readonly origin: string;
  /** The page that also offers to sign out of the center. */
  readonly logoutUrl: string;
}

/** Signs out, for a form of the application alone. */
async function signOut(request: Request, ways: Ways, { kept, origin, logoutUrl }: SignOutParts) {
  const site = request.headers.get("sec-fetch-site");
  const isOwn = site === null ? request.headers.get("origin") === origin : site === "same-origin";
  if (!isOwn) return answered(toProblem(403, "origin_refused"));
  const held = await kept.readHeld(request);
  if (held !== undefined && !(await ways.end(held))) return toUnavailable();
  return answered(answer(303, { location: logoutUrl }), [kept.clearHeld()]);
}

/** RP-Initiated Logout at the center, which asks the person: an application can't end the browser's session there. */
function toLogoutUrl(publicAuthUrl: string, { clientId, signedOutUrl }: SignInOptions): string {
  const query = new URLSearchParams({ client_id: clientId });
  if (signedOutUrl !== undefined) query.set("post_logout_redirect_uri", signedOutUrl);
  return `${publicAuthUrl}/oauth/logout?${query.toString()}`;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Creates the sign-in of an application. Throws when an option is not usable. */
export function createSignIn(options: SignInOptions) {
  const { clientId, clientSecret, isPublic = () => false, path = "/auth" } = options;
  const { scope = "profile email groups", resources = [] } = options;
  const { clock = { now: () => Date.now(), monotonic: () => performance.now() } } = options;
  const [authUrl, appUrl] = [trimUrl("authUrl", options.authUrl), trimUrl("appUrl", options.appUrl)];
  const publicAuthUrl = trimUrl("publicAuthUrl", options.publicAuthUrl ?? authUrl);
  if (clientSecret.length < 20)
    throw new TypeError("clientSecret must be the secret issued by the auth center");
  const { clientId: _id, clientSecret: _secret, ...credentialless } = options;
  const logoutUrl = toLogoutUrl(publicAuthUrl, options);
  const { origin } = new URL(appUrl);
  const ask = { authUrl, clientId, clientSecret, clock, timeoutMs: options.timeoutMs ?? 1_500 };
  const isSecure = appUrl.startsWith("https:");
  const parts: Parts = {
    client: createAuthClient(options),
    firstParty: createAuthClient(credentialless),
    calls: createTokenCalls({ ...ask, fetch: options.fetch ?? ((url, init) => fetch(url, init)) }),
    kept: createKept({ clientId, isSecure, seal: createSeal(clientSecret), clock }),
    now: () => clock.now(),
  };
  const identify = createIdentify(parts);
  const ways = createWays(
    { ...parts, ...identify },
    { clientId, appUrl, publicAuthUrl, path, scope, resources },
  );
  const { client, kept } = parts;

  return {
    /** The client that validates tokens. */
    client,
    /** For an application that looks after routes, sessions and cookies itself: the parts of `open`. */
    parts: { begin: ways.begin, receive: ways.receive, end: ways.end, check: identify.check, kept },
    /**
     * The user of a request, or the response to send in place of the application's. Never rejects because of the
     * center.
     */
    async open(request: Request): Promise<Visit> {
      const { pathname, search, searchParams } = new URL(request.url);
      const { method } = request;
      if (pathname === `${path}/callback` && method === "GET") return complete(request, ways, kept);
      if (pathname === `${path}/sign-out` && method === "POST")
        return signOut(request, ways, { kept, origin, logoutUrl });
      if (pathname === `${path}/sign-in` && method === "GET")
        return ways.begin(request, toReturnPath(searchParams.get("rd")));
      if (/^bearer /iu.test(request.headers.get("authorization") ?? "")) return identify.byBearer(request);
      const held = await kept.readHeld(request);
      const visit = held === undefined ? "refused" : await identify.byTokens(held);
      const isOpen = isPublic(pathname);
      // Public paths need no center.
      if (visit !== "refused") return isOpen && visit.response !== undefined ? nobody : visit;
      const cookies = held === undefined ? [] : [kept.clearHeld()];
      if (isOpen) return { ...nobody, cookies };
      if (isNavigation(request)) return ways.begin(request, toReturnPath(pathname + search));
      return answered(toProblem(401, "unauthenticated", { "www-authenticate": "Bearer" }), cookies);
    },
  };
}

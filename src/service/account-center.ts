/** The auth center as a service of the same install asks it: over HTTP, like any other application. */
import { createRemoteJWKSet, customFetch, jwtVerify } from "jose";
import { z } from "zod";
import type { ValidAuth } from "../clients/js/answers.ts";
import { toReturnPath } from "../clients/js/replies.ts";
import { type AuthClient, createAuthClient } from "../clients/js/client.ts";
import { type SignIn, type Visit, createSignIn } from "../clients/js/sign-in.ts";
import { AppError } from "../kit/errors.ts";
import type { AccountCenter, BearerAnswer, CenterPerson } from "../kit/outbound/account-center.ts";
import { fetchLocal } from "../kit/outbound/unix-socket.ts";
import type { Clock } from "../kit/time/clock.ts";
import { createMachineCheck } from "./center/machine-check.ts";
import { loadServiceSecret } from "./secrets.ts";
import type { ServiceContext } from "./service.ts";
import { type OwnAddress, type OwnClient, listOwnAddresses, toClientSecret } from "./own-clients.ts";

/** A browser waits for that long. */
const TIMEOUT_MS = 1_800;
/** How long an answer about a session is used again. */
const CACHE_MS = 3_000;
const BEARER_CACHE_MS = 5_000;
/** Users who verified their identity this recently are not prompted again: the action has time to finish. */
const FRESH_SECONDS = 60;
/** How long the answer to {@link AccountCenter.ask} is: a center that does not know the service counts its questions. */
const ASK_MS = { ready: 60_000, unknown: 300_000, away: 5_000 } as const;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** A logout token is valid this long, and this many are remembered. */
const LOGOUT_SECONDS = 300;
const MAX_LOGOUTS = 10_000;

const discoverySchema = z.object({ issuer: z.string() });
const logoutSchema = z.object({
  jti: z.string(),
  sub: z.string().optional(),
  sid: z.string().optional(),
  events: z.object({ [LOGOUT_EVENT]: z.object({}) }),
  nonce: z.undefined().optional(),
});

interface Place extends Pick<ServiceContext, "config" | "clock"> {
  readonly service: OwnClient;
}

function toPerson({
  user,
  administers,
  adminScopes = [],
  authenticatedAt,
  impersonatedBy,
}: ValidAuth): CenterPerson {
  const { id, username, displayName, emailVerified } = user;
  const provedAt = impersonatedBy === undefined ? authenticatedAt : undefined;
  return { id, username, displayName, emailVerified, administers, adminScopes, provedAt, impersonatedBy };
}

/** The answer of a visit, with the cookies that go with it. */
function toResponse({ response }: Visit): Response {
  return response ?? new Response(null, { status: 500 });
}

/** Checks the secret with the center: an invalid token costs it nothing. */
async function askCenter(authUrl: string, basic: string): Promise<keyof typeof ASK_MS> {
  try {
    const response = await fetchLocal(`${authUrl}/api/auth/introspect`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
      body: "token=none",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return "ready";
    return response.status === 401 ? "unknown" : "away";
  } catch {
    return "away";
  }
}

/** Keeps the answer for a while; one question for all who ask at once. */
function createAsk(
  ask: () => Promise<keyof typeof ASK_MS>,
  clock: Clock,
): () => ReturnType<AccountCenter["ask"]> {
  let known: { readonly answer: keyof typeof ASK_MS; readonly until: number } | undefined;
  let running: ReturnType<AccountCenter["ask"]> | undefined;
  return async () => {
    if (known !== undefined && clock.monotonic() < known.until) return known.answer;
    running ??= ask().finally(() => (running = undefined));
    const answer = await running;
    known = { answer, until: clock.monotonic() + ASK_MS[answer] };
    return answer;
  };
}

/** Reads logout tokens; each counts once. */
function createLogoutReader({ authUrl, service, clock }: { authUrl: string; service: string; clock: Clock }) {
  const keys = createRemoteJWKSet(new URL(`${authUrl}/api/auth/jwks`), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetchLocal,
  });
  const seen = new Map<string, number>();
  let issuer: string | undefined;
  async function readIssuer(): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetchLocal(`${authUrl}/.well-known/openid-configuration`, { signal });
    return discoverySchema.parse(await response.json()).issuer;
  }
  function remember(jti: string): void {
    const now = clock.monotonic();
    for (const [old, until] of seen) if (until < now || seen.size > MAX_LOGOUTS) seen.delete(old);
    if (seen.has(jti)) throw new AppError("bad_request", "This logout token was already used");
    seen.set(jti, now + 2 * LOGOUT_SECONDS * 1_000);
  }
  return async (token: string): Promise<string | undefined> => {
    issuer ??= await readIssuer().catch((cause: unknown) => {
      throw new AppError("unavailable", "The issuer of the auth center could not be read", { cause });
    });
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: service,
      requiredClaims: ["iat"],
      maxTokenAge: LOGOUT_SECONDS,
      clockTolerance: 60,
      currentDate: new Date(clock.now()),
    }).catch((cause: unknown) => {
      throw new AppError("bad_request", "The logout token is invalid", { cause });
    });
    const claims = logoutSchema.safeParse(payload);
    if (!claims.success || (claims.data.sub ?? claims.data.sid) === undefined)
      throw new AppError("bad_request", "This is not a logout token");
    remember(claims.data.jti);
    return claims.data.sub;
  };
}

/** The sign-ins of a service by its addresses: a browser comes back to the one that it used. */
function createFind(
  options: Place,
  clientSecret: string,
): (requestUrl: string) => { readonly signIn: SignIn; readonly authUrl: string } | undefined {
  const { config, clock, service } = options;
  const made = listOwnAddresses(config, service).map(({ appUrl, authUrl }: OwnAddress) => ({
    origin: new URL(appUrl).origin,
    authUrl,
    signIn: createSignIn({
      authUrl: config.authUrl,
      fetch: fetchLocal,
      publicAuthUrl: authUrl,
      appUrl,
      clock,
      path: "",
      clientId: service,
      clientSecret,
      timeoutMs: TIMEOUT_MS,
      cacheMs: CACHE_MS,
    }),
  }));
  // Behind a proxy a request does not show the public address.
  const usual = config.places[service].url === undefined ? undefined : made[0];
  return (requestUrl) => {
    const { origin } = new URL(requestUrl);
    return made.find((each) => each.origin === origin) ?? usual;
  };
}

/** Creates what asks about Bearer tokens in the name of the service. */
export function createBearerCheck(client: Pick<AuthClient, "validateRequest">): AccountCenter["checkBearer"] {
  return async (request): Promise<BearerAnswer> => {
    const answer = await client.validateRequest(request);
    if (answer.status === "valid") {
      const person = toPerson(answer);
      const { scopes } = answer;
      // An application must never administer in a user's name.
      const own = scopes === undefined ? person : { ...person, administers: undefined, adminScopes: [] };
      return { status: "valid", person: own, scopes };
    }
    if (answer.status === "refused") return answer;
    // A center that does not know this service knows no tokens for it either.
    const { reason, retryAfterSeconds } = answer;
    if (reason === "client_refused") return { status: "refused" };
    return { status: "auth_unavailable", retryAfterSeconds };
  };
}

/** Creates the adapter. Throws if the file of the secret is damaged. */
export async function openAccountCenter(
  context: Pick<ServiceContext, "config" | "clock" | "log">,
  service: OwnClient,
): Promise<AccountCenter> {
  const { config, clock } = context;
  const options = { config, clock, service };
  const authUrl = config.authUrl.replace(/(?<!\/)\/+$/u, "");
  const clientSecret = toClientSecret(await loadServiceSecret(context, service));
  const find = createFind(options, clientSecret);
  const signInFor = ({ url }: Request): SignIn => {
    const found = find(url);
    if (found !== undefined) return found.signIn;
    throw new AppError("unavailable", "The auth center does not know this URL. Set the public URL");
  };
  // Shared by all addresses of the service for cached tokens and answers; all of them have one scheme.
  const appUrl = listOwnAddresses(config, service)[0]?.appUrl ?? authUrl;
  const { client, parts } = createSignIn({
    authUrl,
    fetch: fetchLocal,
    appUrl,
    clock,
    path: "",
    clientId: service,
    clientSecret,
    timeoutMs: TIMEOUT_MS,
    cacheMs: CACHE_MS,
  });
  const { kept } = parts;
  const bearerClient = createAuthClient({
    authUrl,
    fetch: fetchLocal,
    clock,
    clientId: service,
    clientSecret,
    audience: service,
    timeoutMs: TIMEOUT_MS,
    cacheMs: BEARER_CACHE_MS,
  });
  const readLogout = createLogoutReader({ authUrl, service, clock });
  const basic = btoa(`${service}:${clientSecret}`);
  const ask = createAsk(() => askCenter(authUrl, basic), clock);
  return {
    ask: async (requestUrl) => {
      const answer = await ask();
      return answer === "ready" && find(requestUrl) === undefined ? "unknown" : answer;
    },
    findUrl: (requestUrl) => find(requestUrl)?.authUrl,
    begin: async (request, returnTo, { isFresh } = { isFresh: false }) => {
      const path = toReturnPath(returnTo ?? null);
      return toResponse(
        await signInFor(request).parts.begin(request, path, isFresh ? FRESH_SECONDS : undefined),
      );
    },
    receive: async (request) => {
      const arrival = await signInFor(request).parts.receive(request);
      if (!("status" in arrival)) return toResponse(arrival);
      const { auth, tokens, returnTo } = arrival;
      return { person: toPerson(auth), tokens, returnTo };
    },
    check: async (held) => {
      const answer = await parts.check(held);
      if (answer.status !== "valid") return answer;
      return { status: "valid", person: toPerson(answer.auth), tokens: answer.tokens };
    },
    checkBearer: createBearerCheck(bearerClient),
    checkMachine: createMachineCheck({ authUrl, basic, timeoutMs: TIMEOUT_MS, clock }),
    end: (tokens) => parts.end(tokens),
    cookie: { write: kept.writeHeld, read: kept.readHeld, clear: kept.clearHeld },
    readLogout: async (token) => {
      const userId = await readLogout(token);
      client.forgetAll();
      bearerClient.forgetAll();
      return userId;
    },
  };
}

/**
 * Validates tokens with the auth center, for other applications. The files of this folder import nothing else and use
 * Web APIs only, so they may be copied into another project (Node 20 or newer, Deno). A revoked token is rejected by
 * `validate` calls that begin `cacheMs` after the revocation or later; with `cacheMs: 0` every call sends a request.
 * While the center is unreachable, cached answers expire as usual.
 */
import { type ValidAuth, isRefusal, parseOauthError, parseValid, readJson } from "./answers.ts";
import { findBasic } from "./credentials.ts";

/** RFC 6750 section 2.1, b64token. Nothing else reaches fetch, whose errors quote headers. */
const TOKEN = /^[\w.~+/-]+=*$/u;
/** The longest token that is sent in a header, and in a body, where JWTs have room. */
const MAX_HEADER_TOKEN = 512;
const MAX_BODY_TOKEN = 8_192;
const BEARER = /^bearer +([\w.~+/-]+=*)$/iu;
const CLIENT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/u;
/** How long a refusal is remembered at most: a token does not become valid again, but mistakes are repaired. */
const REFUSED_CACHE_MS = 1_000;
/** Requests on their way at once; a flood of tokens beyond it is turned away instead of piling up. */
const MAX_CALLS = 1_000;
const CIRCUIT_FAILURES = 5;
const CIRCUIT_OPEN_MS = 1_000;
const DEFAULT_RETRY_SECONDS = 1;
const MAX_RETRY_SECONDS = 3_600;

export type { AuthUser, ValidAuth } from "./answers.ts";

/** No token, a malformed one, or one that the center refuses: answer 401. */
export interface RefusedAuth {
  readonly status: "refused";
}

/** Why there is no answer: never the text of an error, which could hold a part of the request. */
export type AuthUnavailableReason =
  | "timeout"
  | "unreachable"
  | "rate_limited"
  | "client_refused"
  | "unexpected_status"
  | "unexpected_body"
  | "circuit_open"
  | "too_many_calls";

/** The token cannot be checked: answer 503 and deny access. */
export interface AuthUnavailable {
  readonly status: "auth_unavailable";
  readonly reason: AuthUnavailableReason;
  readonly retryAfterSeconds: number;
}

export type AuthResult = ValidAuth | RefusedAuth | AuthUnavailable;

/** The part of fetch that is used. */
export type AuthFetch = (url: string, init: RequestInit) => Promise<Response>;

/** `now` in epoch milliseconds; `monotonic` in milliseconds that only grow. */
export interface AuthClientClock {
  now(): number;
  monotonic(): number;
}

export interface AuthClientOptions {
  /** Address of the auth center, such as https://auth.example.org; a path before /api is kept. */
  readonly authUrl: string;
  /**
   * The id and secret under which an administrator registered this application. With them the center tells of tokens
   * that it issued to this application, and every other token is refused. Without them it tells of first-party
   * sign-ins alone (POST /api/auth/login), and refuses what any application received from /oauth/token.
   */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /**
   * For an API that other applications call: the identifier of its resource, which is among the `audiences` of
   * `clientId` at the center. Then first-party sign-ins and tokens for this resource are valid, and all others are
   * refused; look at `scopes` before you let an application do something. Needs `clientId` and `clientSecret`.
   */
  readonly audience?: string;
  /** The name of this application for the center's ledger (X-Auth-Client), where there is no `clientId`. */
  readonly clientName?: string;
  /** Longest wait for an answer with its body; 1,500 ms unless told. */
  readonly timeoutMs?: number;
  /** How long an answer may be cached, counted from its request; 3,000 ms by default, 0 disables caching. */
  readonly cacheMs?: number;
  /** Most answers that are remembered; 10,000 unless told. */
  readonly maxCached?: number;
  readonly fetch?: AuthFetch;
  readonly clock?: AuthClientClock;
}

/** Throws unless it is a whole number of at least `least`. */
function checkNumber(name: string, value: number, { least, most }: { least: number; most: number }): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}`);
}

const refused: RefusedAuth = Object.freeze({ status: "refused" });

function toUnavailable(
  reason: AuthUnavailableReason,
  retryAfterSeconds = DEFAULT_RETRY_SECONDS,
): AuthUnavailable {
  return { status: "auth_unavailable", reason, retryAfterSeconds };
}

function toValidateUrl(authUrl: string): string {
  const url = URL.canParse(authUrl) ? new URL(authUrl) : undefined;
  // The address is not quoted: it may hold a password.
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new TypeError("authUrl must be an http or https URL without a username");
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/u, "")}/api/auth/validate`;
}

/** SHA-256 of the token, in hexadecimal: what answers are remembered by. */
async function toKey(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Seconds of a Retry-After header, which holds a number or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(header: string | null, now: number): number {
  const text = header ?? "";
  const seconds = /^\d{1,9}$/u.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1_000);
  return Number.isNaN(seconds) ? DEFAULT_RETRY_SECONDS : Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS);
}

type Meant = Pick<CallOptions, "clientId" | "audience">;

/** Whether a token is first-party, where no application asks; else whether it is this application's, or for its resource. */
function isMeant(auth: ValidAuth, { clientId, audience }: Meant): boolean {
  if (clientId === undefined) return auth.audience === undefined;
  if (audience !== undefined) return auth.audience?.includes(audience) === true;
  return auth.clientId === clientId;
}

async function toResult(response: Response, { now, ...meant }: Meant & { now: number }): Promise<AuthResult> {
  const { status } = response;
  if (status === 200) {
    // The same object goes to all callers of a shared or remembered answer.
    const auth = parseValid(await readJson(response));
    if (auth === undefined) return toUnavailable("unexpected_body");
    // An answer about another's token is a refusal, whatever the center says.
    return isMeant(auth, meant) ? auth : refused;
  }
  const isProblem = /^application\/problem\+json\b/iu.test(response.headers.get("content-type") ?? "");
  if ((status === 401 || status === 403) && isProblem) {
    // Only the center's own 401 rejects a token, not that of a proxy that requires a password.
    const body = await readJson(response);
    if (parseOauthError(body) === "invalid_client") return toUnavailable("client_refused");
    return isRefusal(body) ? refused : toUnavailable("unexpected_body");
  }
  response.body?.cancel().catch(() => undefined);
  const retryAfterSeconds = parseRetryAfter(response.headers.get("retry-after"), now);
  return toUnavailable(status === 429 ? "rate_limited" : "unexpected_status", retryAfterSeconds);
}

interface CallOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clientId: string | undefined;
  readonly audience: string | undefined;
  /** Basic credentials of the application, when it has any. */
  readonly basic: string | undefined;
  readonly timeoutMs: number;
  readonly fetch: AuthFetch;
  readonly clock: AuthClientClock;
}

/** The request to check a token; "manual" so that a redirect carries neither token nor secret elsewhere. */
function toQuestion(token: string, { headers, basic }: CallOptions): RequestInit {
  if (basic === undefined)
    return { headers: { ...headers, authorization: `Bearer ${token}` }, redirect: "manual" };
  return {
    method: "POST",
    headers: {
      ...headers,
      authorization: `Basic ${basic}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ token }).toString(),
    redirect: "manual",
  };
}

/** One request to the center. Never rejects, and ends at the time-out whatever fetch does. */
async function callCenter(token: string, options: CallOptions): Promise<AuthResult> {
  const controller = new AbortController();
  const { signal } = controller;
  async function request(): Promise<AuthResult> {
    const response = await options.fetch(options.url, { ...toQuestion(token, options), signal });
    return toResult(response, { ...options, now: options.clock.now() });
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<AuthResult>((resolve) => {
    timer = setTimeout(() => {
      resolve(toUnavailable("timeout"));
      controller.abort();
    }, options.timeoutMs);
  });
  try {
    return await Promise.race([request(), timeout]);
  } catch {
    return toUnavailable("unreachable");
  } finally {
    clearTimeout(timer);
  }
}

type Work = () => Promise<AuthResult>;

/** After repeated failures, calls fail fast for a while; then one call tries first. */
function createCircuit(clock: AuthClientClock): (work: Work) => Promise<AuthResult> {
  let failures = 0;
  let openUntil = 0;
  let isProbing = false;
  return async (work) => {
    const isProbe = failures >= CIRCUIT_FAILURES;
    if (isProbe && (isProbing || clock.monotonic() < openUntil)) return toUnavailable("circuit_open");
    if (isProbe) isProbing = true;
    const result = await work();
    if (isProbe) isProbing = false;
    if (result.status !== "auth_unavailable") {
      failures = 0;
    } else if (isProbe || failures < CIRCUIT_FAILURES) {
      // Other calls began before the circuit opened: failing late, they do not keep it open.
      failures += 1;
      openUntil = clock.monotonic() + CIRCUIT_OPEN_MS;
    }
    return result;
  };
}

interface Remembered {
  readonly result: ValidAuth | RefusedAuth;
  /** Monotonic milliseconds. */
  readonly until: number;
}

type Answers = ReturnType<typeof createAnswers>;

/** The short memory: at most `maxCached` answers, the oldest goes first. */
function createAnswers(maxCached: number, clock: AuthClientClock) {
  const answers = new Map<string, Remembered>();
  function isFresh({ result, until }: Remembered): boolean {
    // Both clocks: the monotonic one cannot be set back, and expiresAt is a time of day.
    return clock.monotonic() < until && (result.status === "refused" || clock.now() < result.expiresAt);
  }
  return {
    find(key: string): AuthResult | undefined {
      const answer = answers.get(key);
      if (answer === undefined) return undefined;
      if (isFresh(answer)) return answer.result;
      answers.delete(key);
      return undefined;
    },
    keep(key: string, answer: Remembered): void {
      if (!isFresh(answer)) return;
      answers.delete(key);
      answers.set(key, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= maxCached) break;
        answers.delete(oldest);
      }
    },
    drop: (key: string): void => void answers.delete(key),
    dropAll: (): void => answers.clear(),
    dropSession(sessionId: string): void {
      for (const [key, { result }] of answers)
        if (result.status === "valid" && result.sessionId === sessionId) answers.delete(key);
    },
  };
}

interface SharedCall {
  readonly startedAt: number;
  readonly result: Promise<AuthResult>;
}

/** Calls to the center, one for all who ask about the same token at the same time; fills `answers`. */
function createShared(call: CallOptions, cacheMs: number, answers: Answers) {
  const { clock } = call;
  const throughCircuit = createCircuit(clock);
  const running = new Map<string, SharedCall>();
  let runningCount = 0;
  function settle(key: string, shared: SharedCall, result: AuthResult): void {
    runningCount -= 1;
    // Forgotten in the meantime, or overtaken by a later call: what it brings is no longer to be kept.
    if (running.get(key) !== shared) return;
    running.delete(key);
    if (result.status === "auth_unavailable") return;
    const keptMs = result.status === "valid" ? cacheMs : Math.min(cacheMs, REFUSED_CACHE_MS);
    // Counted from the question: the center may have judged just before a revocation and answered late.
    answers.keep(key, { result, until: shared.startedAt + keptMs });
  }
  return {
    async ask(key: string, token: string): Promise<AuthResult> {
      const startedAt = clock.monotonic();
      const present = running.get(key);
      // An older call may carry an older judgement than a remembered answer might.
      if (present !== undefined && startedAt < present.startedAt + cacheMs) return present.result;
      if (runningCount >= MAX_CALLS) return toUnavailable("too_many_calls");
      runningCount += 1;
      const shared: SharedCall = { startedAt, result: throughCircuit(() => callCenter(token, call)) };
      running.set(key, shared);
      const result = await shared.result;
      settle(key, shared, result);
      return result;
    },
    drop: (key: string): void => void running.delete(key),
    dropAll: (): void => running.clear(),
  };
}

/** The token of a request, "" without one. Rejects for what is no request: JavaScript is not held to the type. */
async function readToken({ headers }: { readonly headers: object }): Promise<string> {
  const get: unknown = Reflect.get(headers, "get");
  const isHeaders = typeof get === "function";
  const value: unknown = isHeaders
    ? Reflect.apply(get, headers, ["authorization"])
    : Reflect.get(headers, "authorization");
  return BEARER.exec(String(value))?.[1] ?? "";
}

export type AuthClient = ReturnType<typeof createOneClient>;

/** Creates a client of the auth center. Throws when an option is not usable. */
export function createAuthClient(options: AuthClientOptions): AuthClient {
  const { audience, clientId, clientSecret, ...rest } = options;
  if (audience === undefined) return createOneClient(options);
  if (clientId === undefined) throw new TypeError("audience requires clientId and clientSecret");
  const foreign = createOneClient(options);
  const firstParty = createOneClient({ clientName: clientId, ...rest });
  async function validate(token: string): Promise<AuthResult> {
    // Only applications get JWTs.
    const first = token.startsWith("eyJ") ? refused : await firstParty.validate(token);
    return first.status === "refused" ? foreign.validate(token) : first;
  }
  return {
    validate,
    validateRequest: (request) => readToken(request).then(validate, () => refused),
    forget: async (token) => {
      await Promise.all([firstParty.forget(token), foreign.forget(token)]);
    },
    forgetSession: (sessionId) => {
      firstParty.forgetSession(sessionId);
      foreign.forgetSession(sessionId);
    },
    forgetAll: () => {
      firstParty.forgetAll();
      foreign.forgetAll();
    },
  };
}

/** Sends requests in one way: as a registered application, or anonymously. */
function createOneClient(options: AuthClientOptions) {
  const {
    clientId,
    clientSecret,
    clientName,
    audience,
    clock = { now: () => Date.now(), monotonic: () => performance.now() },
  } = options;
  const timeoutMs = checkNumber("timeoutMs", options.timeoutMs ?? 1_500, { least: 1, most: 60_000 });
  const cacheMs = checkNumber("cacheMs", options.cacheMs ?? 3_000, { least: 0, most: 86_400_000 });
  const maxCached = checkNumber("maxCached", options.maxCached ?? 10_000, { least: 0, most: 10_000_000 });
  if (clientName !== undefined && !CLIENT_NAME.test(clientName))
    throw new TypeError(
      "clientName must be 1 to 64 characters of a-z, 0-9, '.', '_' and '-', and start with a-z or 0-9",
    );
  const basic = findBasic(clientId, clientSecret);
  const maxToken = basic === undefined ? MAX_HEADER_TOKEN : MAX_BODY_TOKEN;
  const answers = createAnswers(maxCached, clock);
  const call = {
    url: toValidateUrl(options.authUrl),
    headers: {
      accept: "application/json",
      ...(clientName === undefined ? {} : { "x-auth-client": clientName }),
    },
    clientId,
    audience,
    basic,
    timeoutMs,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock,
  } satisfies CallOptions;
  const shared = createShared(call, cacheMs, answers);
  let forgetting = Promise.resolve();

  async function validate(token: string): Promise<AuthResult> {
    if (token.length > maxToken || !TOKEN.test(token)) return refused;
    // Tokens forgotten before this call are removed before the cache is read.
    const [key] = await Promise.all([toKey(token), forgetting]);
    return answers.find(key) ?? shared.ask(key, token);
  }
  async function drop(token: string): Promise<void> {
    const key = await toKey(token);
    answers.drop(key);
    shared.drop(key);
  }
  return {
    /** The user of a token. Never rejects. */
    validate,
    /**
     * The same for the Authorization header of a request; `refused` without asking when it holds no token. Takes a
     * Request, or what Node and Express hand to a handler: headers as an object with lower-case names. Never rejects.
     */
    validateRequest: (request: { readonly headers: object }): Promise<AuthResult> =>
      readToken(request).then(validate, () => refused),
    /**
     * Drops what is cached for a token. Later calls of `validate` send a request again, even if this call is
     * not awaited.
     */
    forget(token: string): Promise<void> {
      forgetting = Promise.all([forgetting, drop(token)]).then(() => undefined);
      return forgetting;
    },
    /** Drops what is cached for a session, such as after a sign-out; later calls send a request again. */
    forgetSession(sessionId: string): void {
      answers.dropSession(sessionId);
      // The session of a running call is only known when it ends.
      shared.dropAll();
    },
    /** Clears the cache, such as after a back-channel sign-out; later calls send a request again. */
    forgetAll(): void {
      answers.dropAll();
      shared.dropAll();
    },
  };
}

/** Tokens of people who signed in at the center: had for a code, renewed, and given up again. */
import { type TokenAnswer, parseOauthError, parseTokens, readJson } from "./answers.ts";
import type { AuthClientClock, AuthFetch } from "./client.ts";
import { toBasic } from "./credentials.ts";

/** The encrypted content of a browser's cookie. */
export interface HeldTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Epoch milliseconds by this machine's clock. */
  readonly accessEndsAt: number;
  readonly refreshEndsAt: number;
}

/** `refused`: the center rejected the code or token, sign in again; `unavailable`: unknown now. */
export type TokenResult = HeldTokens | "refused" | "unavailable";

export interface TokenCallsOptions {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  readonly fetch: AuthFetch;
  readonly clock: AuthClientClock;
}

/** Answers that are remembered: a browser that lost one still sends the spent token or code. */
const MAX_REMEMBERED = 10_000;
/** For so long a code that comes again is a request sent twice. Later the center takes it for a theft. */
const CODE_MS = 10_000;

function toHeld(answer: TokenAnswer, nowMs: number): HeldTokens {
  const { accessToken, refreshToken, expiresInSeconds, refreshExpiresInSeconds } = answer;
  return {
    accessToken,
    refreshToken,
    accessEndsAt: nowMs + expiresInSeconds * 1_000,
    refreshEndsAt: nowMs + refreshExpiresInSeconds * 1_000,
  };
}

/** Calls that are good once: everyone who asks with the same key until `until` gets the same answer. */
function createOnce(clock: AuthClientClock) {
  const known = new Map<string, { readonly result: Promise<TokenResult>; readonly until: number }>();
  return (key: string, { until, ask }: { until: number; ask: () => Promise<TokenResult> }) => {
    const present = known.get(key);
    if (present !== undefined && clock.now() < present.until) return present.result;
    const result = ask();
    known.delete(key);
    known.set(key, { result, until });
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break;
      known.delete(oldest);
    }
    void result.then((answer) => {
      if (typeof answer === "string") known.delete(key);
    });
    return result;
  };
}

/** Creates what asks the center for tokens. */
export function createTokenCalls(options: TokenCallsOptions) {
  const { authUrl, clientId, clientSecret, timeoutMs, clock } = options;
  const basic = toBasic(clientId, clientSecret);
  const once = createOnce(clock);

  async function post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return options.fetch(`${authUrl}${path}`, {
      method: "POST",
      headers: {
        accept: "application/json",
        authorization: `Basic ${basic}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(fields).toString(),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  async function ask(fields: Readonly<Record<string, string>>): Promise<TokenResult> {
    try {
      const response = await post("/oauth/token", fields);
      const body = await readJson(response);
      if (response.status === 400 && parseOauthError(body) === "invalid_grant") return "refused";
      const answer = response.status === 200 ? parseTokens(body) : undefined;
      return answer === undefined ? "unavailable" : toHeld(answer, clock.now());
    } catch {
      return "unavailable";
    }
  }

  return {
    /** Tokens for the code that a browser brought; one call for all who bring the same. Never rejects. */
    exchange: (code: string, { verifier, redirectUri }: { verifier: string; redirectUri: string }) =>
      once(`${code} ${verifier}`, {
        until: clock.now() + CODE_MS,
        ask: () =>
          ask({
            grant_type: "authorization_code",
            code,
            code_verifier: verifier,
            redirect_uri: redirectUri,
          }),
      }),
    /** New tokens; one call for all who hold the same refresh token, which is good once. Never rejects. */
    refresh: (refreshToken: string): Promise<TokenResult> =>
      once(refreshToken, {
        until: Number.POSITIVE_INFINITY,
        ask: () => ask({ grant_type: "refresh_token", refresh_token: refreshToken }),
      }),
    /**
     * Ends this application's sign-in at the center; resolves with whether that is certain. The browser's own session
     * at the center goes on: /oauth/logout ends it. A service of the same install ends both.
     */
    end: async (accessToken: string): Promise<boolean> => {
      try {
        const response = await options.fetch(`${authUrl}/api/auth/logout`, {
          method: "POST",
          headers: { authorization: `Bearer ${accessToken}` },
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.body?.cancel();
        return response.ok || response.status === 401;
      } catch {
        return false;
      }
    },
  };
}

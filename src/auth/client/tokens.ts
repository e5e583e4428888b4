/** Tokens of people who signed in at the center: had for a code, renewed, and given up again. */
import { type TokenAnswer, parseOauthError, parseTokens, readJson } from "./answers.ts";
import type { AuthClientClock, AuthFetch } from "./client.ts";

/** What a browser's cookie holds, sealed. */
export interface HeldTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Epoch milliseconds by this machine's clock. */
  readonly accessEndsAt: number;
  readonly refreshEndsAt: number;
}

/** `refused`: the center does not take the code or token, sign in again; `unavailable`: nobody knows now. */
export type TokenResult = HeldTokens | "refused" | "unavailable";

export interface TokenCallsOptions {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  readonly fetch: AuthFetch;
  readonly clock: AuthClientClock;
}

/** Successors of spent refresh tokens that are remembered: a browser that lost an answer still sends the spent one. */
const MAX_SUCCESSORS = 10_000;

function toHeld(answer: TokenAnswer, nowMs: number): HeldTokens {
  const { accessToken, refreshToken, expiresInSeconds, refreshExpiresInSeconds } = answer;
  return {
    ...{ accessToken, refreshToken },
    accessEndsAt: nowMs + expiresInSeconds * 1_000,
    refreshEndsAt: nowMs + refreshExpiresInSeconds * 1_000,
  };
}

/** Makes what asks the center for tokens. */
export function createTokenCalls(options: TokenCallsOptions) {
  const { authUrl, clientId, clientSecret, timeoutMs, clock } = options;
  // RFC 6749 section 2.3.1: both parts are form-encoded first.
  const basic = btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  const successors = new Map<string, Promise<TokenResult>>();

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

  function forgetEnded(): void {
    for (const oldest of successors.keys()) {
      if (successors.size <= MAX_SUCCESSORS) return;
      successors.delete(oldest);
    }
  }

  return {
    /** Tokens for the code that a browser brought. Never rejects. */
    exchange: (code: string, { verifier, redirectUri }: { verifier: string; redirectUri: string }) =>
      ask({ grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri }),
    /** New tokens; one call for all who hold the same refresh token, which is good once. Never rejects. */
    refresh(refreshToken: string): Promise<TokenResult> {
      const known = successors.get(refreshToken);
      if (known !== undefined) return known;
      const asked = ask({ grant_type: "refresh_token", refresh_token: refreshToken });
      successors.set(refreshToken, asked);
      forgetEnded();
      void asked.then((result) => {
        if (typeof result === "string") successors.delete(refreshToken);
      });
      return asked;
    },
    /** Ends the sign-in at the center, for this browser and all applications; resolves with whether that is certain. */
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

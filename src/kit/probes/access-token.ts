/** Access tokens of OAuth 2.0 by client credentials (RFC 6749 section 4.4), kept until they expire. */
export interface TokenAsk {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly audience: string;
}

/** The token server's response. */
export interface TokenAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a form to the token server. */
export type SendForm = (form: string, headers: Readonly<Record<string, string>>) => Promise<TokenAnswer>;

interface Kept {
  readonly token: string;
  /** By the monotonic clock, milliseconds. */
  readonly untilMs: number;
}

const MAX_KEPT = 1_000;
/** A token is renewed so long before it expires. */
const EARLY_MS = 30_000;
/** How long a token counts whose server does not say it. */
const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 86_400;

/** Why there is no token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

/** Form encoding, which RFC 6749 section 2.3.1 wants of both parts as well. */
const encode = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);

function readToken({ status, text }: TokenAnswer): { token: string; seconds: number } {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = undefined;
  }
  const members = new Map<string, unknown>(
    typeof answer === "object" && answer ? Object.entries(answer) : [],
  );
  const token = members.get("access_token");
  if (status >= 200 && status < 300 && typeof token === "string" && /^[!-~]{1,16000}$/u.test(token)) {
    const seconds = Number(members.get("expires_in") ?? DEFAULT_SECONDS);
    return { token, seconds: seconds >= 0 ? Math.min(MAX_SECONDS, seconds) : DEFAULT_SECONDS };
  }
  const error = members.get("error");
  const why = typeof error === "string" ? ` (${error.slice(0, 60)})` : "";
  throw new TokenError(
    status >= 200 && status < 300
      ? "The token server sent no access token"
      : `The token server responded with ${status}${why}`,
  );
}

const kept = new Map<string, Kept>();

function toKey(ask: TokenAsk): string {
  const { tokenUrl, clientId, clientSecret, scopes, audience } = ask;
  return JSON.stringify([tokenUrl, clientId, clientSecret, scopes, audience]);
}

/** Forgets a token that its resource refused. */
export function forgetToken(ask: TokenAsk): void {
  kept.delete(toKey(ask));
}

/** A token, and whether it was there already. @throws TokenError; what `send` throws */
export async function getToken(
  ask: TokenAsk,
  { send, nowMs }: { readonly send: SendForm; readonly nowMs: () => number },
): Promise<{ readonly token: string; readonly isKept: boolean }> {
  const key = toKey(ask);
  const known = kept.get(key);
  if (known !== undefined && known.untilMs > nowMs()) return { token: known.token, isKept: true };
  const { clientId, clientSecret, scopes, audience } = ask;
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes !== "") form.set("scope", scopes);
  if (audience !== "") form.set("audience", audience);
  const basic = btoa(`${encode(clientId)}:${encode(clientSecret)}`);
  let answer = await send(form.toString(), { authorization: `Basic ${basic}` });
  // Servers that take the secret in the body alone.
  if (answer.status === 400 || answer.status === 401) {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
    answer = await send(form.toString(), {});
  }
  const { token, seconds } = readToken(answer);
  kept.delete(key);
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
  kept.set(key, { token, untilMs: nowMs() + Math.max(0, seconds * 1_000 - EARLY_MS) });
  return { token, isKept: false };
}

/** Asks the auth center for the application of a token from `client_credentials`. */
import { z } from "zod";
import type { AccountCenter, CenterMachine } from "../../kit/outbound/account-center.ts";
import { fetchLocal } from "../../kit/outbound/unix-socket.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Clock } from "../../kit/time/clock.ts";

/** How long an answer is used again. */
const CACHE_MS = 3_000;
const MAX_KEPT = 1_000;
const TOKEN = /^mac_[\w-]{20,100}$/u;

const answerSchema = z.union([
  z.object({ active: z.literal(true), sub: z.string(), client_id: z.string(), scope: z.string() }),
  z.object({ active: z.literal(false) }),
]);

interface Kept {
  readonly machine: CenterMachine | undefined;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** Creates the question; `basic` are the service's own credentials at the center. */
export function createMachineCheck({
  authUrl,
  basic,
  timeoutMs,
  clock,
  fetch: send = fetchLocal,
}: {
  readonly authUrl: string;
  readonly basic: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}): AccountCenter["checkMachine"] {
  const kept = new Map<string, Kept>();

  async function ask(token: string): Promise<CenterMachine | "auth_unavailable" | undefined> {
    try {
      const response = await send(`${authUrl}/api/auth/introspect`, {
        method: "POST",
        headers: { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ token }).toString(),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      // A center that does not know this service knows no tokens for it either.
      if (response.status === 401) {
        await response.body?.cancel();
        return undefined;
      }
      const answer = answerSchema.parse(await response.json());
      // Only a machine's token is its own subject.
      if (!answer.active || answer.sub !== answer.client_id) return undefined;
      return { clientId: answer.client_id, scopes: answer.scope.split(" ") };
    } catch {
      return "auth_unavailable";
    }
  }

  return async (token) => {
    if (!TOKEN.test(token)) return undefined;
    const key = hashSecret(token);
    const known = kept.get(key);
    const nowMs = clock.monotonic();
    if (known !== undefined && nowMs < known.until) return known.machine;
    const answer = await ask(token);
    if (answer === "auth_unavailable") return answer;
    kept.delete(key);
    kept.set(key, { machine: answer, until: nowMs + CACHE_MS });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return answer;
  };
}

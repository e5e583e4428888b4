/** Keys that applications publish (RFC 7517): fetched through the checked outbound HTTP, and remembered for a while. */
import { type JSONWebKeySet, type JWTVerifyGetKey, createLocalJWKSet, errors } from "jose";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import type { Clock } from "../../kit/time/clock.ts";

/** A key set is fetched again after the first, and for an unknown key, or where it could not be read, at most once in the second. */
const KEPT_MS = 600_000;
const AGAIN_MS = 30_000;
const MAX_SETS = 1_000;

interface Kept {
  /** Rejects where the set could not be read. */
  keys: Promise<JWTVerifyGetKey>;
  /** Monotonic milliseconds: time of the last request, and until when its answer is valid. */
  readonly askedAt: number;
  until: number;
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return typeof value === "object" && value !== null && Array.isArray(Reflect.get(value, "keys"));
}

/** @throws errors.JWKSInvalid */
function parseKeySet(text: string): JSONWebKeySet {
  try {
    const set: unknown = JSON.parse(text);
    if (isKeySet(set)) return set;
  } catch {
    // Said below.
  }
  throw new errors.JWKSInvalid("The key set of the application is malformed");
}

/** Creates what opens key sets by their addresses. */
export function createKeySets({ outbound, clock }: { outbound: Outbound; clock: Clock }) {
  const kept = new Map<string, Kept>();

  async function fetchKeys(url: string): Promise<JWTVerifyGetKey> {
    const outcome = await outbound.send({ method: "GET", url, headers: {}, followRedirects: false });
    if (outcome.kind !== "answered" || outcome.status !== 200)
      throw new errors.JWKSInvalid("The key set of the application cannot be read");
    return createLocalJWKSet(parseKeySet(outcome.text));
  }

  /**
   * Requests a URL once for all waiting callers. The last keys stay valid for their time, even if the URL fails
   * meanwhile.
   */
  function ask(url: string, known: Kept | undefined): Promise<JWTVerifyGetKey> {
    const now = clock.monotonic();
    const fresh: Kept = { keys: fetchKeys(url), askedAt: now, until: now + KEPT_MS };
    const { keys } = fresh;
    keys.catch(() => {
      fresh.until = known === undefined || known.until <= now ? now + AGAIN_MS : known.until;
      if (known !== undefined && known.until > now) fresh.keys = known.keys;
    });
    kept.delete(url);
    kept.set(url, fresh);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_SETS) break;
      kept.delete(oldest);
    }
    return keys;
  }

  /** Anyone can name an application and a key: so the number of requests to its URL is limited. */
  function read(url: string, isAgain: boolean): Promise<JWTVerifyGetKey> {
    const known = kept.get(url);
    if (known === undefined) return ask(url, known);
    const now = clock.monotonic();
    const isFresh = isAgain ? now - known.askedAt < AGAIN_MS : now < known.until;
    return isFresh ? known.keys : ask(url, known);
  }

  return {
    /** The keys at an address. @throws errors.JOSEError when they cannot be read or none fits */
    open:
      (url: string): JWTVerifyGetKey =>
      async (header, token) => {
        const keys = await read(url, false);
        try {
          return await keys(header, token);
        } catch (error) {
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
          // The application may have changed its keys.
          return (await read(url, true))(header, token);
        }
      },
  };
}

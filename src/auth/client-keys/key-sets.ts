/** Keys that applications publish (RFC 7517): fetched through the checked outbound HTTP, and remembered for a while. */
import { type JSONWebKeySet, type JWTVerifyGetKey, createLocalJWKSet, errors } from "jose";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import type { Clock } from "../../kit/time/clock.ts";

/** A key set is fetched again after the first, and for an unknown key at most once in the second. */
const KEPT_MS = 600_000;
const AGAIN_MS = 30_000;
const MAX_SETS = 1_000;

interface Kept {
  readonly keys: JWTVerifyGetKey;
  /** Monotonic milliseconds. */
  readonly at: number;
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

  async function read(url: string, maxAgeMs: number): Promise<Kept> {
    const known = kept.get(url);
    if (known !== undefined && clock.monotonic() - known.at < maxAgeMs) return known;
    const fresh = { keys: await fetchKeys(url), at: clock.monotonic() };
    kept.delete(url);
    kept.set(url, fresh);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_SETS) break;
      kept.delete(oldest);
    }
    return fresh;
  }

  return {
    /** The keys at an address. @throws errors.JOSEError when they cannot be read or none fits */
    open:
      (url: string): JWTVerifyGetKey =>
      async (header, token) => {
        const { keys } = await read(url, KEPT_MS);
        try {
          return await keys(header, token);
        } catch (error) {
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
          // The application may have changed its keys.
          return (await read(url, AGAIN_MS)).keys(header, token);
        }
      },
  };
}

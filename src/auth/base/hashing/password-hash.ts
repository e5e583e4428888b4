/** Passwords at rest: argon2id for new ones, and whatever was imported until its owner signs in. */
import { availableParallelism } from "node:os";
import { hash as hashArgon2 } from "@node-rs/argon2";
import { parsePasswordHash, verifyPasswordHash } from "./foreign-hash.ts";
import { createHashQueue } from "./hash-queue.ts";

/** Parameters of argon2id: memory in KiB, passes (t), and lanes (p). */
export interface Argon2Cost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
}

/** 19 MiB, t=2, p=1: OWASP Password Storage Cheat Sheet, "Argon2id". */
export const defaultArgon2Cost: Argon2Cost = { memoryKiB: 19_456, passes: 2, lanes: 1 };

const DEFAULT_MAX_WAITING = 64;
const SALT_BYTES = 16; // what @node-rs/argon2 takes; RFC 9106 section 3.1 recommends it
const HASH_BYTES = 32;

export interface PasswordHasherOptions {
  /** Hashes at once; {@link toHashPlaces} of the cores unless told. */
  readonly atOnce?: number;
  /** Hashes that may wait, 64 unless told. */
  readonly maxWaiting?: number;
  /** {@link defaultArgon2Cost} unless told. */
  readonly cost?: Argon2Cost;
}

/**
 * How many hashes run at once on so many cores. One more than cores: with as many as cores, a core whose hash is done
 * has nothing to do until this thread hears of it and hands out the next, a tenth of the time. From three cores on it
 * would take the last of the four threads on which Node also writes files.
 */
export function toHashPlaces(cores: number): number {
  return cores < 3 ? cores + 1 : cores;
}

/** A hash that we could have made would be checked by us, so costs beyond the bounds of a check are refused. */
function checkCost(cost: Argon2Cost): void {
  const { memoryKiB, passes, lanes } = cost;
  const sample = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${"A".repeat(22)}$${"A".repeat(43)}`;
  if (parsePasswordHash(sample) !== undefined) return;
  throw new RangeError(`No password could be checked at a cost of m=${memoryKiB},t=${passes},p=${lanes}`);
}

/**
 * Hashes and checks passwords. They are taken as they are: normalising (NFKC) and length limits belong to
 * the caller. `hash` and `verify` throw `unavailable` when too many wait.
 */
export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Creates a hasher. Throws RangeError for a cost, or numbers of the queue, that cannot be. */
export function createPasswordHasher(options: PasswordHasherOptions = {}) {
  const cost = options.cost ?? defaultArgon2Cost;
  checkCost(cost);
  const queue = createHashQueue({
    atOnce: options.atOnce ?? toHashPlaces(availableParallelism()),
    maxWaiting: options.maxWaiting ?? DEFAULT_MAX_WAITING,
  });
  return {
    /** A PHC string of argon2id with a fresh salt. */
    hash: (password: string): Promise<string> =>
      queue.run(() =>
        // The library's default algorithm is argon2id, version 19.
        hashArgon2(password, {
          memoryCost: cost.memoryKiB,
          timeCost: cost.passes,
          parallelism: cost.lanes,
          outputLen: HASH_BYTES,
        }),
      ),
    /** False for a wrong password, and for a string that is no hash or beyond the bounds on cost. */
    verify: async (password: string, phc: string): Promise<boolean> => {
      const hash = parsePasswordHash(phc);
      if (hash === undefined) return false;
      return queue.run(() => verifyPasswordHash(password, hash));
    },
    /** Whether to rehash at the next sign-in: not argon2id, or weaker than the output of `hash`. */
    isOutdated: (phc: string): boolean => {
      const hash = parsePasswordHash(phc);
      if (hash?.scheme !== "argon2" || hash.variant !== "id" || hash.revision !== 19) return true;
      if (hash.saltBytes < SALT_BYTES || hash.hashBytes < HASH_BYTES) return true;
      return hash.memoryKiB < cost.memoryKiB || hash.passes < cost.passes || hash.lanes < cost.lanes;
    },
    /** The cost of what `hash` makes. */
    ownCost: `argon2id m=${cost.memoryKiB},t=${cost.passes},p=${cost.lanes}`,
    /** Whether a check takes as long as one of a hash that `hash` makes. */
    isOwnCost: (phc: string): boolean => {
      const hash = parsePasswordHash(phc);
      if (hash?.scheme !== "argon2" || hash.variant !== "id" || hash.revision !== 19) return false;
      return hash.memoryKiB === cost.memoryKiB && hash.passes === cost.passes && hash.lanes === cost.lanes;
    },
    /** Whether a string, for example of an import, can be verified at all. */
    isKnown: (phc: string): boolean => parsePasswordHash(phc) !== undefined,
    /** How much waits and runs now. */
    queue: { waiting: queue.waiting, running: queue.running },
  };
}

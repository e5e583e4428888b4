/**
 * A least time for failed sign-ins while imported password hashes are there: their checks take longer than ours, so
 * the time of an answer would tell whose account was taken over. Waited where no lock, hash or transaction is held.
 */
import { AppError } from "../../kit/errors.ts";
import type { AuthDeps } from "../base/deps.ts";
import { mayHaveForeignHashes } from "./foreign-hashes.ts";

/** Two or three checks of bcrypt at cost 12 or of PBKDF2 with 600,000 iterations (OWASP) stay below it. */
const FLOOR_MS = 1_000;
/** Refusals by address or for load tell nothing of an account. */
const AT_ONCE: ReadonlySet<string> = new Set(["too_many_attempts", "unavailable"]);

export function createFailureFloor({ store, clock, pause }: Pick<AuthDeps, "store" | "clock" | "pause">) {
  return {
    /** Runs a sign-in, and throws what it throws, later when it came too soon. */
    run: async <R>(signIn: () => Promise<R>): Promise<R> => {
      const beganMs = clock.monotonic();
      try {
        return await signIn();
      } catch (error) {
        if (error instanceof AppError && !AT_ONCE.has(error.code) && (await store.read(mayHaveForeignHashes)))
          await pause(Math.max(0, beganMs + FLOOR_MS - clock.monotonic()));
        throw error;
      }
    },
  };
}

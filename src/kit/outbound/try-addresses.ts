/** Names with several addresses: one after another, until one is there. */
import { ExchangeError } from "./outbound-exchange.ts";
import { codeOf } from "../thrown.ts";

/** Addresses of a name that are tried at most. */
export const MAX_ADDRESSES = 8;
/** An address that does not answer must not use up all of the time. */
const CONNECT_MS = 3_000;

const NO_WAY = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"]);

/** Of two addresses that failed, the one to which there is a way says more. */
function pickTelling(before: unknown, now: unknown): unknown {
  const cause = before instanceof ExchangeError ? before.cause : before;
  return before === undefined || NO_WAY.has(codeOf(cause) ?? "") ? now : before;
}

export interface AddressTries<T> {
  readonly signal: AbortSignal;
  /** Has so many milliseconds to connect; the last one has the rest of the time. Fails with an {@link ExchangeError}. */
  readonly attempt: (address: string, connectMs: number | undefined) => Promise<T>;
}

/** Resolves with what the first address gives that can be connected to. @throws ExchangeError when none can */
export async function tryAddresses<T>(
  addresses: readonly string[],
  { signal, attempt }: AddressTries<T>,
): Promise<T> {
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    try {
      return await attempt(address, index === addresses.length - 1 ? undefined : CONNECT_MS);
    } catch (error) {
      failure = pickTelling(failure, error);
      // Try another address only while no data can have been received.
      if (!(error instanceof ExchangeError) || error.connected) throw error;
      if (signal.aborted) break;
    }
  }
  throw failure;
}

/** For whom passkeys are made: the host of the center's address, with the origins that may ask for them. */
import { AppError } from "../../kit/errors.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import { passkeys } from "../accounts/records.ts";
import { state } from "../base/records.ts";
import { readSettings } from "../settings/settings.ts";
import { changeState } from "../base/state.ts";

export interface RelyingParty {
  /** The host. A passkey works for it alone. */
  readonly id: string;
  readonly origin: string;
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]"]);

/**
 * The relying party of an address. undefined without one, and for an address without a host name: browsers make no
 * passkeys for numbers. This machine goes by its name.
 */
export function findRelyingParty(address: string): RelyingParty | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (LOOPBACK.has(url.hostname)) url.hostname = "localhost";
  const isNumber = url.hostname.startsWith("[") || /^[\d.]+$/u.test(url.hostname);
  return isNumber ? undefined : { id: url.hostname, origin: url.origin };
}

/** The relying party. Throws `unavailable` where passkeys cannot be. */
export function needRelyingParty(party: RelyingParty | undefined): RelyingParty {
  if (party !== undefined) return party;
  throw new AppError(
    "unavailable",
    "Passkeys require a host name. Set AUTH_PUBLIC_URL to a URL without an IP address",
  );
}

/** Origins that may request the passkeys: ours, and those in the settings. */
export async function listOrigins(tx: ReadTx, { origin }: RelyingParty): Promise<string[]> {
  return [origin, ...(await readSettings(tx, "registration")).fields.passkeyOrigins];
}

/** Keeps the host that passkeys are made for. Warns when it is another one than before, for which those of before do not work. */
export async function checkRelyingParty(
  { store, log }: { store: Store; log: Log },
  party: RelyingParty | undefined,
): Promise<void> {
  if (party === undefined) return;
  const { before, count } = await store.read(async (tx) => ({
    before: (await tx.get(state, "state"))?.passkeyHost,
    count: await tx.count(passkeys),
  }));
  if (before === party.id) return;
  if (before !== undefined && count > 0) {
    log.warn(
      `AUTH_PUBLIC_URL HAS A NEW HOST: ${count} passkeys for ${before} do not work for ${party.id}. ` +
        "Restore the previous value, or ask users to sign in another way and add a new passkey",
      { before, now: party.id, passkeys: count },
    );
    return;
  }
  await store.transact((tx) => changeState(tx, { passkeyHost: party.id }));
}

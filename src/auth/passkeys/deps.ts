/** Dependencies of passkeys' logic, and what its parts share. */
import type { ReadTx } from "../../store/store.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { passkeys, profiles } from "../accounts/records.ts";
import type { Amr } from "../base/amr.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { PasskeyRecord } from "../accounts/passkey-schema.ts";
import type { CreationOptions } from "./webauthn.ts";

export const MAX_PASSKEYS = 20;

export type PasskeysDeps = Pick<AuthDeps, "store" | "clock" | "expiry" | "box" | "outbox" | "publicUrl"> & {
  /** undefined where passkeys cannot be. */
  readonly relyingParty: RelyingParty | undefined;
};

/** Options for a browser, and the sealed challenge that its answer comes back with. */
export interface Begun<O> {
  readonly challengeId: string;
  readonly options: O;
}

/** An answer of a browser, identified by `browser`, "" for a program. */
export interface Answer<R> {
  readonly challengeId: string;
  readonly response: R;
  readonly browser?: string;
  readonly caller: Caller;
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(tx: ReadTx, userId: string): Promise<readonly PasskeyRecord[]> {
  return (await tx.list(passkeys, "byUser", { prefix: [userId], limit: MAX_PASSKEYS })).items;
}

/** How it was signed (RFC 8176): by a key that stays in its hardware, or by one that is copied; someone was there. */
export function toAmr({ backupEligible }: PasskeyRecord): Amr[] {
  return [backupEligible ? "swk" : "hwk", "user"];
}

/** How options name a passkey. */
export function toDescriptor({ credentialId, transports }: PasskeyRecord) {
  // Browsers pass over transports that they do not know.
  type Transports = NonNullable<CreationOptions["excludeCredentials"]>[number]["transports"];
  return { id: credentialId, type: "public-key" as const, transports: [...transports] as Transports };
}

/** The names that an authenticator shows. */
export async function describeUser(
  tx: ReadTx,
  { id, username }: UserRecord,
): Promise<{ name: string; displayName: string }> {
  return { name: username, displayName: (await tx.get(profiles, id))?.displayName ?? username };
}

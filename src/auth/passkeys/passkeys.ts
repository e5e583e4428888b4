/** The passkeys of an account: listed, renamed, removed after a fresh proof, and offered to who has none. */
import { AppError } from "../../kit/errors.ts";
import { writeAudit } from "../../records/audit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import { writeEvent } from "../accounts/events.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { assertOwner, assertRecent, type Subject } from "../sessions/subject.ts";
import { assertOtherWayIn } from "../upstream/ways-in.ts";
import type { Actor, Caller } from "../base/caller.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { passkeys } from "../accounts/records.ts";
import { weakenSessions } from "../second-factor/strengthen.ts";
import { type PasskeysDeps, describeUser, listPasskeys } from "./deps.ts";
import { createPasskeyRegistration } from "./registration.ts";
import type { PasskeyRecord } from "../accounts/passkey-schema.ts";

/** What a browser learns, so that it forgets removed passkeys and shows the current name. */
export interface AcceptedPasskeys {
  readonly rpId: string;
  readonly userId: string;
  readonly allAcceptedCredentialIds: readonly string[];
  readonly name: string;
  readonly displayName: string;
}

function createOffer({ store, relyingParty }: PasskeysDeps) {
  return {
    /** Remembers that the owner wants to be offered none. Throws `forbidden` in an administrator's session. */
    refuse: (subject: Subject): Promise<unknown> =>
      store.transact(async (tx) => {
        assertOwner(subject);
        const user = await getUser(tx, subject.user.id);
        return putUser(tx, { ...user, passkeyOffer: "never" }, { edited: false });
      }),
    /** Whether an owner who signed in with a password may be offered one. */
    mayMake: async (user: UserRecord): Promise<boolean> =>
      relyingParty !== undefined &&
      user.passkeyOffer !== "never" &&
      (await store.read((tx) => tx.count(passkeys, "byUser", { prefix: [user.id] }))) === 0,
  };
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Creates the logic of who owns passkeys, and of who administers accounts. */
export function createPasskeys(deps: PasskeysDeps) {
  const { store, clock, expiry, relyingParty } = deps;

  async function getOwn(tx: ReadTx, userId: string, id: string): Promise<PasskeyRecord> {
    const passkey = await tx.get(passkeys, id);
    if (passkey?.userId !== userId) throw new AppError("not_found", `The account has no passkey "${id}"`);
    return passkey;
  }

  async function drop(tx: Tx, user: UserRecord, passkey: PasskeyRecord, caller: Caller): Promise<void> {
    await tx.remove(passkeys, passkey.id);
    await weakenSessions(tx, user, { factor: "passkey", id: passkey.id, nowMs: expiry.now() });
    await writeEvent(tx, { userId: user.id, kind: "passkey-removed", caller, atMs: clock.now() });
    await tellOwner(tx, deps, { user, notice: "passkey-removed" });
  }

  return {
    relyingParty,
    registration: createPasskeyRegistration(deps),
    offer: createOffer(deps),
    /** The oldest first. */
    list: (userId: string): Promise<readonly PasskeyRecord[]> => store.read((tx) => listPasskeys(tx, userId)),
    /** The same for an administrator. Throws `not_found` without such an account. */
    listFor: (userId: string): Promise<readonly PasskeyRecord[]> =>
      store.read(async (tx) => listPasskeys(tx, (await getUser(tx, userId)).id)),
    /** What the owner's browser learns about them; undefined if there was never a passkey. */
    findAccepted: (userId: string): Promise<AcceptedPasskeys | undefined> =>
      store.read(async (tx) => {
        const user = await getUser(tx, userId);
        if (relyingParty === undefined || user.passkeyHandle === undefined) return undefined;
        const all = await listPasskeys(tx, userId);
        return {
          rpId: relyingParty.id,
          userId: user.passkeyHandle,
          allAcceptedCredentialIds: all.map(({ credentialId }) => credentialId),
          ...(await describeUser(tx, user)),
        };
      }),
    /** Throws `not_found`, `forbidden` in an administrator's session. */
    rename: (subject: Subject, id: string, label: string): Promise<PasskeyRecord> =>
      store.transact(async (tx) => {
        assertOwner(subject);
        return tx.put(passkeys, { ...(await getOwn(tx, subject.user.id, id)), label });
      }),
    /** Throws `not_found`, `reauth_required`, `last_way_in`. */
    remove: (subject: Subject, id: string, caller: Caller): Promise<void> =>
      store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        const user = await getUser(tx, subject.user.id);
        const passkey = await getOwn(tx, user.id, id);
        await assertOtherWayIn(tx, user, passkey.id);
        await drop(tx, user, passkey, caller);
      }),
    /** The same by an administrator, who may take the last one: for a device that was stolen. Throws `not_found`. */
    removeFor: (
      userId: string,
      id: string,
      { actor, caller }: { actor: Actor; caller: Caller },
    ): Promise<void> =>
      store.transact(async (tx) => {
        const user = await getUser(tx, userId);
        await drop(tx, user, await getOwn(tx, userId, id), caller);
        await writeAudit(
          tx,
          { actor, action: "user.remove-passkey", target: user.username, changes: [id] },
          clock,
        );
      }),
  };
}

/** Proving a mailbox with a code. */
import type { Tx } from "../../store/store.ts";
import { isUsable } from "../accounts/status.ts";
import { findByEmail, putUser, toEmailKey } from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import type { Subject } from "../sessions/subject.ts";
import { writeEvent } from "../accounts/events.ts";
import { claimMailbox } from "../passwords/mailbox-claim.ts";
import { registrations, users } from "../accounts/records.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { readSettings } from "../settings/settings.ts";
import { type SignedIn } from "../sessions/signed-in.ts";
import { completeSignIn } from "../second-factor/completion.ts";
import type { RegistrationRecord, UserRecord } from "../accounts/schema.ts";
import {
  type RegistrationDeps,
  dropRegistration,
  findWaiting,
  openAccount,
  toAccount,
} from "./waiting-accounts.ts";

export type Verified = SignedIn | { readonly kind: "pending" };

/** Uses up a mailbox's code. Throws `code_invalid`, `too_many_attempts`. `subject` is the signed-in user, if any. */
type Verify = (input: {
  email: string;
  code: string;
  challengeId?: string;
  caller: Caller;
  subject?: Subject;
}) => Promise<Verified>;

interface Proof {
  readonly email: string;
  readonly caller: Caller;
  readonly nowMs: number;
  readonly subject: Subject | undefined;
  /** The person who verifies it chose the password of the registration. */
  readonly isRegistrant: boolean;
}

/** Whether an account has the address without having verified it. */
function isUnproved(user: UserRecord, email: string): boolean {
  return user.emailVerifiedAt === undefined && user.emailLower === toEmailKey(email);
}

export function createVerify(deps: RegistrationDeps): Verify {
  const { store, clock, expiry, codes, codeGuesses } = deps;

  /** An account that exists and whose address was not proved when the code was sent. */
  async function verifyUser(tx: Tx, user: UserRecord, proof: Proof): Promise<UserRecord | undefined> {
    const { email, caller, nowMs, subject } = proof;
    // The account may have moved to another address since.
    if (user.emailLower !== toEmailKey(email)) return undefined;
    if (!isUsable(user, nowMs) && user.status !== "pending") return undefined;
    if (user.emailVerifiedAt !== undefined) return user;
    await writeEvent(tx, { userId: user.id, kind: "email-verified", caller, atMs: clock.now() });
    if (subject?.user.id !== user.id) return claimMailbox(tx, user, { nowMs });
    // Signed in as the same account: it is the one who set the password.
    return putUser(tx, { ...user, emailVerifiedAt: nowMs }, { edited: true });
  }

  async function verifyRegistration(
    tx: Tx,
    registration: RegistrationRecord,
    proof: Proof,
  ): Promise<UserRecord | undefined> {
    const { caller, nowMs, isRegistrant } = proof;
    const holder = await findByEmail(tx, registration.email);
    // Proved for an account in the meantime: this one is as good as a decoy, or it would pass by that
    // account's second factor, or open one that only has the mailbox as a further address.
    if (holder !== undefined && !isUnproved(holder, registration.email)) return undefined;
    const others = (await findWaiting(tx, registration.email)).filter(({ id }) => id !== registration.id);
    for (const other of others) await dropRegistration(tx, other);
    // An account holds the address without proof: the password of neither is taken over.
    if (holder !== undefined) {
      await dropRegistration(tx, registration);
      return verifyUser(tx, holder, proof);
    }
    await tx.remove(registrations, registration.id);
    const settings = (await readSettings(tx, "registration")).fields;
    // Same password, same hash: a different one belongs to a later or concurrent registration.
    const { passwordHash } = registration;
    const isShared = others.some((other) => other.contested || other.passwordHash !== passwordHash);
    const contested = registration.contested || (isShared && !isRegistrant);
    const account = toAccount({ ...registration, contested }, { settings, nowMs, verified: true });
    const user = await openAccount(tx, account, { caller, inviteId: registration.inviteId });
    if (contested) await tellOwner(tx, deps, { user, notice: "no-password" });
    return user;
  }

  return async ({ email, code, challengeId, caller, subject }) => {
    const guess = { purpose: "verify" as const, address: email, code, challengeId, caller };
    return codeGuesses.run(guess, () =>
      store.transact(async (tx): Promise<Verified | undefined> => {
        const nowMs = expiry.now();
        const taken = await codes.take(tx, { ...guess, nowMs });
        if (taken.kind !== "right") return undefined;
        const proof: Proof = { email, caller, nowMs, subject, isRegistrant: taken.isRegistrant };
        const registration = await tx.get(registrations, taken.subject);
        const known = registration === undefined ? await tx.get(users, taken.subject) : undefined;
        const opened = known === undefined ? undefined : await verifyUser(tx, known, proof);
        const user = registration === undefined ? opened : await verifyRegistration(tx, registration, proof);
        if (user === undefined) return undefined;
        if (user.status === "pending") return { kind: "pending" };
        return completeSignIn(tx, deps, { user, caller, amr: ["email"] });
      }),
    );
  };
}

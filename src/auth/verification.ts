/**
 * Proving a mailbox with a code. Hidden here: whoever proved it owns what waits on it, and a password that
 * somebody else set is not taken over.
 */
import type { Tx } from "../store/store.ts";
import { withoutSessions } from "./account-status.ts";
import { findByEmail, putUser } from "./accounts.ts";
import type { Caller, Subject } from "./caller.ts";
import { codeInvalid, tooManyCodes } from "./code-errors.ts";
import { writeEvent } from "./events.ts";
import { registrations, users } from "./records.ts";
import { readSettings } from "./settings.ts";
import type { SignedIn } from "./sign-in-completion.ts";
import { completeSignIn } from "./sign-in-completion.ts";
import type { RegistrationRecord, UserRecord } from "./user-schema.ts";
import type { RegistrationDeps } from "./waiting.ts";
import { findWaiting, openAccount, toAccount } from "./waiting.ts";

export type Verified = SignedIn | { readonly kind: "pending" };

/** Spends a mailbox's code. Throws `code_invalid`, `too_many_attempts`. `subject` is who is signed in, if anybody. */
export type Verify = (input: {
  email: string;
  code: string;
  caller: Caller;
  subject?: Subject | undefined;
}) => Promise<Verified>;

/** Makes the proof. */
export function createVerify(deps: RegistrationDeps): Verify {
  const { store, expiry, codes } = deps;

  async function claimUnverified(
    tx: Tx,
    holder: UserRecord,
    passwordHash: string | undefined,
    nowMs: number,
  ): Promise<UserRecord> {
    const { passwordHash: _passwordHash, passwordChangedAt: _changedAt, ...kept } = withoutSessions(holder);
    const password = passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: nowMs };
    const mfa = { recovery: [], failures: 0 };
    return putUser(tx, { ...kept, ...password, mfa, emailVerifiedAt: nowMs }, { edited: true });
  }

  async function verifyRegistration(
    tx: Tx,
    registration: RegistrationRecord,
    parts: { caller: Caller; nowMs: number },
  ): Promise<UserRecord> {
    const { caller, nowMs } = parts;
    const settings = (await readSettings(tx, "registration")).fields;
    const waiting = await findWaiting(tx, registration.email);
    // One that came later with another password is contested itself, and so makes this one.
    const contested = waiting.some((other) => other.contested);
    for (const other of waiting) await tx.remove(registrations, other.id);
    const account = toAccount({ ...registration, contested }, { settings, nowMs, verified: true });
    const holder = await findByEmail(tx, registration.email);
    if (holder === undefined) return openAccount(tx, account, { caller, inviteId: registration.inviteId });
    return claimUnverified(tx, holder, account.passwordHash, nowMs);
  }

  /** An account that exists and whose address is not verified yet. */
  async function verifyUser(
    tx: Tx,
    user: UserRecord,
    parts: { caller: Caller; nowMs: number; subject: Subject | undefined },
  ): Promise<UserRecord> {
    const { caller, nowMs, subject } = parts;
    await writeEvent(tx, { userId: user.id, kind: "email-verified", caller, atMs: deps.clock.now() });
    // Signed in as the same account: it is the one who set the password.
    if (subject?.user.id === user.id || user.emailVerifiedAt !== undefined)
      return putUser(tx, { ...user, emailVerifiedAt: user.emailVerifiedAt ?? nowMs }, { edited: true });
    return claimUnverified(tx, user, undefined, nowMs);
  }

  return async ({ email, code, caller, subject }) => {
    const outcome = await store.transact(async (tx) => {
      const nowMs = expiry.now();
      const taken = await codes.take(tx, { purpose: "verify", address: email, code, nowMs });
      if (taken.kind !== "right") return taken;
      const registration = await tx.get(registrations, taken.subject);
      const known = registration === undefined ? await tx.get(users, taken.subject) : undefined;
      if (registration === undefined && known === undefined) return { kind: "wrong" as const };
      const user =
        registration === undefined
          ? known === undefined
            ? undefined
            : await verifyUser(tx, known, { caller, nowMs, subject })
          : await verifyRegistration(tx, registration, { caller, nowMs });
      if (user === undefined) return { kind: "wrong" as const };
      if (user.status === "pending") return { kind: "pending" as const };
      if (user.status !== "active") return { kind: "wrong" as const };
      return completeSignIn(tx, deps, { user, caller, amr: ["email"] });
    });
    if (outcome.kind === "limited") throw tooManyCodes(outcome.waitMs);
    if (outcome.kind === "wrong") throw codeInvalid();
    return outcome;
  };
}

/** Signing in: by password, by a code from the mailbox, and the second step. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AuthError } from "../base/errors.ts";
import { toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { ReadTx } from "../../store/store.ts";
import { isUsable } from "../accounts/status.ts";
import { findByEmail, putUser, toEmailKey } from "../accounts/accounts.ts";
import { clearFailures } from "../attempts/attempts.ts";
import type { Caller } from "../base/caller.ts";
import type { CodeGuesses } from "../codes/code-guesses.ts";
import type { Codes } from "../codes/codes.ts";
import { codeInvalid, tooManyCodes } from "../codes/code-errors.ts";
import type { AuthDeps } from "../base/deps.ts";
import { createFailureFloor } from "../passwords/failure-floor.ts";
import { claimMailbox } from "../passwords/mailbox-claim.ts";
import {
  type PasswordAttempt,
  type PasswordCheck,
  type PasswordOwner,
  invalidCredentials,
} from "../passwords/password-check.ts";
import { toPasswordForm } from "../passwords/password-policy.ts";
import { challenges } from "../second-factor/records.ts";
import { users } from "../accounts/records.ts";
import type { ChallengeRecord } from "../sessions/schema.ts";
import type { SecondFactor } from "../second-factor/second-factor.ts";
import type { Sessions, TokenSet } from "../sessions/sessions.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import { readSettings } from "../settings/settings.ts";
import { type SecondFactorMethod, type SignedIn } from "../sessions/signed-in.ts";
import { CHALLENGE_MS, completeSignIn, openSession } from "../second-factor/completion.ts";
import type { UserRecord } from "../accounts/schema.ts";

export type SignInDeps = Pick<
  AuthDeps,
  "store" | "clock" | "expiry" | "hasher" | "outbox" | "publicUrl" | "pause"
> & {
  sessions: Sessions;
  codes: Codes;
  codeGuesses: CodeGuesses;
  passwordCheck: PasswordCheck;
  secondFactor: SecondFactor;
};

function emailUnverified(): AuthError {
  return new AuthError(
    "email_unverified",
    "The email address is not verified. Request a new code with POST /api/auth/email/send-code and purpose verify",
  );
}

/** Error with the reason and the end of a suspension, shown only after the right password. */
function accountSuspended({ suspendedUntil, suspendedReason: reason }: UserRecord): AuthError {
  return new AuthError(
    "account_suspended",
    "This account is suspended. Contact the administrator of this site",
    { details: { until: toIsoTimeIfAny(suspendedUntil), reason } },
  );
}

/** Whether the owner deleted the account a while ago that leaves it to be brought back. */
function isRestorable(user: UserRecord, nowMs: number): boolean {
  return user.status === "deleted" && user.deletedBy === "self" && (user.purgeAfter ?? 0) > nowMs;
}

/** Whether the account may sign in. Throws only what its owner needs to know; the rest looks like a wrong password. */
export function maySignIn(
  user: UserRecord,
  options: { nowMs: number; restores: boolean; settings: RegistrationSettings },
): boolean {
  const { nowMs, restores, settings } = options;
  if (user.status === "pending")
    throw new AuthError("account_pending", "This account is pending. An administrator must approve it first");
  if (user.status === "suspended" && !isUsable(user, nowMs)) throw accountSuspended(user);
  if (restores !== (user.status === "deleted")) return false;
  const isBack = restores && isRestorable(user, nowMs);
  if (!isBack && !isUsable(user, nowMs)) return false;
  if (settings.emailVerification === "required" && user.emailVerifiedAt === undefined)
    throw emailUnverified();
  return true;
}

/**
 * Whether the password that was right still is. Another sign-in may have replaced the hash by a better one
 * of the same password; a password change ends the sessions too.
 */
function isPresent(user: UserRecord, owner: PasswordOwner & { kind: "user" }): boolean {
  if (user.passwordHash === undefined) return false;
  return user.passwordHash === owner.hash || user.tokenEpoch === owner.user.tokenEpoch;
}

function createWithPassword(deps: SignInDeps) {
  const { store, expiry, hasher, passwordCheck } = deps;
  const floor = createFailureFloor(deps);

  /** A hash of the current strength, computed outside of the transaction; undefined when the stored one has it. */
  async function rehash(
    owner: PasswordOwner & { kind: "user" },
    password: string,
  ): Promise<string | undefined> {
    return hasher.isOutdated(owner.hash) ? hasher.hash(toPasswordForm(password)) : undefined;
  }

  async function signIn(attempt: Parameters<SignIn["withPassword"]>[0]): Promise<SignedIn> {
    const owner = await passwordCheck.check(attempt);
    if (owner.kind === "registration") throw emailUnverified();
    const better = await rehash(owner, attempt.password);
    const restores = attempt.restores === true;
    const signedIn = await store.transact(async (tx) => {
      const nowMs = expiry.now();
      const user = await tx.get(users, owner.user.id);
      if (user === undefined || !isPresent(user, owner)) return undefined;
      const settings = (await readSettings(tx, "registration")).fields;
      if (!maySignIn(user, { nowMs, restores, settings })) return undefined;
      await clearFailures(tx, owner.throttleKey, nowMs);
      const isBetter = better !== undefined && user.passwordHash === owner.hash;
      return completeSignIn(tx, deps, {
        user: isBetter ? await putUser(tx, { ...user, passwordHash: better }, { edited: false }) : user,
        caller: attempt.caller,
        amr: ["pwd"],
        restores,
        settings,
      });
    });
    // Counted like a wrong one, or the limits would tell that the password of a deleted account is right.
    return signedIn ?? passwordCheck.refuse(owner, attempt);
  }

  return (attempt: PasswordAttempt & { restores?: boolean }): Promise<SignedIn> =>
    floor.run(() => signIn(attempt));
}

function createWithCode(deps: SignInDeps) {
  const { store, expiry, codes, codeGuesses } = deps;
  return async (input: {
    email: string;
    code: string;
    challengeId?: string;
    caller: Caller;
  }): Promise<SignedIn> => {
    const { email, code, challengeId, caller } = input;
    const guess = { purpose: "login" as const, address: email, code, challengeId, caller };
    return codeGuesses.run(guess, () =>
      store.transact(async (tx) => {
        const nowMs = expiry.now();
        const taken = await codes.take(tx, { ...guess, nowMs });
        if (taken.kind !== "right") return undefined;
        const found = await findByEmail(tx, email, "login");
        if (found === undefined || found.id !== taken.subject || !isUsable(found, nowMs)) return undefined;
        const isOwn = found.emailLower === toEmailKey(email);
        const user =
          isOwn && found.emailVerifiedAt === undefined ? await claimMailbox(tx, found, { nowMs }) : found;
        return completeSignIn(tx, deps, { user, caller, amr: ["email"] });
      }),
    );
  };
}

/** The sign-in that waits for its second factor, and whose it is; undefined when it is over. */
export async function findFactorChallenge(
  tx: ReadTx,
  challengeId: string,
  nowMs: number,
): Promise<{ challenge: ChallengeRecord; user: UserRecord } | undefined> {
  const challenge = await tx.get(challenges, hashSecret(challengeId));
  const user = challenge === undefined ? undefined : await tx.get(users, challenge.userId);
  if (challenge === undefined || user === undefined || challenge.expiresAt <= nowMs) return undefined;
  if (challenge.tokenEpoch !== user.tokenEpoch) return undefined;
  // One that was made while the clock was ahead would live for as long as it was wrong.
  if (challenge.expiresAt > nowMs + CHALLENGE_MS) return undefined;
  const isOpen = challenge.restores ? isRestorable(user, nowMs) : isUsable(user, nowMs);
  return isOpen ? { challenge, user } : undefined;
}

function createWithSecondFactor(deps: SignInDeps) {
  const { store, expiry, secondFactor } = deps;
  return async (input: {
    challengeId: string;
    method: SecondFactorMethod;
    code: string;
    caller: Caller;
  }): Promise<TokenSet> => {
    const { challengeId, method, code, caller } = input;
    const outcome = await store.transact(async (tx) => {
      const nowMs = expiry.now();
      const found = await findFactorChallenge(tx, challengeId, nowMs);
      if (found === undefined) return undefined;
      const { challenge, user } = found;
      const taken = await secondFactor.take(tx, { user, method, code, nowMs, caller, challenge });
      if (taken.kind !== "right") return taken;
      await tx.remove(challenges, challenge.id);
      const tokens = await openSession(tx, deps, {
        user: taken.user,
        caller,
        amr: [...challenge.amr, method === "totp" ? "otp" : "recovery", "mfa"],
        restores: challenge.restores,
      });
      return { kind: "tokens" as const, tokens };
    });
    if (outcome === undefined) throw invalidCredentials();
    if (outcome.kind === "limited") throw tooManyCodes(outcome.waitMs);
    if (outcome.kind === "wrong") throw codeInvalid(method);
    return outcome.tokens;
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Creates the sign-in's logic. */
export function createSignIn(deps: SignInDeps) {
  return {
    /** Throws `invalid_credentials`, `email_unverified`, `account_pending`, `account_suspended`, `too_many_attempts`, `unavailable`. */
    withPassword: createWithPassword(deps),
    /** Throws `code_invalid`, `too_many_attempts`. */
    withCode: createWithCode(deps),
    /** Throws `invalid_credentials` without such a challenge, `code_invalid`, `too_many_attempts`. */
    withSecondFactor: createWithSecondFactor(deps),
  };
}

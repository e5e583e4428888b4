/** The second factor: codes of an authenticator app (RFC 6238) and recovery codes. */
import { AppError } from "../../kit/errors.ts";
import { newCodeText } from "../../kit/secrets/id.ts";
import { findTotpStep, newTotpSecret, toTotpUri } from "./totp.ts";
import type { Tx } from "../../store/store.ts";
import { assertRecent, type Subject } from "../sessions/subject.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import type { WaitMs } from "../attempts/attempts.ts";
import type { Caller } from "../base/caller.ts";
import { codeInvalid, tooManyCodes } from "../codes/code-errors.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type EventKind, writeEvent } from "../accounts/events.ts";
import type { Notice } from "../mails/mails.ts";
import { challenges } from "./records.ts";
import type { ChallengeRecord } from "../sessions/schema.ts";
import { readSettings } from "../settings/settings.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { type SecondFactorMethod } from "../sessions/signed-in.ts";
import { strengthenSession, weakenSessions } from "./strengthen.ts";
import type { UserRecord } from "../accounts/schema.ts";

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;
const TRIES_A_CHALLENGE = 5;
const FAILURES = 10;
const LOCK_MS = 15 * 60_000;
const SEAL = "totp";

/** The outcome of a second factor's code; failures are counted when the transaction commits. */
export type FactorOutcome =
  | { readonly kind: "right"; readonly user: UserRecord }
  | { readonly kind: "wrong" }
  | { readonly kind: "limited"; readonly waitMs: WaitMs };

type Deps = Pick<AuthDeps, "store" | "clock" | "expiry" | "box" | "outbox" | "publicUrl">;

/**
 * How long no code is looked at. A lock that would last longer than locks do was made by a clock gone wrong,
 * and would keep its owner out for as long as the clock was wrong.
 */
function findLock({ mfa }: UserRecord, nowMs: number): WaitMs {
  const waitMs = (mfa.lockedUntil ?? 0) - nowMs;
  return waitMs > 0 && waitMs <= LOCK_MS ? waitMs : 0;
}

/** Case, spaces and dashes do not matter to who reads a code from paper. */
function toRecoveryForm(code: string): string {
  return code.toLowerCase().replaceAll(/[^0-9a-z]/gu, "");
}

function createTake(deps: Deps) {
  const { box } = deps;

  function tryTotp(user: UserRecord, code: string, nowMs: number): UserRecord | undefined {
    const { totp } = user.mfa;
    if (totp?.confirmedAt === undefined) return undefined;
    const step = findTotpStep({ secret: box.open(totp.sealedSecret, SEAL), code, nowMs });
    if (step === undefined || step <= (totp.lastStep ?? -1)) return undefined;
    return { ...user, mfa: { ...user.mfa, totp: { ...totp, lastStep: step } } };
  }

  function tryRecovery(user: UserRecord, code: string): UserRecord | undefined {
    const mac = box.lookup(`${user.id}/${toRecoveryForm(code)}`, "recovery");
    if (!user.mfa.recovery.includes(mac)) return undefined;
    return { ...user, mfa: { ...user.mfa, recovery: user.mfa.recovery.filter((kept) => kept !== mac) } };
  }

  async function fail(
    tx: Tx,
    input: { user: UserRecord; nowMs: number; challenge?: ChallengeRecord },
  ): Promise<FactorOutcome> {
    const { user, nowMs, challenge } = input;
    const failures = user.mfa.failures + 1;
    const isLocked = failures >= FAILURES;
    const mfa = { ...user.mfa, failures: isLocked ? 0 : failures };
    await putUser(
      tx,
      { ...user, mfa: isLocked ? { ...mfa, lockedUntil: nowMs + LOCK_MS } : mfa },
      { edited: false },
    );
    if (challenge !== undefined) {
      if (challenge.tries + 1 >= TRIES_A_CHALLENGE) await tx.remove(challenges, challenge.id);
      else await tx.put(challenges, { ...challenge, tries: challenge.tries + 1 });
    }
    return { kind: "wrong" };
  }

  return async (
    tx: Tx,
    input: {
      user: UserRecord;
      method: SecondFactorMethod;
      code: string;
      nowMs: number;
      caller: Caller;
      challenge?: ChallengeRecord;
    },
  ): Promise<FactorOutcome> => {
    const { user, method, code, nowMs, caller } = input;
    const waitMs = findLock(user, nowMs);
    if (waitMs > 0) return { kind: "limited", waitMs };
    const after = method === "totp" ? tryTotp(user, code, nowMs) : tryRecovery(user, code);
    if (after === undefined) return fail(tx, input);
    const { lockedUntil: _lockedUntil, ...mfa } = after.mfa;
    const stored = await putUser(tx, { ...after, mfa: { ...mfa, failures: 0 } }, { edited: false });
    if (method === "recovery")
      await tell(tx, deps, { user, caller, notice: "recovery-code-used", event: "recovery-code-used" });
    return { kind: "right", user: stored };
  };
}

async function tell(
  tx: Tx,
  deps: Deps,
  about: { user: UserRecord; caller: Caller; notice: Notice; event: EventKind },
): Promise<void> {
  const { user, caller, notice, event } = about;
  await writeEvent(tx, { userId: user.id, kind: event, caller, atMs: deps.clock.now() });
  await tellOwner(tx, deps, { user, notice });
}

function newRecoveryCodes(deps: Deps, userId: string): { shown: string[]; kept: string[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () => newCodeText(RECOVERY_LENGTH));
  return {
    shown: plain.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
    kept: plain.map((code) => deps.box.lookup(`${userId}/${code}`, "recovery")),
  };
}

function createConfirm(deps: Deps) {
  const { store, expiry, box } = deps;
  return async (subject: Subject, code: string, caller: Caller): Promise<string[]> => {
    const outcome = await store.transact(async (tx) => {
      const nowMs = expiry.now();
      assertRecent(subject, nowMs);
      const user = await getUser(tx, subject.user.id);
      const { totp } = user.mfa;
      if (totp === undefined || totp.confirmedAt !== undefined)
        throw new AppError(
          "conflict",
          "There is no authenticator app to confirm. Start with POST /api/auth/mfa/totp",
        );
      const waitMs = findLock(user, nowMs);
      if (waitMs > 0) return { kind: "limited" as const, waitMs };
      const step = findTotpStep({ secret: box.open(totp.sealedSecret, SEAL), code, nowMs });
      if (step === undefined) {
        const failures = user.mfa.failures + 1;
        const mfa =
          failures >= FAILURES
            ? { ...user.mfa, failures: 0, lockedUntil: nowMs + LOCK_MS }
            : { ...user.mfa, failures };
        await putUser(tx, { ...user, mfa }, { edited: false });
        return { kind: "wrong" as const };
      }
      const { shown, kept } = newRecoveryCodes(deps, user.id);
      const mfa = { totp: { ...totp, confirmedAt: nowMs, lastStep: step }, recovery: kept, failures: 0 };
      await putUser(tx, { ...user, mfa }, { edited: true });
      await strengthenSession(tx, subject.session.id, { proved: ["otp"] });
      await tell(tx, deps, { user, caller, notice: "second-factor-added", event: "second-factor-added" });
      return { kind: "right" as const, shown };
    });
    if (outcome.kind === "limited") throw tooManyCodes(outcome.waitMs);
    if (outcome.kind === "wrong") throw codeInvalid("totp");
    return outcome.shown;
  };
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

/** Creates the second factor's logic. */
export function createSecondFactor(deps: Deps) {
  const { store, expiry, box } = deps;

  async function getWithFactor(tx: Tx, userId: string): Promise<UserRecord> {
    const user = await getUser(tx, userId);
    if (!hasSecondFactor(user))
      throw new AppError("not_found", "This account does not have two-factor authentication");
    return user;
  }

  return {
    /** Spends a code; `challenge`, when given, counts its own tries. */
    take: createTake(deps),
    /** Creates a secret that a first code has to confirm. Throws `reauth_required`, `conflict` when one is confirmed. */
    begin: (subject: Subject): Promise<{ secret: string; uri: string }> =>
      store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        const user = await getUser(tx, subject.user.id);
        if (hasSecondFactor(user))
          throw new AppError("conflict", "Two-factor authentication is already enabled. Disable it first");
        const secret = newTotpSecret();
        const totp = { sealedSecret: box.seal(secret, SEAL) };
        await putUser(tx, { ...user, mfa: { ...user.mfa, totp } }, { edited: false });
        const { siteName } = (await readSettings(tx, "registration")).fields;
        return { secret, uri: toTotpUri({ secret, issuer: siteName, account: user.username }) };
      }),
    /** The secret that waits for its first code, if one does. Throws `forbidden`, `reauth_required`. */
    findPending: (subject: Subject): Promise<{ secret: string; uri: string } | undefined> =>
      store.read(async (tx) => {
        assertRecent(subject, expiry.now());
        const { mfa, username } = await getUser(tx, subject.user.id);
        if (mfa.totp === undefined || mfa.totp.confirmedAt !== undefined) return undefined;
        const secret = box.open(mfa.totp.sealedSecret, SEAL);
        const { siteName } = (await readSettings(tx, "registration")).fields;
        return { secret, uri: toTotpUri({ secret, issuer: siteName, account: username }) };
      }),
    /** Confirms it; resolves with recovery codes, shown this once. Throws `code_invalid`, `conflict`, `reauth_required`. */
    confirm: createConfirm(deps),
    /** Removes the factor. Throws `reauth_required`, `not_found` without one. */
    remove: async (subject: Subject, caller: Caller): Promise<void> => {
      await store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        const user = await getWithFactor(tx, subject.user.id);
        const without = { ...user, mfa: { recovery: [], failures: 0 } };
        await weakenSessions(tx, await putUser(tx, without, { edited: true }), {
          factor: "app",
          nowMs: expiry.now(),
        });
        await tell(tx, deps, {
          user,
          caller,
          notice: "second-factor-removed",
          event: "second-factor-removed",
        });
      });
    },
    /** New recovery codes in place of the old. Throws `reauth_required`, `not_found` without a factor. */
    renewRecoveryCodes: (subject: Subject, caller: Caller): Promise<string[]> =>
      store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        const user = await getWithFactor(tx, subject.user.id);
        const { shown, kept } = newRecoveryCodes(deps, user.id);
        await putUser(tx, { ...user, mfa: { ...user.mfa, recovery: kept } }, { edited: false });
        await writeEvent(tx, {
          userId: user.id,
          kind: "recovery-codes-made",
          caller,
          atMs: deps.clock.now(),
        });
        return shown;
      }),
  };
}

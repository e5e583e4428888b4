/**
 * Signing in with a passkey, alone or after a password, and proving again who one is. A passkey whose device checked
 * the person counts as two factors; without that it only follows a password.
 */
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { getUser } from "../accounts/accounts.ts";
import { writeEvent } from "../accounts/events.ts";
import { assertOwner, type Subject } from "../sessions/subject.ts";
import { createFailureAllowance } from "../attempts/failure-allowance.ts";
import { createFailureThrottle } from "../attempts/failure-throttle.ts";
import type { Caller } from "../base/caller.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import { AuthError } from "../base/errors.ts";
import { challenges as mfaChallenges } from "../second-factor/records.ts";
import { passkeys, users } from "../accounts/records.ts";
import { sessions as sessionRecords } from "../sessions/records.ts";
import { readSettings } from "../settings/settings.ts";
import { openSession } from "../second-factor/completion.ts";
import type { Amr } from "../base/amr.ts";
import type { Sessions, TokenSet } from "../sessions/sessions.ts";
import { findFactorChallenge, maySignIn } from "../sign-in/sign-in.ts";
import {
  CHALLENGE_MS,
  type ChallengeBinding,
  createChallenges,
  passkeyInvalid,
  spendChallenge,
} from "./challenges.ts";
import { type Answer, type Begun, type PasskeysDeps, listPasskeys, toAmr, toDescriptor } from "./deps.ts";
import { listOrigins, needRelyingParty } from "./relying-party.ts";
import type { AssertionResponse } from "./schema.ts";
import type { PasskeyRecord } from "../accounts/passkey-schema.ts";
import { type Assertion, type RequestOptions, verifyAssertion } from "./webauthn.ts";

type Deps = PasskeysDeps & { readonly limits: LimitSource; readonly sessions: Sessions };

/** A passkey that signed a challenge. */
interface Signed {
  readonly passkey: PasskeyRecord;
  readonly assertion: Assertion;
}

function passkeyUnknown(): AuthError {
  return new AuthError("passkey_unknown", "This passkey is unknown or was removed. Sign in another way");
}

/** Throws `passkey_unverified` unless the device checked who the person is. */
function assertVerified({ isVerified }: Assertion): void {
  if (isVerified) return;
  throw new AuthError(
    "passkey_unverified",
    "The device did not verify the user. Use one that asks for a PIN, fingerprint or face",
  );
}

/**
 * Stores the state that the authenticator reports. A counter that went back may mean a copy, or a restored device: the
 * owner is notified, and not locked out.
 */
async function note(
  tx: Tx,
  { expiry, clock }: Deps,
  { passkey, assertion, caller }: Signed & { caller: Caller },
): Promise<PasskeyRecord> {
  const present = await tx.get(passkeys, passkey.id);
  // Removed while the signature was checked.
  if (present === undefined) throw passkeyUnknown();
  const { counter, backedUp } = assertion;
  const hasFallen = present.counter > 0 && counter <= present.counter;
  const { userId } = present;
  if (hasFallen) await writeEvent(tx, { userId, kind: "passkey-counter-fell", caller, atMs: clock.now() });
  return tx.put(passkeys, { ...present, counter, backedUp, lastUsedAt: expiry.now() });
}

function createChecks(deps: Deps) {
  const { store, expiry, box } = deps;
  const challenges = createChallenges(box);
  const throttle = createFailureThrottle(deps.limits, "passkey", createFailureAllowance(deps));

  /** The passkey of an answer, with its signature checked; the challenge is not used up yet. */
  async function verify(
    { challengeId, response }: Answer<AssertionResponse>,
    binding: ChallengeBinding,
  ): Promise<Signed & { challenge: string }> {
    const party = needRelyingParty(deps.relyingParty);
    const { challenge } = challenges.open(challengeId, binding, expiry.now());
    const { passkey, user, origins } = await store.read(async (tx) => {
      const known = await tx.by(passkeys, "byCredential", [response.id]);
      const owner = known === undefined ? undefined : await tx.get(users, known.userId);
      return { passkey: known, user: owner, origins: await listOrigins(tx, party) };
    });
    if (passkey === undefined || user === undefined) throw passkeyUnknown();
    const { userHandle } = response.response;
    if (userHandle !== undefined && userHandle !== user.passkeyHandle) throw passkeyInvalid();
    const expected = { challenge, rpId: party.id, origins };
    return { passkey, challenge, assertion: await verifyAssertion(response, passkey, expected) };
  }

  return {
    begin: (
      binding: ChallengeBinding,
      {
        allowed,
        verification,
      }: { allowed?: readonly PasskeyRecord[]; verification: "required" | "discouraged" },
    ): Begun<RequestOptions> => {
      const { id: rpId } = needRelyingParty(deps.relyingParty);
      const { challenge, sealed } = challenges.begin(binding, { nowMs: expiry.now() });
      const options: RequestOptions = {
        challenge,
        rpId,
        timeout: CHALLENGE_MS,
        userVerification: verification,
        allowCredentials: allowed?.map(toDescriptor) ?? [],
      };
      return { challengeId: sealed, options };
    },
    /** Does `work` in the transaction that uses the challenge up, once the signature is right. Failures of an address are counted. */
    run: async <R>(
      answer: Answer<AssertionResponse>,
      binding: ChallengeBinding,
      work: (tx: Tx, signed: Signed) => Promise<R>,
    ): Promise<R> => {
      const key = addressKey(answer.caller.clientAddress);
      return throttle.run(key, async () => {
        try {
          const { challenge, ...signed } = await verify(answer, binding);
          return await store.transact(async (tx) => {
            const nowMs = expiry.now();
            await spendChallenge(tx, { challenge }, nowMs);
            return work(tx, {
              ...signed,
              passkey: await note(tx, deps, { ...signed, caller: answer.caller }),
            });
          });
        } catch (error) {
          if (error instanceof AuthError && error.kind.http === 401) throttle.fail(key);
          throw error;
        }
      });
    },
  };
}

type Checks = ReturnType<typeof createChecks>;

function createFactor(deps: Deps, checks: Checks) {
  const { store, expiry } = deps;
  const bind = (mfaId: string, browser: string) =>
    ({ purpose: "second-factor", browser, subject: mfaId }) as const;
  const gone = (): AuthError =>
    new AuthError("invalid_credentials", "The sign-in has expired. Start again with your password");
  return {
    /** Options for the second step of a sign-in, which the right password began. Throws `invalid_credentials` without such a step. */
    begin: (mfaId: string, browser = ""): Promise<Begun<RequestOptions>> =>
      store.read(async (tx) => {
        const found = await findFactorChallenge(tx, mfaId, expiry.now());
        if (found === undefined) throw gone();
        const allowed = await listPasskeys(tx, found.user.id);
        if (allowed.length === 0) throw new AppError("not_found", "The account has no passkeys");
        return checks.begin(bind(mfaId, browser), { allowed, verification: "discouraged" });
      }),
    /** Finishes it. Throws `invalid_credentials`, `passkey_invalid`, `passkey_unknown`, `too_many_attempts`. */
    finish: (mfaId: string, answer: Answer<AssertionResponse>): Promise<TokenSet> => {
      const { caller, browser = "" } = answer;
      return checks.run(answer, bind(mfaId, browser), async (tx, { passkey }) => {
        const found = await findFactorChallenge(tx, mfaId, expiry.now());
        if (found === undefined) throw gone();
        if (found.user.id !== passkey.userId) throw passkeyInvalid();
        await tx.remove(mfaChallenges, found.challenge.id);
        const { amr, restores } = found.challenge;
        const completion = {
          user: found.user,
          caller,
          amr: [...amr, ...toAmr(passkey), "mfa" as const],
          passkeyId: passkey.id,
          restores,
        };
        return openSession(tx, deps, completion);
      });
    },
  };
}

function createProof(deps: Deps, checks: Checks) {
  const { store, expiry, clock } = deps;
  const bind = ({ session }: Subject, browser: string) =>
    ({ purpose: "proof", browser, subject: session.id }) as const;
  return {
    /** Options for a proof by one of the account's passkeys. */
    begin: async (subject: Subject, browser = ""): Promise<Begun<RequestOptions>> => {
      assertOwner(subject);
      const allowed = await store.read((tx) => listPasskeys(tx, subject.user.id));
      if (allowed.length === 0) throw new AppError("not_found", "The account has no passkeys");
      return checks.begin(bind(subject, browser), { allowed, verification: "required" });
    },
    /** Notes that the session's owner proved who they are; resolves with when. Throws `passkey_invalid`, `passkey_unverified`. */
    finish: (subject: Subject, answer: Answer<AssertionResponse>): Promise<number> => {
      assertOwner(subject);
      const { caller, browser = "" } = answer;
      return checks.run(answer, bind(subject, browser), async (tx, { passkey, assertion }) => {
        assertVerified(assertion);
        if (passkey.userId !== subject.user.id) throw passkeyInvalid();
        const nowMs = expiry.now();
        await getUser(tx, subject.user.id);
        const session = await tx.get(sessionRecords, subject.session.id);
        if (session === undefined)
          throw new AppError("token_invalid", "The session has expired. Sign in again");
        const amr = [...new Set<Amr>([...session.amr, ...toAmr(passkey), "mfa"])];
        const passkeyId = passkey.id;
        await tx.put(sessionRecords, { ...session, authenticatedAt: nowMs, amr, aal: 2, passkeyId });
        const { userId, id: sessionId } = session;
        const proof = { sessionId, amr: [...toAmr(passkey), "mfa" as const] };
        await writeEvent(tx, { userId, kind: "reauthenticated", caller, atMs: clock.now(), ...proof });
        return nowMs;
      });
    },
  };
}

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;

export function createPasskeySignIn(deps: Deps) {
  const checks = createChecks(deps);
  const bind = (browser: string) => ({ purpose: "sign-in", browser, subject: "" }) as const;
  return {
    /** Options for discoverable passkeys, without a username. Throws `unavailable`. */
    begin: (browser = ""): Begun<RequestOptions> => checks.begin(bind(browser), { verification: "required" }),
    /** Throws `passkey_invalid`, `passkey_unknown`, `passkey_unverified`, `email_unverified`, `account_pending`, `account_suspended`, `too_many_attempts`. */
    finish: (answer: Answer<AssertionResponse>): Promise<TokenSet> => {
      const { caller, browser = "", response } = answer;
      return checks.run(answer, bind(browser), async (tx, { passkey, assertion }) => {
        // Without it, the owner of the passkey is unknown.
        if (response.response.userHandle === undefined) throw passkeyInvalid();
        assertVerified(assertion);
        const user = await getUser(tx, passkey.userId);
        const settings = (await readSettings(tx, "registration")).fields;
        if (!maySignIn(user, { nowMs: deps.expiry.now(), restores: false, settings })) throw passkeyInvalid();
        const amr = [...toAmr(passkey), "mfa" as const];
        return openSession(tx, deps, { user, caller, amr, passkeyId: passkey.id });
      });
    },
    /** The second step after a password. */
    factor: createFactor(deps, checks),
    /** Fresh proof of who is signed in. */
    proof: createProof(deps, checks),
  };
}

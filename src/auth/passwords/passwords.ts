/** Forgotten and changed passwords, and proving again who one is. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { assertOwner, assertRecent, type Subject } from "../sessions/subject.ts";
import { isUsable, hasSecondFactor } from "../accounts/status.ts";
import { findByEmail, getUser, putUser, toStoredAddress } from "../accounts/accounts.ts";
import { clearFailures } from "../attempts/attempts.ts";
import type { Caller } from "../base/caller.ts";
import { codeInvalid, tooManyCodes } from "../codes/code-errors.ts";
import type { Codes } from "../codes/codes.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type EventKind, writeEvent } from "../accounts/events.ts";
import { endAllSessions, endSession } from "../sessions/session-ends.ts";
import { endLinks, findLinkOwner, issueLink, takeLink } from "./links.ts";
import type { MailQuota } from "../mails/mail-quota.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { LINK_MINUTES, linkMail, toLinkText } from "../mails/mails.ts";
import { claimMailbox } from "./mailbox-claim.ts";
import { type PasswordCheck, throttleKeys } from "./password-check.ts";
import { checkPassword } from "./password-policy.ts";
import { profiles, users } from "../accounts/records.ts";
import { sessions as sessionRecords } from "../sessions/records.ts";
import type { SecondFactor } from "../second-factor/second-factor.ts";
import type { Amr } from "../base/amr.ts";
import type { Sessions, TokenSet } from "../sessions/sessions.ts";
import { readSettings } from "../settings/settings.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { type SecondFactorMethod } from "../sessions/signed-in.ts";
import type { UserRecord } from "../accounts/schema.ts";

export type PasswordsDeps = AuthDeps & {
  sessions: Sessions;
  codes: Codes;
  mailQuota: MailQuota;
  passwordCheck: PasswordCheck;
  secondFactor: SecondFactor;
};

async function checkFor(
  tx: ReadTx,
  deps: PasswordsDeps,
  parts: { user: UserRecord; password: string },
): Promise<string> {
  const { user, password } = parts;
  const profile = await tx.get(profiles, user.id);
  return checkPassword(password, {
    settings: (await readSettings(tx, "registration")).fields,
    username: user.username,
    email: user.email,
    displayName: profile?.displayName,
    isCommonPassword: deps.isCommonPassword,
  });
}

/** Stores a new hash; every session ends with it. */
async function storePassword(
  tx: Tx,
  deps: PasswordsDeps,
  parts: { user: UserRecord; passwordHash: string; caller: Caller; event: EventKind },
): Promise<UserRecord> {
  const { user, passwordHash, caller, event } = parts;
  const passwordChangedAt = deps.expiry.now();
  const stored = await putUser(
    tx,
    { ...(await endAllSessions(tx, user, passwordChangedAt)), passwordHash, passwordChangedAt },
    { edited: true },
  );
  await endLinks(tx, user.id);
  for (const key of throttleKeys(user.id)) await clearFailures(tx, key, passwordChangedAt);
  await writeEvent(tx, { userId: user.id, kind: event, caller, atMs: deps.clock.now() });
  await tellOwner(tx, deps, { user, notice: "password-changed" });
  return stored;
}

function createForgot(deps: PasswordsDeps) {
  const { store, expiry, outbox, mailQuota } = deps;
  return async ({ email, caller }: { email: string; caller: Caller }): Promise<void> => {
    const asked = mailQuota.ask({ purpose: "reset", email, caller });
    if (!asked.isAllowed) return;
    await store.transact(async (tx) => {
      const nowMs = expiry.now();
      const user = await findByEmail(tx, email, "recovery");
      if (!(await mailQuota.take(tx, asked, { userId: user?.id ?? "", nowMs }))) return;
      const { resetUrl } = (await readSettings(tx, "registration")).fields;
      const isKnown = user !== undefined && isUsable(user, nowMs);
      // A link without an account costs as much as a real one, and is swept like it.
      const token = await issueLink(tx, {
        userId: isKnown ? user.id : "",
        purpose: "reset",
        sentTo: email,
        nowMs,
        ttlMs: LINK_MINUTES * 60_000,
      });
      const link = toLinkText(token, { resetUrl, publicUrl: deps.publicUrl });
      const address = isKnown ? await toStoredAddress(tx, user, email) : email;
      const site = await readMailSite(tx, deps, { locale: isKnown ? user.locale : undefined, caller });
      const mail = linkMail(address, { site, link, purpose: "reset", minutes: LINK_MINUTES });
      await outbox.enqueue(tx, { ...mail, isDecoy: !isKnown });
    });
  };
}

function tokenInvalid(): AppError {
  return new AppError("token_invalid", "The link is invalid, expired or already used. Request a new one");
}

function createReset(deps: PasswordsDeps) {
  const { store, expiry, hasher } = deps;
  return async (input: { token: string; password: string; caller: Caller }): Promise<void> => {
    const { token, password, caller } = input;
    // Looked at first, so that a password that is refused does not spend the link.
    const form = await store.read(async (tx) => {
      const userId = await findLinkOwner(tx, token, expiry.now());
      const user = userId === undefined ? undefined : await tx.get(users, userId);
      return user === undefined ? undefined : checkFor(tx, deps, { user, password });
    });
    if (form === undefined) throw tokenInvalid();
    const passwordHash = await hasher.hash(form);
    const isDone = await store.transact(async (tx) => {
      const nowMs = expiry.now();
      const link = await takeLink(tx, token, nowMs);
      const user = link === undefined ? undefined : await tx.get(users, link.userId);
      if (user === undefined || (!isUsable(user, nowMs) && user.status !== "pending")) return false;
      // A link to the primary address proves it; one to a further address does not.
      const isFirstProof = user.emailVerifiedAt === undefined && link?.sentTo === user.emailLower;
      const proved = isFirstProof ? await claimMailbox(tx, user, { nowMs }) : user;
      await storePassword(tx, deps, { user: proved, passwordHash, caller, event: "password-reset" });
      return true;
    });
    if (!isDone) throw tokenInvalid();
  };
}

function createChange(deps: PasswordsDeps) {
  const { store, expiry, hasher, passwordCheck } = deps;
  return async (
    subject: Subject,
    { currentPassword, password, caller }: { currentPassword?: string; password: string; caller: Caller },
  ): Promise<TokenSet> => {
    assertOwner(subject);
    // The present password is as good a proof as a recent sign-in, without the second factor only where there is none.
    const isProved = currentPassword !== undefined && !hasSecondFactor(subject.user);
    if (!isProved) assertRecent(subject, expiry.now());
    const form = await store.read((tx) => checkFor(tx, deps, { user: subject.user, password }));
    if (currentPassword !== undefined)
      await passwordCheck.checkUser(subject.user, { password: currentPassword, caller });
    const passwordHash = await hasher.hash(form);
    return store.transact(async (tx) => {
      const user = await getUser(tx, subject.user.id);
      const session = await tx.get(sessionRecords, subject.session.id);
      // Ended while the hash was computed: reject the request.
      if (session === undefined || user.tokenEpoch !== subject.user.tokenEpoch)
        throw new AppError("token_invalid", "The session has expired. Sign in again");
      await endSession(tx, session, expiry.now());
      const stored = await storePassword(tx, deps, { user, passwordHash, caller, event: "password-changed" });
      return deps.sessions.open(tx, { user: stored, caller, amr: subject.session.amr });
    });
  };
}

function factorMissing(): AppError {
  const message = "The account uses two-factor authentication. Send the verification code too";
  return new AppError("invalid", message, {
    errors: [{ pointer: "/secondFactor", code: "required", message }],
  });
}

function createReauthenticate(deps: PasswordsDeps) {
  const { store, expiry, clock, codes, secondFactor, passwordCheck } = deps;
  return async (
    subject: Subject,
    proof: {
      password?: string;
      emailCode?: string;
      secondFactor?: { method: SecondFactorMethod; code: string };
      caller: Caller;
    },
  ): Promise<number> => {
    const { password, emailCode, secondFactor: factor, caller } = proof;
    assertOwner(subject);
    // Said before anything is spent or counted: who does not know of the factor has not guessed at it.
    if (hasSecondFactor(subject.user) && factor === undefined) throw factorMissing();
    if (password !== undefined) await passwordCheck.checkUser(subject.user, { password, caller });
    const outcome = await store.transact(async (tx) => {
      const nowMs = expiry.now();
      const user = await getUser(tx, subject.user.id);
      const session = await tx.get(sessionRecords, subject.session.id);
      if (session === undefined)
        throw new AppError("token_invalid", "The session has expired. Sign in again");
      if (password === undefined) {
        const address = user.email;
        const target = { purpose: "reauth" as const, address, owner: user.id };
        const taken = await codes.take(tx, { ...target, code: emailCode ?? "", caller, nowMs });
        if (taken.kind !== "right") return taken;
        if (taken.subject !== user.id) return { kind: "wrong" as const };
      }
      const proof: Amr[] = [password === undefined ? "email" : "pwd"];
      let amr = session.amr;
      if (hasSecondFactor(user)) {
        const { method = "totp" } = factor ?? {};
        const taken = await secondFactor.take(tx, {
          user,
          method,
          code: factor?.code ?? "",
          nowMs,
          caller,
        });
        if (taken.kind !== "right") return { ...taken, method };
        proof.push(method === "totp" ? "otp" : "recovery", "mfa");
        amr = [...new Set<Amr>([...amr, ...proof.slice(1)])];
      }
      await tx.put(sessionRecords, {
        ...session,
        authenticatedAt: nowMs,
        amr,
        aal: amr.includes("mfa") ? 2 : 1,
      });
      await writeEvent(tx, {
        userId: user.id,
        kind: "reauthenticated",
        caller,
        atMs: clock.now(),
        sessionId: session.id,
        amr: proof,
      });
      return { kind: "done" as const, nowMs };
    });
    if (outcome.kind === "limited") throw tooManyCodes(outcome.waitMs);
    if (outcome.kind !== "done") throw codeInvalid("method" in outcome ? outcome.method : "mail");
    return outcome.nowMs;
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Creates the passwords' logic. */
export function createPasswords(deps: PasswordsDeps) {
  return {
    /** Sends a reset link if the address has an account; never tells. */
    forgot: createForgot(deps),
    /** Sets a password with a link's token. Throws `token_invalid`, `password_blocked`, `invalid`. */
    reset: createReset(deps),
    /** Sets a new password and ends all sessions; resolves with a new one. Throws `reauth_required`, `invalid_credentials`, `password_blocked`, `invalid`. */
    change: createChange(deps),
    /** Notes that the session's owner proved who they are now. Throws `invalid_credentials`, `code_invalid`, `too_many_attempts`. */
    reauthenticate: createReauthenticate(deps),
  };
}

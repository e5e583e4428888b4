/**
 * Registration, and proving a mailbox. Hidden here: that a taken address gets the same answer, the same
 * writes and the same work as a free one, and whose password counts when several wanted one mailbox.
 */
import { AppError } from "../kit/errors.ts";
import { newId } from "../kit/id.ts";
import { addressKey, createRateLimit } from "../kit/rate-limit.ts";
import type { ReadTx, Tx } from "../store/store.ts";
import { withoutSessions } from "./account-status.ts";
import type { NewAccount } from "./accounts.ts";
import {
  assertUsernameFree,
  createAccount,
  findByEmail,
  putUser,
  toEmailKey,
  toUsernameKey,
} from "./accounts.ts";
import { takeSend } from "./attempts.ts";
import type { Caller, Subject } from "./caller.ts";
import { codeInvalid, tooManyCodes } from "./code-errors.ts";
import type { Codes } from "./codes.ts";
import type { AuthDeps } from "./deps.ts";
import { writeEvent } from "./events.ts";
import { noteInviteUse, redeemInvite } from "./invites.ts";
import { codeMail, noticeMail } from "./mails.ts";
import { checkPassword } from "./password-policy.ts";
import { registrations, users } from "./records.ts";
import { checkEmailDomain, checkTerms, checkUsername } from "./registration-policy.ts";
import type { Sessions, TokenSet } from "./sessions.ts";
import type { RegistrationSettings } from "./settings-schema.ts";
import { loadSettings, readSettings } from "./settings.ts";
import type { SignedIn } from "./sign-in-completion.ts";
import { completeSignIn } from "./sign-in-completion.ts";
import type { RegistrationRecord, UserRecord } from "./user-schema.ts";

/** How long a name is held for who has not proved the mailbox. */
const WAIT_MS = 86_400_000;
const DAY_MS = 86_400_000;

export interface RegistrationInput {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly displayName?: string | undefined;
  readonly inviteCode?: string | undefined;
  readonly termsVersion?: string | undefined;
  readonly locale?: string | undefined;
  readonly caller: Caller;
}

export type Registered =
  | { readonly kind: "verification_sent"; readonly registrationId: string }
  | { readonly kind: "pending" }
  | { readonly kind: "tokens"; readonly tokens: TokenSet };

export type Verified = SignedIn | { readonly kind: "pending" };

export interface Registration {
  /** Throws `registration_closed`, `invite_invalid`, `username_taken`, `password_blocked`, `terms_required`, `invalid`, `rate_limited`, `unavailable`; `email_taken` only where no verification is asked for. */
  register(input: RegistrationInput): Promise<Registered>;
  /** Spends the code of a mailbox. Throws `code_invalid`, `too_many_attempts`. `subject` is who is signed in, if anybody. */
  verify(input: {
    email: string;
    code: string;
    caller: Caller;
    subject?: Subject | undefined;
  }): Promise<Verified>;
}

export type RegistrationDeps = AuthDeps & { sessions: Sessions; codes: Codes };

function checkMode(settings: RegistrationSettings, inviteCode: string | undefined): void {
  if (settings.mode === "closed")
    throw new AppError("registration_closed", "Nobody can register here now; ask the administrator");
  if (settings.mode === "invite" && inviteCode === undefined)
    throw new AppError("invite_invalid", "Registration needs an invite code here: send it as inviteCode");
}

function findWaiting(tx: ReadTx, email: string): Promise<readonly RegistrationRecord[]> {
  return tx
    .list(registrations, "byEmail", { prefix: [toEmailKey(email)], limit: 100 })
    .then(({ items }) => items);
}

/** The hash to keep: of an earlier registration for this mailbox when the password is the same, which shows that the person is. */
async function toHash(
  deps: RegistrationDeps,
  password: string,
  waiting: readonly RegistrationRecord[],
): Promise<{ passwordHash: string; contested: boolean }> {
  const last = waiting[waiting.length - 1];
  // One hash either way, so that the time tells nothing.
  if (last === undefined) return { passwordHash: await deps.hasher.hash(password), contested: false };
  const isSame = await deps.hasher.verify(password, last.passwordHash);
  return { passwordHash: last.passwordHash, contested: last.contested || !isSame };
}

function toAccount(
  registration: RegistrationRecord,
  options: { settings: RegistrationSettings; nowMs: number; verified: boolean },
): NewAccount {
  const { username, email, displayName, locale, clientId, inviteId, termsVersion } = registration;
  const { settings, nowMs, verified } = options;
  const mode = settings.mode === "closed" ? "open" : settings.mode;
  return {
    username,
    email,
    displayName,
    locale,
    emailVerifiedAt: verified ? nowMs : undefined,
    passwordHash: registration.contested ? undefined : registration.passwordHash,
    status: settings.mode === "approval" ? "pending" : "active",
    registeredVia: { clientId, mode, ...(inviteId === undefined ? {} : { inviteId }) },
    termsVersion,
    nowMs,
  };
}

/** Makes the account, counts the invite and notes it. */
async function openAccount(
  tx: Tx,
  account: NewAccount,
  parts: { caller: Caller; inviteId: string | undefined },
): Promise<UserRecord> {
  const { caller, inviteId } = parts;
  const user = await createAccount(tx, account);
  if (inviteId !== undefined) await noteInviteUse(tx, inviteId, user.id, account.nowMs);
  await writeEvent(tx, { userId: user.id, kind: "registered", caller, atMs: account.nowMs });
  return user;
}

function createRegister(deps: RegistrationDeps): Registration["register"] {
  const { store, clock, expiry, codes, outbox } = deps;
  const perAddress = new Map<number, ReturnType<typeof createRateLimit>>();

  /** The limit is a setting; a changed one begins to count anew. */
  function takeAddress(caller: Caller, limit: number): void {
    let counter = perAddress.get(limit);
    if (counter === undefined) {
      perAddress.clear();
      counter = createRateLimit({ limit, windowMs: DAY_MS, clock });
      perAddress.set(limit, counter);
    }
    const { allowed, retryAfterSeconds } = counter.hit(addressKey(caller.clientAddress));
    if (!allowed)
      throw new AppError("rate_limited", "Too many registrations from this address; try again tomorrow", {
        retryAfterSeconds,
      });
  }

  async function sendVerification(
    tx: Tx,
    registration: RegistrationRecord,
    siteName: string,
    nowMs: number,
  ): Promise<void> {
    const { email, username, decoy } = registration;
    const subject = decoy ? "" : registration.id;
    const isAllowed = await takeSend(tx, `send:${toEmailKey(email)}`, nowMs);
    if (!isAllowed) return;
    const code = await codes.issue(tx, { purpose: "verify", address: email, subject, nowMs });
    const mail = decoy
      ? noticeMail({ email, username }, { siteName, notice: "already-registered" })
      : codeMail(email, { siteName, code, purpose: "verify", username });
    await outbox.enqueue(tx, mail);
  }

  async function storeRegistration(
    tx: Tx,
    input: RegistrationInput,
    made: { passwordHash: string; contested: boolean; settings: RegistrationSettings },
  ): Promise<Registered> {
    const { settings, passwordHash, contested } = made;
    const { username, email, caller, inviteCode, termsVersion } = input;
    const nowMs = expiry.now();
    await assertUsernameFree(tx, username);
    const invite =
      inviteCode === undefined ? undefined : await redeemInvite(tx, { code: inviteCode, email, nowMs });
    const holder = await findByEmail(tx, email);
    const registration: RegistrationRecord = {
      id: newId("reg", nowMs),
      version: 1,
      decoy: holder?.emailVerifiedAt !== undefined,
      username,
      usernameLower: toUsernameKey(username),
      email,
      emailLower: toEmailKey(email),
      passwordHash,
      contested,
      displayName: input.displayName ?? username,
      locale: input.locale ?? "en",
      ...(invite === undefined ? {} : { inviteId: invite.id }),
      clientId: caller.clientId,
      ...(termsVersion === undefined ? {} : { termsVersion }),
      createdAt: nowMs,
      expiresAt: nowMs + WAIT_MS,
    };
    if (settings.emailVerification === "required") {
      await tx.insert(registrations, registration);
      await sendVerification(tx, registration, settings.siteName, nowMs);
      return { kind: "verification_sent", registrationId: registration.id };
    }
    const account = toAccount(registration, { settings, nowMs, verified: false });
    const user = await openAccount(tx, account, { caller, inviteId: invite?.id });
    if (
      settings.emailVerification === "optional" &&
      (await takeSend(tx, `send:${toEmailKey(email)}`, nowMs))
    ) {
      const code = await codes.issue(tx, { purpose: "verify", address: email, subject: user.id, nowMs });
      await outbox.enqueue(
        tx,
        codeMail(email, { siteName: settings.siteName, code, purpose: "verify", username }),
      );
    }
    if (user.status === "pending") return { kind: "pending" };
    return { kind: "tokens", tokens: await deps.sessions.open(tx, { user, caller, amr: ["pwd"] }) };
  }

  return async (input) => {
    const settings = await loadSettings(store, "registration");
    const { username, email, displayName, caller } = input;
    checkMode(settings, input.inviteCode);
    checkTerms(input.termsVersion, settings);
    checkUsername(username, settings);
    checkEmailDomain(email, settings);
    const { isCommonPassword } = deps;
    const password = checkPassword(input.password, {
      settings,
      username,
      email,
      displayName,
      isCommonPassword,
    });
    takeAddress(caller, settings.maxPerAddressPerDay);
    const waiting = await store.read(async (tx) => {
      await assertUsernameFree(tx, username);
      return findWaiting(tx, email);
    });
    const hash = await toHash(deps, password, waiting);
    const registered = await store.transact((tx) => storeRegistration(tx, input, { ...hash, settings }));
    outbox.wake();
    return registered;
  };
}

/** Whoever proved the mailbox owns what waits on it; a password that another one set is not taken over. */
function createVerify(deps: RegistrationDeps): Registration["verify"] {
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

/** Makes the registration's logic. */
export function createRegistration(deps: RegistrationDeps): Registration {
  return { register: createRegister(deps), verify: createVerify(deps) };
}

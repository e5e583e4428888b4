/**
 * Registration, and proving a mailbox. Hidden here: that a taken address gets the same answer, the same
 * writes and the same work as a free one, and whose password counts when several wanted one mailbox.
 */
import { AppError } from "../kit/errors.ts";
import { newId } from "../kit/id.ts";
import { addressKey } from "../kit/rate-limit.ts";
import type { LimitSource } from "../kit/shared-limit.ts";
import type { Tx } from "../store/store.ts";
import { assertUsernameFree, findByEmail, toEmailKey, toStoredAddress, toUsernameKey } from "./accounts.ts";
import { takeSend } from "./attempts.ts";
import type { Caller } from "./caller.ts";
import { redeemInvite } from "./invites.ts";
import { codeMail, noticeMail } from "./mails.ts";
import { checkPassword } from "./password-policy.ts";
import { registrations } from "./records.ts";
import { checkEmailDomain, checkTerms, checkUsername } from "./registration-policy.ts";
import type { TokenSet } from "./sessions.ts";
import type { Verify } from "./verification.ts";
import { createVerify } from "./verification.ts";
import type { RegistrationDeps } from "./waiting.ts";
import { findWaiting, openAccount, toAccount } from "./waiting.ts";
import type { RegistrationSettings } from "./settings-schema.ts";
import { loadSettings } from "./settings.ts";
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

export interface Registration {
  /** Throws `registration_closed`, `invite_invalid`, `username_taken`, `password_blocked`, `terms_required`, `invalid`, `rate_limited`, `unavailable`; `email_taken` only where no verification is asked for. */
  register(input: RegistrationInput): Promise<Registered>;
  readonly verify: Verify;
}

function checkMode(settings: RegistrationSettings, inviteCode: string | undefined): void {
  if (settings.mode === "closed")
    throw new AppError("registration_closed", "Nobody can register here now; ask the administrator");
  if (settings.mode === "invite" && inviteCode === undefined)
    throw new AppError("invite_invalid", "Registration needs an invite code here: send it as inviteCode");
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

/** Counts the registrations of an address. The limit is a setting, which may change between two of them. */
function createAddressLimit(limits: LimitSource): (caller: Caller, limit: number) => void {
  const rate = limits.create("registrations", { limit: 0, windowMs: DAY_MS });
  return (caller, limit) => {
    const { allowed, retryAfterSeconds } = rate.hit(addressKey(caller.clientAddress), limit);
    if (allowed) return;
    throw new AppError("rate_limited", "Too many registrations from this address; try again tomorrow", {
      retryAfterSeconds,
    });
  };
}

async function sendVerification(
  tx: Tx,
  { codes, outbox }: RegistrationDeps,
  parts: {
    registration: RegistrationRecord;
    holder: UserRecord | undefined;
    siteName: string;
    maySend: boolean;
    nowMs: number;
  },
): Promise<void> {
  const { registration, holder, siteName, maySend, nowMs } = parts;
  const { email, username, decoy } = registration;
  const subject = decoy ? "" : registration.id;
  if (!maySend || !(await takeSend(tx, `send:${toEmailKey(email)}`, nowMs))) return;
  const code = await codes.issue(tx, { purpose: "verify", address: email, subject, nowMs });
  // Nothing that a stranger typed stands in a mail to the owner of an account.
  const owner = holder === undefined ? email : await toStoredAddress(tx, holder, email);
  const mail = decoy
    ? noticeMail(
        { email: owner, username: holder?.username ?? username },
        { siteName, notice: "already-registered" },
      )
    : codeMail(email, { siteName, code, purpose: "verify", username });
  await outbox.enqueue(tx, mail);
}

interface MadeRegistration {
  readonly passwordHash: string;
  readonly contested: boolean;
  readonly settings: RegistrationSettings;
  /** Whether the caller may have a further mail sent. */
  readonly maySend: boolean;
}

/** Whether the address was proved for the account: as its own, or as a further one. */
function isProved(holder: UserRecord, email: string): boolean {
  return holder.emailVerifiedAt !== undefined || holder.emailLower !== toEmailKey(email);
}

/** The registration as it is kept; a decoy when the mailbox was proved for an account before. */
function toRegistration(
  input: RegistrationInput,
  made: MadeRegistration,
  parts: { holder: UserRecord | undefined; inviteId: string | undefined; nowMs: number },
): RegistrationRecord {
  const { username, email, caller, termsVersion } = input;
  const { holder, inviteId, nowMs } = parts;
  return {
    id: newId("reg", nowMs),
    version: 1,
    decoy: holder !== undefined && isProved(holder, email),
    username,
    usernameLower: toUsernameKey(username),
    email,
    emailLower: toEmailKey(email),
    passwordHash: made.passwordHash,
    contested: made.contested,
    displayName: input.displayName ?? username,
    locale: input.locale ?? "en",
    ...(inviteId === undefined ? {} : { inviteId }),
    clientId: caller.clientId,
    ...(termsVersion === undefined ? {} : { termsVersion }),
    createdAt: nowMs,
    expiresAt: nowMs + WAIT_MS,
  };
}

/** Where no proof is waited for: the account is there at once. */
async function openAtOnce(
  tx: Tx,
  deps: RegistrationDeps,
  parts: { registration: RegistrationRecord; made: MadeRegistration; caller: Caller },
): Promise<Registered> {
  const { registration, made, caller } = parts;
  const { settings, maySend } = made;
  const { email, username, inviteId, createdAt: nowMs } = registration;
  const { siteName, emailVerification } = settings;
  const account = toAccount(registration, { settings, nowMs, verified: false });
  const user = await openAccount(tx, account, { caller, inviteId });
  const isSent = emailVerification === "optional" && maySend;
  if (isSent && (await takeSend(tx, `send:${toEmailKey(email)}`, nowMs))) {
    const code = await deps.codes.issue(tx, { purpose: "verify", address: email, subject: user.id, nowMs });
    await deps.outbox.enqueue(tx, codeMail(email, { siteName, code, purpose: "verify", username }));
  }
  if (user.status === "pending") return { kind: "pending" };
  return { kind: "tokens", tokens: await deps.sessions.open(tx, { user, caller, amr: ["pwd"] }) };
}

async function storeRegistration(
  tx: Tx,
  deps: RegistrationDeps,
  parts: { input: RegistrationInput; made: MadeRegistration },
): Promise<Registered> {
  const { input, made } = parts;
  const { email, caller, inviteCode } = input;
  const { settings, maySend } = made;
  const nowMs = deps.expiry.now();
  await assertUsernameFree(tx, input.username);
  const invite =
    inviteCode === undefined ? undefined : await redeemInvite(tx, { code: inviteCode, email, nowMs });
  const holder = await findByEmail(tx, email);
  const registration = toRegistration(input, made, { holder, inviteId: invite?.id, nowMs });
  if (settings.emailVerification !== "required") return openAtOnce(tx, deps, { registration, made, caller });
  await tx.insert(registrations, registration);
  const { siteName } = settings;
  await sendVerification(tx, deps, { registration, holder, siteName, maySend, nowMs });
  return { kind: "verification_sent", registrationId: registration.id };
}

function createRegister(deps: RegistrationDeps): Registration["register"] {
  const { store, limits, codeSending } = deps;
  const takeAddress = createAddressLimit(limits);
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
    const made = { ...hash, settings, maySend: codeSending.takeCaller(caller) };
    const registered = await store.transact((tx) => storeRegistration(tx, deps, { input, made }));
    return registered;
  };
}

/** Makes the registration's logic. */
export function createRegistration(deps: RegistrationDeps): Registration {
  return { register: createRegister(deps), verify: createVerify(deps) };
}

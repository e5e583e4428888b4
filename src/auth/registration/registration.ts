/** Registration, and proving a mailbox. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import {
  assertUsernameFree,
  findByEmail,
  toEmailKey,
  toStoredAddress,
  toUsernameKey,
  usernameTaken,
} from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import { redeemInvite } from "./invites.ts";
import { newEmptyChallenge } from "../codes/codes.ts";
import type { AskedMail } from "../mails/mail-quota.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { codeMail, noticeMail } from "../mails/mails.ts";
import { checkPassword } from "../passwords/password-policy.ts";
import { registrations, users } from "../accounts/records.ts";
import { checkDisplayName, checkEmailDomain, checkTerms, checkChosenUsername } from "./policy.ts";
import type { TokenSet } from "../sessions/sessions.ts";
import { createVerify } from "./verification.ts";
import {
  type RegistrationDeps,
  dropRegistration,
  findWaiting,
  openAccount,
  toAccount,
} from "./waiting-accounts.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import { loadSettings } from "../settings/settings.ts";
import type { RegistrationRecord, UserRecord } from "../accounts/schema.ts";

/** How long a name is held for who has not proved the mailbox. */
const WAIT_MS = 86_400_000;
const DAY_MS = 86_400_000;
/** Tries in a day to take a name that waits to another mailbox: each is a guess at its password. */
const MOVES = 5;

export interface RegistrationInput {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
  readonly inviteCode?: string;
  readonly termsVersion?: string;
  /** To who approves accounts. */
  readonly message?: string;
  readonly locale?: string;
  readonly caller: Caller;
}

export type Registered =
  | { readonly kind: "verification_sent"; readonly registrationId: string; readonly challengeId: string }
  | { readonly kind: "pending" }
  | { readonly kind: "tokens"; readonly tokens: TokenSet };

/** Throws `registration_closed`, `invite_invalid`. */
export function checkMode(settings: RegistrationSettings, inviteCode: string | undefined): void {
  if (settings.mode === "closed")
    throw new AuthError(
      "registration_closed",
      "Registration is closed. Ask the administrator for an account",
    );
  if (settings.mode === "invite" && inviteCode === undefined)
    throw new AuthError("invite_invalid", "Registration requires an invite code. Send it as inviteCode");
}

/** Pending registrations for the name or the mailbox of a new one. */
interface Present {
  /** The registration that holds the name, if one does. */
  readonly named: RegistrationRecord | undefined;
  /** The last one for the mailbox. */
  readonly last: RegistrationRecord | undefined;
}

/** Throws `username_taken` when an account has the name, which is public. */
async function findPresent(tx: ReadTx, { username, email }: RegistrationInput): Promise<Present> {
  const key = [toUsernameKey(username)];
  const [user, named, waiting] = await Promise.all([
    tx.by(users, "byUsername", key),
    tx.by(registrations, "byUsername", key),
    findWaiting(tx, email),
  ]);
  if (user !== undefined) throw usernameTaken(username);
  return { named, last: waiting[waiting.length - 1] };
}

interface PasswordHash {
  readonly passwordHash: string;
  readonly contested: boolean;
  /** The registration that waits when its name and password are the same, which shows that the person is. */
  readonly own: RegistrationRecord | undefined;
}

/** Whether a mailbox is another than that of the registration which holds the name, such as the right one after a typo. */
function isMove(named: RegistrationRecord | undefined, email: string): boolean {
  return named !== undefined && named.emailLower !== toEmailKey(email);
}

/** The hash to keep: of an earlier registration for this name or mailbox when the password is the same. */
async function toHash(
  deps: RegistrationDeps,
  { password, email }: { password: string; email: string },
  { named, last }: Present,
): Promise<PasswordHash> {
  const earlier = named ?? last;
  // One hash either way, so that the time tells nothing.
  if (earlier === undefined)
    return { passwordHash: await deps.hasher.hash(password), contested: false, own: undefined };
  const isSame = await deps.hasher.verify(password, earlier.passwordHash);
  return {
    passwordHash: earlier.passwordHash,
    contested: isMove(named, email) ? last !== undefined : earlier.contested || !isSame,
    own: isSame ? named : undefined,
  };
}

/** Throws `rate_limited`. */
export type CountRegistration = (caller: Caller, limit: number) => void;

/** Counts the registrations of an address. The limit is a setting, which may change between two of them. */
function createAddressLimit(limits: LimitSource): CountRegistration {
  const rate = limits.create("registrations", { limit: 0, windowMs: DAY_MS });
  return (caller, limit) => {
    const { allowed, retryAfterSeconds } = rate.hit(addressKey(caller.clientAddress), limit);
    if (allowed) return;
    throw new AppError("rate_limited", "Too many registrations from this address. Try again tomorrow", {
      retryAfterSeconds,
    });
  };
}

/** Emails the code of a registration within the limits; resolves with its challenge, or one that is never valid. */
async function sendVerification(
  tx: Tx,
  deps: RegistrationDeps,
  parts: {
    registration: RegistrationRecord;
    holder: UserRecord | undefined;
    asked: AskedMail;
    nowMs: number;
  },
): Promise<string> {
  const { registration, holder, asked, nowMs } = parts;
  const { email, username, decoy, id } = registration;
  if (!(await deps.mailQuota.take(tx, asked, { userId: holder?.id ?? "", nowMs })))
    return newEmptyChallenge();
  // An email to the owner of an account must not contain text that someone else typed.
  const owner = holder === undefined ? email : await toStoredAddress(tx, holder, email);
  const name = holder?.username ?? username;
  const { locale } = holder ?? registration;
  const site = await readMailSite(tx, deps, { locale, caller: asked.caller });
  return deps.codes.issue(tx, {
    purpose: "verify",
    address: email,
    subject: decoy ? "" : id,
    caller: asked.caller,
    nowMs,
    isRegistrant: true,
    mail: (code) =>
      decoy
        ? noticeMail({ email: owner, username: name }, { site, notice: "already-registered" })
        : codeMail(email, { site, code, purpose: "verify", username }),
  });
}

interface MadeRegistration extends PasswordHash {
  readonly settings: RegistrationSettings;
  readonly asked: AskedMail;
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
    locale: input.locale ?? caller.language ?? made.settings.language,
    inviteId,
    clientId: caller.clientId,
    termsVersion,
    signUpMessage: made.settings.mode === "approval" ? input.message : undefined,
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
  const { settings, asked } = made;
  const { email, username, inviteId, createdAt: nowMs } = registration;
  const { emailVerification } = settings;
  const account = toAccount(registration, { settings, nowMs, verified: false });
  const user = await openAccount(tx, account, { caller, inviteId });
  if (
    emailVerification === "optional" &&
    (await deps.mailQuota.take(tx, asked, { userId: user.id, nowMs }))
  ) {
    const site = await readMailSite(tx, deps, { locale: user.locale, caller });
    await deps.codes.issue(tx, {
      purpose: "verify",
      address: email,
      subject: user.id,
      caller,
      nowMs,
      mail: (code) => codeMail(email, { site, code, purpose: "verify", username }),
    });
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
  const { settings, asked } = made;
  const nowMs = deps.expiry.now();
  const isRequired = settings.emailVerification === "required";
  const own = made.own && (await tx.get(registrations, made.own.id));
  if (own !== undefined && isRequired && !isMove(own, email)) {
    const sent = { registration: own, holder: await findByEmail(tx, email), asked, nowMs };
    const challengeId = await sendVerification(tx, deps, sent);
    return { kind: "verification_sent", registrationId: own.id, challengeId };
  }
  if (own !== undefined) await dropRegistration(tx, own);
  await assertUsernameFree(tx, input.username);
  const invite =
    inviteCode === undefined ? undefined : await redeemInvite(tx, { code: inviteCode, email, nowMs });
  const holder = await findByEmail(tx, email);
  const registration = toRegistration(input, made, { holder, inviteId: invite?.id, nowMs });
  if (!isRequired) return openAtOnce(tx, deps, { registration, made, caller });
  await tx.insert(registrations, registration);
  const challengeId = await sendVerification(tx, deps, { registration, holder, asked, nowMs });
  return { kind: "verification_sent", registrationId: registration.id, challengeId };
}

function createRegister(deps: RegistrationDeps, takeAddress: CountRegistration) {
  const { store, mailQuota } = deps;
  const moves = deps.limits.create("registration-moves", { limit: MOVES, windowMs: DAY_MS });

  async function attempt(
    input: RegistrationInput,
    parts: { settings: RegistrationSettings; password: string; isSecond?: boolean },
  ): Promise<Registered> {
    const { settings, password, isSecond = false } = parts;
    const { username, email, caller } = input;
    const present = await store.read((tx) => findPresent(tx, input));
    const hash = await toHash(deps, { password, email }, present);
    const mayMove = !isMove(present.named, email) || moves.hit(toUsernameKey(username)).allowed;
    if (present.named !== undefined && (hash.own === undefined || !mayMove)) throw usernameTaken(username);
    const asked = mailQuota.ask({ purpose: "verify", email, caller });
    const made = { ...hash, settings, asked };
    try {
      return await store.transact((tx) => storeRegistration(tx, deps, { input, made }));
    } catch (error) {
      // Taken in this moment, perhaps by the same form sent twice: then it is answered like the first.
      const isTaken = error instanceof AuthError && error.code === "username_taken";
      if (!isTaken || isSecond) throw error;
      return attempt(input, { ...parts, isSecond: true });
    }
  }

  return async (input: RegistrationInput): Promise<Registered> => {
    const settings = await loadSettings(store, "registration");
    const { username, email, displayName, caller } = input;
    checkMode(settings, input.inviteCode);
    checkTerms(input.termsVersion, settings);
    checkChosenUsername(username, settings);
    if (displayName !== undefined) checkDisplayName(displayName, settings);
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
    return attempt(input, { settings, password });
  };
}

export type Registration = ReturnType<typeof createRegistration>;

/** Creates the registration's logic. */
export function createRegistration(deps: RegistrationDeps) {
  const countRegistration = createAddressLimit(deps.limits);
  return {
    /** Counts one of who registers in another way. */
    countRegistration,
    /**
     * Throws `registration_closed`, `invite_invalid`, `username_taken`, `password_blocked`, `terms_required`,
     * `invalid`, `rate_limited`, `unavailable`; `email_taken` only if no verification is required.
     */
    register: createRegister(deps, countRegistration),
    verify: createVerify(deps),
  };
}

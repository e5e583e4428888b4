/** People who come by a provider: those whose identity opens an account, and those who make one. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { findByEmail, toEmailKey, toStoredAddress } from "../accounts/accounts.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { Caller } from "../base/caller.ts";
import { type Codes, newEmptyChallenge } from "../codes/codes.ts";
import type { CodeGuesses } from "../codes/code-guesses.ts";
import type { AuthDeps } from "../base/deps.ts";
import { AuthError } from "../base/errors.ts";
import type { MailQuota } from "../mails/mail-quota.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { codeMail, noticeMail } from "../mails/mails.ts";
import { upstreamLinks, users } from "../accounts/records.ts";
import { upstreams } from "./records.ts";
import { redeemInvite } from "../registration/invites.ts";
import {
  checkDisplayName,
  checkEmailDomain,
  checkTerms,
  checkChosenUsername,
} from "../registration/policy.ts";
import { type CountRegistration, checkMode } from "../registration/registration.ts";
import { dropRegistration, findWaiting, openAccount } from "../registration/waiting-accounts.ts";
import { type SignedIn } from "../sessions/signed-in.ts";
import { completeSignIn, openSession } from "../second-factor/completion.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import { loadSettings, readSettings } from "../settings/settings.ts";
import { maySignIn } from "../sign-in/sign-in.ts";
import { findLink, insertLink } from "./links.ts";
import type { Identity, UpstreamRecord } from "./schema.ts";

/** A newcomer's choices. */
export interface Newcomer {
  readonly username: string;
  readonly email: string;
  readonly displayName?: string;
  readonly inviteCode?: string;
  readonly termsVersion?: string;
  readonly message?: string;
}

/** The outcome for a newcomer. */
export type Came =
  | SignedIn
  /** The identity opens no account yet; `holdsAccount`: one has its address, which is said only where the address is proved. */
  | { readonly kind: "unknown"; readonly holdsAccount: boolean };

export type Joined =
  | SignedIn
  | { readonly kind: "pending" }
  /** The email address must be verified first; the request with the code contains this value. */
  | { readonly kind: "code_sent"; readonly challengeId: string };

export type NewcomerDeps = AuthDeps & {
  readonly sessions: Sessions;
  readonly codes: Codes;
  readonly codeGuesses: CodeGuesses;
  readonly mailQuota: MailQuota;
  readonly countRegistration: CountRegistration;
};

/** Whether the provider's word makes the address proved. */
function isProvedBy(identity: Identity, email: string): boolean {
  const { isEmailProved, email: said = "" } = identity;
  return isEmailProved && toEmailKey(said) === toEmailKey(email);
}

/** Whose codes they are: others cannot use up their attempts. */
function toOwner({ issuer, subject }: Identity): string {
  return hashSecret(JSON.stringify([issuer, subject]));
}

/** Signs in a user with a verified identity at a provider, which may count as the second factor too. */
async function enter(
  tx: Tx,
  deps: NewcomerDeps,
  { user, caller, upstream }: { user: UserRecord; caller: Caller; upstream: UpstreamRecord },
): Promise<SignedIn> {
  if (!upstream.countsAsSecondFactor) return completeSignIn(tx, deps, { user, caller, amr: ["fed"] });
  const tokens = await openSession(tx, deps, { user, caller, amr: ["fed", "mfa"] });
  return { kind: "tokens", tokens };
}

async function getUpstream(tx: Tx, id: string): Promise<UpstreamRecord> {
  const upstream = await tx.get(upstreams, id);
  if (upstream?.enabled === true) return upstream;
  throw new AppError("not_found", `The identity provider "${id}" no longer exists`);
}

function createCome(deps: NewcomerDeps) {
  const { store, expiry, clock } = deps;
  return (identity: Identity, caller: Caller): Promise<Came> =>
    store.transact(async (tx): Promise<Came> => {
      const link = await findLink(tx, identity);
      const user = link === undefined ? undefined : await tx.get(users, link.userId);
      if (link === undefined || user === undefined) {
        const { email, isEmailProved } = identity;
        const isAsked = isEmailProved && email !== undefined;
        return { kind: "unknown", holdsAccount: isAsked && (await findByEmail(tx, email)) !== undefined };
      }
      const nowMs = expiry.now();
      const settings = (await readSettings(tx, "registration")).fields;
      if (!maySignIn(user, { nowMs, restores: false, settings }))
        throw new AuthError("invalid_credentials", "The account is disabled, suspended or deleted");
      await tx.put(upstreamLinks, { ...link, lastUsedAt: clock.now() });
      const upstream = await getUpstream(tx, identity.upstreamId);
      return enter(tx, deps, { user, caller, upstream });
    });
}

/** Throws if the registration's settings reject a newcomer. */
function checkNewcomer(newcomer: Newcomer, settings: RegistrationSettings): void {
  const { username, email, displayName, termsVersion, inviteCode } = newcomer;
  checkMode(settings, inviteCode);
  checkTerms(termsVersion, settings);
  checkChosenUsername(username, settings);
  if (displayName !== undefined) checkDisplayName(displayName, settings);
  checkEmailDomain(email, settings);
}

interface Joining {
  readonly identity: Identity;
  readonly newcomer: Newcomer;
  readonly caller: Caller;
}

/** Opens the account and links it. Whatever waits for the mailbox gets nothing of it; once the mailbox is proved it goes. */
async function openLinked(
  tx: Tx,
  deps: NewcomerDeps,
  { identity, newcomer, caller, isProved }: Joining & { isProved: boolean },
): Promise<Joined> {
  const nowMs = deps.expiry.now();
  const settings = (await readSettings(tx, "registration")).fields;
  checkNewcomer(newcomer, settings);
  const upstream = await getUpstream(tx, identity.upstreamId);
  if (upstream.registration === "off") throw registrationOff();
  if ((await findLink(tx, identity)) !== undefined)
    throw new AuthError("identity_taken", "This identity is already linked to an account. Sign in with it");
  const { email, username, inviteCode, message } = newcomer;
  if (isProved) for (const waiting of await findWaiting(tx, email)) await dropRegistration(tx, waiting);
  const invite =
    inviteCode === undefined ? undefined : await redeemInvite(tx, { code: inviteCode, email, nowMs });
  const isApproved = settings.mode !== "approval";
  const account = {
    username,
    email,
    displayName: newcomer.displayName ?? username,
    emailVerifiedAt: isProved ? nowMs : undefined,
    status: isApproved ? ("active" as const) : ("pending" as const),
    locale: caller.language ?? settings.language,
    registeredVia: {
      clientId: caller.clientId,
      inviteId: invite?.id,
      mode: settings.mode === "closed" ? ("open" as const) : settings.mode,
    },
    termsVersion: newcomer.termsVersion,
    signUpMessage: isApproved ? undefined : message,
    nowMs,
  };
  const user: UserRecord = await openAccount(tx, account, { caller, inviteId: invite?.id });
  await insertLink(tx, deps, { user, identity, caller });
  if (!isApproved) return { kind: "pending" };
  return enter(tx, deps, { user, caller, upstream });
}

function registrationOff(): AuthError {
  return new AuthError(
    "registration_closed",
    "Registration with this provider is closed. Ask the administrator for an account",
  );
}

/** Mails a code to the mailbox, or to the owner of an account with it that there is one; never tells which. */
async function sendCode(deps: NewcomerDeps, { identity, newcomer, caller }: Joining): Promise<string> {
  const { store, expiry, mailQuota, codes } = deps;
  const { email, username } = newcomer;
  const asked = mailQuota.ask({ purpose: "identity", email, caller });
  if (!asked.isAllowed) return newEmptyChallenge();
  return store.transact(async (tx) => {
    const nowMs = expiry.now();
    const holder = await findByEmail(tx, email);
    if (!(await mailQuota.take(tx, asked, { userId: holder?.id ?? "", nowMs }))) return newEmptyChallenge();
    const address = holder === undefined ? email : await toStoredAddress(tx, holder, email);
    const site = await readMailSite(tx, deps, { locale: holder?.locale, caller });
    return codes.issue(tx, {
      purpose: "identity" as const,
      address: email,
      owner: toOwner(identity),
      caller,
      nowMs,
      subject: holder === undefined ? toOwner(identity) : "",
      mail: (code) =>
        holder === undefined
          ? codeMail(email, { site, code, purpose: "identity", username })
          : noticeMail({ email: address, username: holder.username }, { site, notice: "already-registered" }),
    });
  });
}

export type Newcomers = ReturnType<typeof createNewcomers>;

/** Creates the steps after a sign-in through a provider. */
export function createNewcomers(deps: NewcomerDeps) {
  const { store, expiry, codes, codeGuesses, countRegistration } = deps;
  return {
    /** Signs in whose identity opens an account. Throws `account_pending`, `account_suspended`, `email_unverified`, and `invalid_credentials` for an account that cannot be used. */
    come: createCome(deps),
    /** Opens an account, or sends a code where the mailbox is to be proved first. Throws as a registration does, and `identity_taken`. */
    join: async (joining: Joining): Promise<Joined> => {
      const { identity, newcomer, caller } = joining;
      const settings = await loadSettings(store, "registration");
      const upstream = await findUpstream(deps, identity.upstreamId);
      if (upstream?.enabled !== true || upstream.registration === "off") throw registrationOff();
      checkNewcomer(newcomer, settings);
      countRegistration(caller, settings.maxPerAddressPerDay);
      const isProved = isProvedBy(identity, newcomer.email);
      if (isProved || settings.emailVerification !== "required")
        return store.transact((tx) => openLinked(tx, deps, { ...joining, isProved }));
      return { kind: "code_sent", challengeId: await sendCode(deps, joining) };
    },
    /** Sends another code; never tells whether one went. */
    sendCode: (joining: Joining): Promise<string> => sendCode(deps, joining),
    /** Opens the account with the code that proves its mailbox. Throws `code_invalid`, `too_many_attempts`, and as {@link join}. */
    joinWithCode: (joining: Joining & { code: string; challengeId: string }): Promise<Joined> => {
      const { identity, newcomer, caller, code, challengeId } = joining;
      const target = { purpose: "identity" as const, address: newcomer.email, owner: toOwner(identity) };
      const guess = { ...target, code, challengeId, caller };
      return codeGuesses.run(guess, () =>
        store.transact(async (tx) => {
          const taken = await codes.take(tx, { ...guess, nowMs: expiry.now() });
          if (taken.kind !== "right" || taken.subject !== toOwner(identity)) return undefined;
          return openLinked(tx, deps, { ...joining, isProved: true });
        }),
      );
    },
  };
}

function findUpstream({ store }: Pick<AuthDeps, "store">, id: string): Promise<UpstreamRecord | undefined> {
  return store.read((tx) => tx.get(upstreams, id));
}

/** Registrations that wait for their mailbox to be proved, and the accounts that they become. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { type NewAccount, createAccount, toEmailKey } from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import type { CodeGuesses } from "../codes/code-guesses.ts";
import type { Codes } from "../codes/codes.ts";
import type { AuthDeps } from "../base/deps.ts";
import { writeEvent } from "../accounts/events.ts";
import { noteInviteUse } from "./invites.ts";
import type { MailQuota } from "../mails/mail-quota.ts";
import { invites } from "./records.ts";
import { registrations } from "../accounts/records.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import type { RegistrationRecord, UserRecord } from "../accounts/schema.ts";

export type RegistrationDeps = AuthDeps & {
  sessions: Sessions;
  codes: Codes;
  codeGuesses: CodeGuesses;
  mailQuota: MailQuota;
};

/** Pending registrations of a mailbox, oldest first; including decoys. */
export function findWaiting(tx: ReadTx, email: string): Promise<readonly RegistrationRecord[]> {
  return tx
    .list(registrations, "byEmail", { prefix: [toEmailKey(email)], limit: 100 })
    .then(({ items }) => items);
}

/** Removes a registration of which no account came: its name and its use of an invite are free again. */
export async function dropRegistration(tx: Tx, registration: RegistrationRecord): Promise<void> {
  const { id, inviteId } = registration;
  await tx.remove(registrations, id);
  if (inviteId === undefined) return;
  const invite = await tx.get(invites, inviteId);
  if (invite !== undefined && invite.usedCount > 0)
    await tx.adjust(invites, inviteId, { field: "usedCount", by: -1 });
}

/** The account that a registration becomes. */
export function toAccount(
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
    registeredVia: { clientId, mode, inviteId },
    termsVersion,
    signUpMessage: settings.mode === "approval" ? registration.signUpMessage : undefined,
    nowMs,
  };
}

/** Creates the account, counts the use of the invite and records it. */
export async function openAccount(
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

/** Invites: codes with which people register where registration is by invitation. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AuthError } from "../base/errors.ts";
import type { Tx } from "../../store/store.ts";
import { toEmailKey } from "../accounts/accounts.ts";
import type { InviteRecord } from "./schema.ts";
import { invites } from "./records.ts";

/** Characters of a code, of 5 bits each: 100 bits of randomness. */
export const INVITE_CODE_LENGTH = 20;
const MAX_USES_KEPT = 100;
const CODE = /^[0-9a-hjkmnp-tv-z]{20}$/u;

/**
 * The form in which codes are hashed: case, spaces and dashes do not matter, and neither do the letters
 * that people take for digits (Crockford's base32). Undefined for what is no code.
 */
function toNormalForm(code: string): string | undefined {
  const plain = code.toLowerCase().replaceAll(/[\s-]/gu, "");
  const text = plain.length === INVITE_CODE_LENGTH + 3 && plain.startsWith("inv") ? plain.slice(3) : plain;
  const digits = text.replaceAll(/[il]/gu, "1").replaceAll("o", "0");
  return CODE.test(digits) ? digits : undefined;
}

/** One text for every reason: who guesses must not learn that a code exists. */
function refuse(): AuthError {
  return new AuthError(
    "invite_invalid",
    "The invite code is invalid or expired, or belongs to another email address. Ask for a new invite",
  );
}

function fits(invite: InviteRecord, email: string): boolean {
  const address = toEmailKey(email);
  if (invite.boundEmail !== undefined && toEmailKey(invite.boundEmail) !== address) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const { emailDomains } = invite;
  return emailDomains.length === 0 || emailDomains.some((entry) => domain === entry);
}

function withUse(invite: InviteRecord, userId: string, at: number): InviteRecord {
  return { ...invite, uses: [...invite.uses, { userId, at }].slice(-MAX_USES_KEPT) };
}

/**
 * Counts a use of an invite in the running transaction and gives the invite. `nowMs` is time for expiry.
 * Throws `invite_invalid`.
 */
export async function redeemInvite(
  tx: Tx,
  use: { code: string; email: string; userId?: string; nowMs: number },
): Promise<InviteRecord> {
  const { code, email, userId, nowMs } = use;
  const form = toNormalForm(code);
  const invite = form === undefined ? undefined : await tx.by(invites, "byCode", [hashSecret(form)]);
  if (invite === undefined || !invite.enabled || !fits(invite, email)) throw refuse();
  const isExpired = invite.expiresAt !== undefined && invite.expiresAt <= nowMs;
  if (isExpired || invite.usedCount >= invite.maxUses) throw refuse();
  const counted = { ...invite, usedCount: invite.usedCount + 1 };
  return tx.put(invites, userId === undefined ? counted : withUse(counted, userId, nowMs));
}

/** Notes who came of a use that was counted before; nothing happens when the invite is gone. */
export async function noteInviteUse(tx: Tx, inviteId: string, userId: string, nowMs: number): Promise<void> {
  const invite = await tx.get(invites, inviteId);
  if (invite !== undefined) await tx.put(invites, withUse(invite, userId, nowMs));
}

/** Forgets who came of a use; the use stays counted. */
export async function dropInviteUse(tx: Tx, inviteId: string, userId: string): Promise<void> {
  const invite = await tx.get(invites, inviteId);
  if (invite === undefined || !invite.uses.some((use) => use.userId === userId)) return;
  await tx.put(invites, { ...invite, uses: invite.uses.filter((use) => use.userId !== userId) });
}

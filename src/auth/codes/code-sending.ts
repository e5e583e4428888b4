/** Sending a code to a mailbox on request. */
import type { ReadTx } from "../../store/store.ts";
import { isUsable } from "../accounts/status.ts";
import { findByEmail, toEmailKey, toStoredAddress } from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import type { Subject } from "../sessions/subject.ts";
import { type Codes, newEmptyChallenge } from "./codes.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { MailQuota } from "../mails/mail-quota.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { codeMail } from "../mails/mails.ts";
import { registrations } from "../accounts/records.ts";

export type SendPurpose = "verify" | "login" | "reauth";

/** Subject of a code, and its recipient. */
interface Target {
  /** ID of a registration or a user, "" for neither. */
  readonly id: string;
  /** The account that the mailbox belongs to, "" for none. */
  readonly userId: string;
  readonly address: string;
  readonly username?: string;
  /** Of the registration or the account. */
  readonly locale?: string;
}

/** A mailbox that waits to be proved: a registration's, or that of an account which has it as its own. */
async function findUnproved(tx: ReadTx, email: string, nowMs: number): Promise<Target | undefined> {
  const [user, { items }] = await Promise.all([
    findByEmail(tx, email),
    tx.list(registrations, "byEmail", { prefix: [toEmailKey(email)], limit: 1, reverse: true }),
  ]);
  // Verified, or an additional address of an account, which has separate codes.
  const isProved = user !== undefined && user.emailLower !== toEmailKey(email);
  if (isProved || user?.emailVerifiedAt !== undefined) return undefined;
  const [waiting] = items;
  if (waiting !== undefined && !waiting.decoy && waiting.expiresAt > nowMs)
    return {
      id: waiting.id,
      userId: "",
      address: waiting.email,
      username: waiting.username,
      locale: waiting.locale,
    };
  const isOpen = user !== undefined && (isUsable(user, nowMs) || user.status === "pending");
  return isOpen ? { id: user.id, userId: user.id, address: user.email, locale: user.locale } : undefined;
}

async function findTarget(
  tx: ReadTx,
  input: { email: string; purpose: SendPurpose; nowMs: number; subject?: Subject },
): Promise<Target> {
  const { email, purpose, nowMs, subject } = input;
  const nobody = { id: "", userId: "", address: email };
  if (purpose === "verify") return (await findUnproved(tx, email, nowMs)) ?? nobody;
  const user = await findByEmail(tx, email, "login");
  if (user === undefined || !isUsable(user, nowMs)) return nobody;
  if (purpose === "reauth" && user.id !== subject?.user.id) return nobody;
  const address = await toStoredAddress(tx, user, email);
  return { id: user.id, userId: user.id, address, locale: user.locale };
}

export type CodeSending = ReturnType<typeof createCodeSending>;

export function createCodeSending(
  deps: Pick<AuthDeps, "store" | "expiry" | "publicUrl"> & { codes: Codes; mailQuota: MailQuota },
) {
  const { store, expiry, codes, mailQuota } = deps;
  return {
    /**
     * Sends a code if the recipient may have one, without revealing whether it did. Resolves with a challenge that is
     * sent along with the code. `subject` is the signed-in account, if any.
     */
    send: async (input: {
      email: string;
      purpose: SendPurpose;
      caller: Caller;
      subject?: Subject;
    }): Promise<string> => {
      const { email, purpose, caller, subject } = input;
      const asked = mailQuota.ask({ purpose, email, caller });
      if (!asked.isAllowed) return newEmptyChallenge();
      return store.transact(async (tx) => {
        const nowMs = expiry.now();
        const target = await findTarget(tx, { email, purpose, nowMs, subject });
        const { id, userId, address, username, locale } = target;
        if (!(await mailQuota.take(tx, asked, { userId, nowMs }))) return newEmptyChallenge();
        const site = await readMailSite(tx, deps, { locale, caller });
        return codes.issue(tx, {
          purpose,
          address: email,
          owner: purpose === "reauth" ? (subject?.user.id ?? "") : "",
          subject: id,
          caller,
          nowMs,
          // Also written without a recipient, so that both cost the same.
          mail: (code) => ({
            ...codeMail(address, { site, code, purpose, username }),
            isDecoy: id === "",
          }),
        });
      });
    },
  };
}

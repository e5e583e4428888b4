/**
 * How many mails people may have sent to a mailbox. Each purpose has its own count, one sender cannot use it
 * up, and who signed in to the mailbox's account before has a count that no stranger touches.
 */
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { Tx } from "../../store/store.ts";
import { toEmailKey } from "../accounts/accounts.ts";
import { takeSend } from "../attempts/attempts.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { isKnownCaller } from "../attempts/known-callers.ts";
import type { CodePurpose } from "../base/code-purpose.ts";

/** Mails that one address (IPv6 by /64) may ask for in an hour, whatever the mailbox. */
const SENDS_AN_HOUR = 20;
/** Mails of one purpose to one mailbox that one address may ask for in a day: half of what strangers have in all. */
const SENDS_TO_ONE_A_DAY = 5;
const HOUR_MS = 3_600_000;

/** The purpose of an email: a code, or a link to set a new password. */
export type MailPurpose = CodePurpose | "reset";

/** A requested email, counted by requester. */
export interface AskedMail {
  readonly purpose: MailPurpose;
  readonly email: string;
  readonly caller: Caller;
  /** False when the address asked for too many mails of any kind. */
  readonly isAllowed: boolean;
  /** False when it asked for too many of this kind, unless it is known. */
  readonly isStrangerAllowed: boolean;
}

export type MailQuota = ReturnType<typeof createMailQuota>;

export function createMailQuota({ box, limits }: Pick<AuthDeps, "box" | "limits">) {
  const perCaller = limits.create("code-mails", { limit: SENDS_AN_HOUR, windowMs: HOUR_MS });
  const perMailbox = limits.create("mailbox-mails", {
    limit: SENDS_TO_ONE_A_DAY,
    windowMs: 24 * HOUR_MS,
  });
  return {
    /** Counts a mail that an address asks for; outside of a transaction. */
    ask: ({ purpose, email, caller }: Pick<AskedMail, "purpose" | "email" | "caller">): AskedMail => {
      const address = addressKey(caller.clientAddress);
      const isAllowed = perCaller.hit(address).allowed;
      const isStrangerAllowed =
        isAllowed && perMailbox.hit(`${purpose} ${address} ${toEmailKey(email)}`).allowed;
      return { purpose, email, caller, isAllowed, isStrangerAllowed };
    },
    /**
     * Counts it against the mailbox and returns whether it may be sent. `userId` is the owner of the mailbox, "" for
     * none.
     */
    take: async (
      tx: Tx,
      asked: AskedMail,
      { userId, nowMs }: { userId: string; nowMs: number },
    ): Promise<boolean> => {
      const { purpose, email, caller, isAllowed, isStrangerAllowed } = asked;
      if (!isAllowed) return false;
      const isKnown = await isKnownCaller(tx, box, { userId, caller, nowMs });
      if (!isKnown && !isStrangerAllowed) return false;
      return takeSend(tx, `send:${purpose}:${isKnown ? "known:" : ""}${toEmailKey(email)}`, nowMs);
    },
  };
}

/**
 * Sending a code to a mailbox on request. Hidden here: that the answer, the writes and the limits are the
 * same whether anybody has the address.
 */
import { addressKey, createRateLimit } from "../kit/rate-limit.ts";
import type { ReadTx } from "../store/store.ts";
import { isUsable } from "./account-status.ts";
import { findByEmail, toEmailKey } from "./accounts.ts";
import { takeSend } from "./attempts.ts";
import type { Caller, Subject } from "./caller.ts";
import type { Codes } from "./codes.ts";
import type { AuthDeps } from "./deps.ts";
import { codeMail } from "./mails.ts";
import { registrations } from "./records.ts";
import { readSettings } from "./settings.ts";

/** Mails that one address (IPv6 by /64) may ask for in an hour. */
const SENDS_AN_HOUR = 20;
const HOUR_MS = 3_600_000;

export type SendPurpose = "verify" | "login" | "reauth";

export interface CodeSending {
  /** Sends a code if there is who may have one; never tells. `subject` is who is signed in, if anybody. */
  send(input: {
    email: string;
    purpose: SendPurpose;
    caller: Caller;
    subject?: Subject | undefined;
  }): Promise<void>;
  /** Counts a mail that an address asks for; tells whether it may be sent. */
  takeCaller(caller: Caller): boolean;
}

/** What a code would open: a registration's or a user's id, "" for nobody. */
async function findTarget(
  tx: ReadTx,
  input: { email: string; purpose: SendPurpose; nowMs: number; subject?: Subject | undefined },
): Promise<{ id: string; username?: string }> {
  const { email, purpose, nowMs, subject } = input;
  const user = await findByEmail(tx, email, "login");
  const { items } = await tx.list(registrations, "byEmail", {
    prefix: [toEmailKey(email)],
    limit: 1,
    reverse: true,
  });
  const usable =
    user !== undefined && (isUsable(user, nowMs) || user.status === "pending") ? user : undefined;
  if (purpose === "reauth")
    return usable !== undefined && usable.id === subject?.user.id ? { id: usable.id } : { id: "" };
  if (purpose === "login") return { id: usable?.id ?? "" };
  const waiting = items[0];
  if (waiting !== undefined && !waiting.decoy && waiting.expiresAt > nowMs)
    return { id: waiting.id, username: waiting.username };
  return usable !== undefined && usable.emailVerifiedAt === undefined ? { id: usable.id } : { id: "" };
}

/** Makes the sending. */
export function createCodeSending(
  deps: Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox"> & { codes: Codes },
): CodeSending {
  const { store, clock, expiry, outbox, codes } = deps;
  const perCaller = createRateLimit({ limit: SENDS_AN_HOUR, windowMs: HOUR_MS, clock });
  const takeCaller: CodeSending["takeCaller"] = ({ clientAddress }) =>
    perCaller.hit(addressKey(clientAddress)).allowed;

  return {
    takeCaller,
    send: async ({ email, purpose, caller, subject }) => {
      if (!takeCaller(caller)) return;
      await store.transact(async (tx) => {
        const nowMs = expiry.now();
        const target = await findTarget(tx, { email, purpose, nowMs, subject });
        if (!(await takeSend(tx, `send:${toEmailKey(email)}`, nowMs))) return;
        const code = await codes.issue(tx, { purpose, address: email, subject: target.id, nowMs });
        const { siteName } = (await readSettings(tx, "registration")).fields;
        // Made for nobody too, so that both cost the same.
        const mail = codeMail(email, { siteName, code, purpose, username: target.username });
        if (target.id !== "") await outbox.enqueue(tx, mail);
      });
      outbox.wake();
    },
  };
}

/**
 * Sending a code to a mailbox on request. Hidden here: that the answer, the writes and the limits are the
 * same whether anybody has the address.
 */
import { addressKey } from "../kit/rate-limit.ts";
import type { ReadTx } from "../store/store.ts";
import { isUsable } from "./account-status.ts";
import { findByEmail, toEmailKey, toStoredAddress } from "./accounts.ts";
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

/** What a code would open, and where it goes. */
interface Target {
  /** A registration's or a user's id, "" for nobody. */
  readonly id: string;
  readonly address: string;
  readonly username?: string;
}

/** A mailbox that waits to be proved: a registration's, or that of an account which has it as its own. */
async function findUnproved(tx: ReadTx, email: string, nowMs: number): Promise<Target | undefined> {
  const [user, { items }] = await Promise.all([
    findByEmail(tx, email),
    tx.list(registrations, "byEmail", { prefix: [toEmailKey(email)], limit: 1, reverse: true }),
  ]);
  // Proved, or a further address of an account, which has codes of its own.
  const isProved = user !== undefined && user.emailLower !== toEmailKey(email);
  if (isProved || user?.emailVerifiedAt !== undefined) return undefined;
  const [waiting] = items;
  if (waiting !== undefined && !waiting.decoy && waiting.expiresAt > nowMs)
    return { id: waiting.id, address: waiting.email, username: waiting.username };
  const isOpen = user !== undefined && (isUsable(user, nowMs) || user.status === "pending");
  return isOpen ? { id: user.id, address: user.email } : undefined;
}

async function findTarget(
  tx: ReadTx,
  input: { email: string; purpose: SendPurpose; nowMs: number; subject?: Subject | undefined },
): Promise<Target> {
  const { email, purpose, nowMs, subject } = input;
  const nobody = { id: "", address: email };
  if (purpose === "verify") return (await findUnproved(tx, email, nowMs)) ?? nobody;
  const user = await findByEmail(tx, email, "login");
  if (user === undefined || !isUsable(user, nowMs)) return nobody;
  if (purpose === "reauth" && user.id !== subject?.user.id) return nobody;
  return { id: user.id, address: await toStoredAddress(tx, user, email) };
}

/** Makes the sending. */
export function createCodeSending(
  deps: Pick<AuthDeps, "store" | "expiry" | "outbox" | "limits"> & { codes: Codes },
): CodeSending {
  const { store, expiry, outbox, codes, limits } = deps;
  const perCaller = limits.create("code-mails", { limit: SENDS_AN_HOUR, windowMs: HOUR_MS });
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
        const owner = purpose === "reauth" ? (subject?.user.id ?? "") : "";
        const code = await codes.issue(tx, { purpose, address: email, owner, subject: target.id, nowMs });
        const { siteName } = (await readSettings(tx, "registration")).fields;
        // Written for nobody too, so that both cost the same.
        const mail = codeMail(target.address, { siteName, code, purpose, username: target.username });
        await outbox.enqueue(tx, { ...mail, isDecoy: target.id === "" });
      });
    },
  };
}

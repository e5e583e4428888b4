/**
 * Codes sent by mail: eight digits, ten minutes, good once. Only a keyed hash is kept, bound to address,
 * purpose and what the code is for; decoys look like codes. A guess is counted against the sending by who
 * guesses, so that a stranger's guesses do not use up the tries of who asked for the code (decision 028).
 */
import { newCodeText, newDigits, newSecret } from "../../kit/secrets/id.ts";
import type { Outbox } from "../../records/outbox.ts";
import { cancelMail } from "../../records/outbox-cancel.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { toEmailKey } from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import { type OutgoingMail, CODE_MINUTES } from "../mails/mails.ts";
import { codes } from "./records.ts";
import type { CodePurpose } from "../base/code-purpose.ts";
import type { CodeRecord } from "./schema.ts";

const DIGITS = 8;
/** Wrong tries at one sending, for each kind of guesser. */
const TRIES = 5;
const LIFE_MS = CODE_MINUTES * 60_000;
/** Sendings of one purpose and address that live at once; the limits of mails keep them fewer. */
const MAX_LIVING = 50;
const CHALLENGE = /^chl_([0-9a-z]{16})_([\w-]{43})$/u;

/** Where a code was sent and what for. */
export interface CodeTarget {
  readonly purpose: CodePurpose;
  readonly address: string;
  /**
   * The account that requests the code, for purposes that need a sign-in: others can neither replace the code nor use
   * up its attempts.
   */
  readonly owner?: string;
}

export interface IssueOptions extends CodeTarget {
  /** Subject that the code is for; "" for a decoy. */
  readonly subject: string;
  /** The requester: a new code replaces an earlier one of the same address. */
  readonly caller: Caller;
  readonly nowMs: number;
  /** The requester chose the password of the registration that the code opens. */
  readonly isRegistrant?: boolean;
  readonly mail: (code: string) => OutgoingMail & { readonly isDecoy?: boolean };
}

export interface TakeOptions extends CodeTarget {
  readonly code: string;
  /** The challenge from the response to the sending; undefined for callers that store none. */
  readonly challengeId?: string;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** The outcome of a typed code; a failure is counted when the transaction commits. */
export type CodeOutcome =
  | { readonly kind: "right"; readonly subject: string; readonly isRegistrant: boolean }
  | { readonly kind: "wrong" };

/** A challenge for a requester to whom no code was sent: it looks like any other, and is never valid. */
export function newEmptyChallenge(): string {
  return newSecret(`chl_${newCodeText(16)}`);
}

/** The counter of a record that a guess counts against. */
type Counter = "tries" | "senderTries" | "handleTries";

export type Codes = ReturnType<typeof createCodes>;

/** Creates the codes' logic. */
export function createCodes({ box, outbox }: { box: SecretBox; outbox: Outbox }) {
  const keyOf = ({ purpose, address, owner = "" }: CodeTarget): string =>
    `${purpose}:${box.mac(`${owner} ${toEmailKey(address)}`, "address")}`;
  const macOf = (target: CodeTarget, code: string, subject: string): string =>
    box.mac(JSON.stringify([code, target.purpose, toEmailKey(target.address), subject]), "code");
  const sealOf = (id: string): string => box.mac(id, "challenge");
  const senderOf = ({ clientAddress }: Caller): string => box.mac(addressKey(clientAddress), "code-sender");

  function findChallenge(target: CodeTarget, challengeId: string | undefined): string | undefined {
    const [, sending, seal] = CHALLENGE.exec(challengeId ?? "") ?? [];
    if (sending === undefined || seal === undefined) return undefined;
    const id = `${keyOf(target)}:${sending}`;
    return isSameText(seal, sealOf(id)) ? id : undefined;
  }

  async function drop(tx: Tx, record: CodeRecord): Promise<void> {
    await tx.remove(codes, record.id);
    // A used or replaced code is no longer sent; a notification in its place is still useful.
    if (record.mailId !== undefined) await cancelMail(tx, { id: record.mailId, kind: "code" });
  }

  return {
    /** The sent code of a challenge; undefined if it belongs to another address or purpose. */
    findChallenge,
    /** Creates a code and sends it by email; resolves with the challenge for the caller. */
    issue: async (tx: Tx, options: IssueOptions): Promise<string> => {
      const { subject, nowMs, caller, isRegistrant = false } = options;
      const key = keyOf(options);
      const sender = senderOf(caller);
      for (const record of await listAll(tx, key))
        if (record.sender === sender || record.sender === "") await drop(tx, record);
      const sending = newCodeText(16);
      const id = `${key}:${sending}`;
      const code = newDigits(DIGITS);
      const mailId = await outbox.enqueue(tx, options.mail(code));
      await tx.insert(codes, {
        id,
        mac: macOf(options, code, subject),
        subject,
        sender,
        isRegistrant,
        mailId,
        tries: 0,
        senderTries: 0,
        handleTries: 0,
        createdAt: nowMs,
        expiresAt: nowMs + LIFE_MS,
      });
      return `chl_${sending}_${sealOf(id)}`;
    },
    /** Spends a code, or counts a wrong one. Writes nothing when no code waits for the address. */
    take: async (tx: Tx, options: TakeOptions): Promise<CodeOutcome> => {
      const { code, caller, nowMs, owner = "" } = options;
      const challenge = findChallenge(options, options.challengeId);
      const sender = senderOf(caller);
      const counterOf = (record: CodeRecord): Counter => {
        if (owner !== "" || record.id === challenge) return "handleTries";
        return record.sender === sender ? "senderTries" : "tries";
      };
      const all = await listAll(tx, keyOf(options));
      const open = all.filter((record) => isInTime(record, nowMs) && record[counterOf(record)] < TRIES);
      const found = open.find((record) => isRight(record, macOf(options, code, record.subject)));
      if (found !== undefined) {
        for (const record of all) await drop(tx, record);
        const isRegistrant = found.isRegistrant && found.id === challenge;
        return { kind: "right", subject: found.subject, isRegistrant };
      }
      for (const record of open) {
        const counter = counterOf(record);
        await tx.put(codes, { ...record, [counter]: record[counter] + 1 });
      }
      return { kind: "wrong" };
    },
  };
}

/** All sendings of one purpose and address; the id of an older release is the key itself. */
async function listAll(tx: ReadTx, key: string): Promise<readonly CodeRecord[]> {
  return (await tx.list(codes, "id", { from: [key], to: [`${key};`], limit: MAX_LIVING })).items;
}

/** One that was sent while the clock was ahead would live for as long as it was wrong. */
function isInTime({ expiresAt }: CodeRecord, nowMs: number): boolean {
  return expiresAt > nowMs && expiresAt <= nowMs + LIFE_MS;
}

/** Keyed hashes may be compared plainly: who does not have the key cannot steer them. A decoy opens nothing. */
function isRight(record: CodeRecord, mac: string): boolean {
  return record.subject !== "" && record.mac === mac;
}

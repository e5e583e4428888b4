/**
 * Codes sent by mail: eight digits, ten minutes, five tries. Hidden here: that only a keyed hash is kept,
 * bound to address, purpose and what the code is for, and that decoys look like codes.
 */
import { newDigits } from "../kit/id.ts";
import type { SecretBox } from "../kit/secret-box.ts";
import type { Tx } from "../store/store.ts";
import { toEmailKey } from "./accounts.ts";
import type { WaitMs } from "./attempts.ts";
import { countWrongCode, findCodeLock } from "./attempts.ts";
import { CODE_MINUTES } from "./mails.ts";
import { codes } from "./records.ts";
import type { CodePurpose, CodeRecord } from "./session-schema.ts";

const DIGITS = 8;
const TRIES = 5;
const LIFE_MS = CODE_MINUTES * 60_000;

/** Where a code was sent and what for. */
export interface CodeTarget {
  readonly purpose: CodePurpose;
  readonly address: string;
  /** The account that asks, for purposes that need a sign-in: nobody else can replace its code or use up its tries. */
  readonly owner?: string;
}

/** What became of a code that somebody typed; a failure is counted when the transaction commits. */
export type CodeOutcome =
  | { readonly kind: "right"; readonly subject: string }
  | { readonly kind: "wrong" }
  | { readonly kind: "limited"; readonly waitMs: WaitMs };

export interface Codes {
  /** Makes a code in place of the one before; `subject` is what it opens, "" for a decoy. */
  issue(tx: Tx, target: CodeTarget & { subject: string; nowMs: number }): Promise<string>;
  /** Spends a code, or counts a wrong one. */
  take(tx: Tx, target: CodeTarget & { code: string; nowMs: number }): Promise<CodeOutcome>;
}

/** Makes the codes' logic. */
export function createCodes({ box }: { box: SecretBox }): Codes {
  const idOf = ({ purpose, address, owner = "" }: CodeTarget): string =>
    `${purpose}:${box.mac(`${owner} ${toEmailKey(address)}`, "address")}`;
  const macOf = (target: CodeTarget, code: string, subject: string): string =>
    box.mac(JSON.stringify([code, target.purpose, toEmailKey(target.address), subject]), "code");

  return {
    issue: async (tx, target) => {
      const { subject, nowMs } = target;
      const id = idOf(target);
      const code = newDigits(DIGITS);
      await tx.remove(codes, id);
      await tx.insert(codes, {
        id,
        mac: macOf(target, code, subject),
        subject,
        tries: 0,
        createdAt: nowMs,
        expiresAt: nowMs + LIFE_MS,
      });
      return code;
    },
    take: async (tx, target) => {
      const { code, nowMs } = target;
      const id = idOf(target);
      const lockKey = `code:${id}`;
      const waitMs = await findCodeLock(tx, lockKey, nowMs);
      if (waitMs > 0) return { kind: "limited", waitMs };
      const record = await tx.get(codes, id);
      if (record !== undefined && isRight(record, nowMs, macOf(target, code, record.subject))) {
        await tx.remove(codes, id);
        return { kind: "right", subject: record.subject };
      }
      if (record !== undefined) await countTry(tx, record);
      await countWrongCode(tx, lockKey, nowMs);
      return { kind: "wrong" };
    },
  };
}

/** Keyed hashes may be compared plainly: who does not have the key cannot steer them. A decoy opens nothing. */
function isRight(record: CodeRecord, nowMs: number, mac: string): boolean {
  const isInTime = record.expiresAt > nowMs && record.expiresAt <= nowMs + LIFE_MS;
  return isInTime && record.subject !== "" && record.mac === mac;
}

async function countTry(tx: Tx, record: CodeRecord): Promise<void> {
  if (record.tries + 1 >= TRIES) await tx.remove(codes, record.id);
  else await tx.put(codes, { ...record, tries: record.tries + 1 });
}

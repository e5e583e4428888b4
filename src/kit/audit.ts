/**
 * What administrators did, as a chain: each entry's hash covers the one before, so that an entry cannot be
 * changed or taken out unseen. Hidden here: numbering, what is hashed, and the bound.
 */
import { z } from "zod";
import type { Page, ReadTx, Store, Tx } from "../store/store.ts";
import { defineCollection } from "../store/store.ts";
import { hashSecret } from "./admin-token.ts";
import type { Clock } from "./clock.ts";
import { timeMs } from "./text-schemas.ts";

const HEAD = "head";
/** What stands before the first entry. */
const START_HASH = "0".repeat(64);
const MAX_ENTRIES = 50_000;
const BATCH = 500;

/** Who did it. */
export interface AuditActor {
  readonly name: string;
  readonly clientId: string;
  readonly requestId: string;
}

/** One entry of the audit; ids are consecutive numbers, and each entry's hash covers the one before. */
export const auditRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  at: timeMs,
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  result: z.enum(["ok", "refused"]),
  clientId: z.string(),
  requestId: z.string(),
  /** What changed; secret values are masked. */
  changes: z.array(z.string()),
  prevHash: z.string(),
  hash: z.string(),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

/** The end of the audit's chain, and what came before its first kept entry. */
const auditHeadRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  count: z.number().int(),
  hash: z.string(),
  /** Entries dropped at the old end, and the hash of the last of them. */
  dropped: z.number().int(),
  anchorHash: z.string(),
});

export const auditCollection = defineCollection({ name: "audit", revision: 1, schema: auditRecordSchema });
export const auditHeadCollection = defineCollection({
  name: "auditHead",
  revision: 1,
  schema: auditHeadRecordSchema,
});

export interface AuditEntry {
  readonly actor: AuditActor;
  /** Such as "user.suspend". */
  readonly action: string;
  readonly target: string;
  readonly result?: "ok" | "refused";
  /** Names of fields, or "field: value" where the value is no secret. */
  readonly changes?: readonly string[];
}

export interface AuditVerdict {
  readonly valid: boolean;
  /** Entries that were read. */
  readonly entries: number;
  /** The first entry that does not fit. */
  readonly brokenAt?: string;
}

function toId(number: number): string {
  return `aud_${String(number).padStart(12, "0")}`;
}

/** Every member but version and hash, in a fixed order. */
function toHash(entry: Omit<AuditRecord, "version" | "hash">): string {
  const { id, at, actor, action, target, result, clientId, requestId, changes, prevHash } = entry;
  return hashSecret(
    JSON.stringify([id, at, actor, action, target, result, clientId, requestId, changes, prevHash]),
  );
}

/** Adds an entry to the running transaction. */
export async function writeAudit(tx: Tx, entry: AuditEntry, clock: Clock): Promise<void> {
  const head = await tx.get(auditHeadCollection, HEAD);
  const number = (head?.count ?? 0) + 1;
  const record = {
    id: toId(number),
    at: clock.now(),
    actor: entry.actor.name,
    action: entry.action,
    target: entry.target,
    result: entry.result ?? "ok",
    clientId: entry.actor.clientId,
    requestId: entry.actor.requestId,
    changes: [...(entry.changes ?? [])],
    prevHash: head?.hash ?? START_HASH,
  };
  const hash = toHash(record);
  await tx.insert(auditCollection, { ...record, hash });
  if (head === undefined) {
    await tx.insert(auditHeadCollection, {
      id: HEAD,
      count: number,
      hash,
      dropped: 0,
      anchorHash: START_HASH,
    });
  } else {
    await tx.put(auditHeadCollection, { ...head, count: number, hash });
  }
}

/** The newest entries first, of one target or action when told. Throws `bad_cursor`. */
export function listAudit(
  store: Store,
  options: { limit: number; cursor?: string | undefined },
): Promise<Page<AuditRecord>> {
  const { limit, cursor } = options;
  return store.read((tx) =>
    tx.list(auditCollection, "id", { limit, reverse: true, ...(cursor === undefined ? {} : { cursor }) }),
  );
}

async function walk(
  tx: ReadTx,
  start: { hash: string; number: number },
): Promise<{ hash: string; entries: number; brokenAt?: string }> {
  let { hash } = start;
  let entries = 0;
  let cursor: string | undefined;
  do {
    const page: Page<AuditRecord> = await tx.list(auditCollection, "id", {
      limit: BATCH,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const entry of page.items) {
      const expected = toId(start.number + entries + 1);
      if (entry.id !== expected || entry.prevHash !== hash || toHash(entry) !== entry.hash)
        return { hash, entries, brokenAt: entry.id };
      ({ hash } = entry);
      entries += 1;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { hash, entries };
}

/** Reads the whole chain and tells whether it is unbroken from its anchor to its head. */
export function verifyAudit(store: Store): Promise<AuditVerdict> {
  return store.read(async (tx) => {
    const head = await tx.get(auditHeadCollection, HEAD);
    const anchor = { hash: head?.anchorHash ?? START_HASH, number: head?.dropped ?? 0 };
    const { hash, entries, brokenAt } = await walk(tx, anchor);
    if (brokenAt !== undefined) return { valid: false, entries, brokenAt };
    const isWhole =
      head === undefined ? entries === 0 : hash === head.hash && anchor.number + entries === head.count;
    return isWhole ? { valid: true, entries } : { valid: false, entries, brokenAt: "the end" };
  });
}

/** Drops the oldest entries beyond the bound, at most 500 at a time, and keeps the chain's new anchor. */
export function sweepAudit(store: Store, maxEntries: number = MAX_ENTRIES): Promise<number> {
  return store.transact(async (tx) => {
    const head = await tx.get(auditHeadCollection, HEAD);
    if (head === undefined) return 0;
    const surplus = head.count - head.dropped - maxEntries;
    if (surplus <= 0) return 0;
    const { items } = await tx.list(auditCollection, "id", { limit: Math.min(surplus, BATCH) });
    const last = items[items.length - 1];
    if (last === undefined) return 0;
    for (const entry of items) await tx.remove(auditCollection, entry.id);
    await tx.put(auditHeadCollection, {
      ...head,
      dropped: head.dropped + items.length,
      anchorHash: last.hash,
    });
    return items.length;
  });
}

/** The audit log: entries are written in the transaction of the action, in a chain (`audit-chain.ts`), and read. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { readMatchingPage } from "../store/matching-page.ts";
import { pagesOf } from "../store/every-page.ts";
import type { Page, ReadTx, Store, Tx } from "../store/store.ts";
import {
  type AuditRecord,
  auditCollection,
  findHead,
  followEntry,
  isGenuine,
  readHead,
  toKeyedHash,
  writeHead,
} from "./audit-chain.ts";
import { getAuditMac } from "./audit-key.ts";
import type { Clock } from "../kit/time/clock.ts";

const BATCH = 500;
/** A filtered page looks through so many times `limit` entries. */
const MAX_STEPS = 50;

export interface AuditActor {
  readonly name: string;
  /** The application that sent the request; "" if unknown. */
  readonly clientId?: string;
  readonly requestId: string;
  /** The part of the address that is kept. */
  readonly network?: string;
}

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
  /** The newest entry and its hash. A copy elsewhere reveals later whether the end was cut off. */
  readonly head?: { readonly id: string; readonly hash: string };
  /** Entries that went since the beginning, because of their age or for want of room. */
  readonly dropped: number;
  /** Entries among those read that were written before entries were hashed with a key. */
  readonly unkeyed: number;
}

function toId(number: number): string {
  return `aud_${String(number).padStart(12, "0")}`;
}

/** Adds an entry to the running transaction. */
export async function writeAudit(tx: Tx, entry: AuditEntry, clock: Clock): Promise<void> {
  const head = await readHead(tx);
  const count = head.count + 1;
  const record = {
    id: toId(head.idOffset + count),
    at: clock.now(),
    actor: entry.actor.name,
    action: entry.action,
    target: entry.target,
    result: entry.result ?? "ok",
    clientId: entry.actor.clientId ?? "",
    requestId: entry.actor.requestId,
    ...(entry.actor.network === undefined ? {} : { network: entry.actor.network }),
    changes: [...(entry.changes ?? [])],
    prevHash: head.hash,
  };
  const hash = toKeyedHash(record, getAuditMac(tx));
  await tx.insert(auditCollection, { ...record, hash });
  await writeHead(tx, { ...head, count, hash });
}

export interface AuditQuery {
  readonly limit: number;
  readonly cursor?: string;
  /** Only actions that begin so, such as "server.". */
  readonly action?: string;
  /** Only entries on this target. */
  readonly target?: string;
  /** Only what this actor did, as entries name it. */
  readonly actor?: string;
}

/**
 * The newest entries first. There is no index for the filters: 50 times `limit` entries are looked through, and
 * a page that found less still has its cursor. Throws `bad_cursor`.
 */
export function listAudit(store: Store, query: AuditQuery): Promise<Page<AuditRecord>> {
  const { limit, action, target, actor } = query;
  function isWanted(entry: AuditRecord): boolean {
    return (
      (action === undefined || entry.action.startsWith(action)) &&
      (target === undefined || entry.target === target) &&
      (actor === undefined || entry.actor === actor)
    );
  }
  return store.read((tx) =>
    readMatchingPage({
      read: (cursor) => tx.list(auditCollection, "id", { limit, reverse: true, ...cursor }),
      isWanted,
      limit,
      cursor: query.cursor,
      maxPages: MAX_STEPS,
    }),
  );
}

interface Walk {
  readonly hash: string;
  readonly entries: number;
  readonly lastId?: string;
  readonly brokenAt?: string;
}

async function walk(tx: ReadTx, start: { hash: string; number: number; keyedFrom: number }): Promise<Walk> {
  const mac = getAuditMac(tx);
  let { hash } = start;
  let entries = 0;
  let lastId: string | undefined;
  for await (const page of pagesOf(tx, auditCollection, { index: "id", pageSize: BATCH })) {
    for (const entry of page) {
      const isKeyed = start.number + entries + 1 >= start.keyedFrom;
      const next = followEntry(entry, { prevHash: hash, isKeyed, mac });
      if (next === undefined) return { hash, entries, brokenAt: entry.id };
      hash = next;
      lastId = entry.id;
      entries += 1;
    }
    // Other requests get their turn.
    await nextTurn();
  }
  return { hash, entries, lastId };
}

/** Reads the whole chain and tells whether it is unbroken from its anchor to its head. */
export function verifyAudit(store: Store): Promise<AuditVerdict> {
  return store.read(async (tx) => {
    const head = await findHead(tx);
    if (head === undefined) {
      const { items } = await tx.list(auditCollection, "id", { limit: 1 });
      const verdict = { entries: 0, dropped: 0, unkeyed: 0 };
      return items.length === 0
        ? { valid: true, ...verdict }
        : { valid: false, ...verdict, brokenAt: "the head" };
    }
    const { dropped, anchorHash, keyedFrom, count } = head;
    const { hash, entries, lastId, brokenAt } = await walk(tx, {
      hash: anchorHash,
      number: dropped,
      keyedFrom,
    });
    const unkeyed = Math.min(entries, Math.max(0, keyedFrom - 1 - dropped));
    const verdict = { entries, dropped, unkeyed };
    const isWhole = hash === head.hash && dropped + entries === count;
    const broken =
      brokenAt ??
      (isGenuine(head, getAuditMac(tx)) ? head.brokenAt : "the head") ??
      (isWhole ? undefined : "the end");
    if (broken !== undefined) return { valid: false, ...verdict, brokenAt: broken };
    return { valid: true, ...verdict, ...(lastId === undefined ? {} : { head: { id: lastId, hash } }) };
  });
}

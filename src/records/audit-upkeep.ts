/**
 * Maintenance of the audit: entries of older releases get a MAC at the start, old ones are removed, and the head is
 * logged, so that a copy of it exists outside the store.
 */
import { pagesOf } from "../store/every-page.ts";
import type { ReadTx, Store, Tx } from "../store/store.ts";
import { auditCollection, findHead, followEntry, readHead, START_HASH, writeHead } from "./audit-chain.ts";
import { getAuditMac } from "./audit-key.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Log } from "../kit/observe/log.ts";

const DAY_MS = 86_400_000;
/** Entries are kept at least a year, leap years too. */
const KEEP_MS = 366 * DAY_MS;
/** Younger ones go only when there are more than these, about 100 MB. */
const MAX_ENTRIES = 200_000;
const BATCH = 500;
/** After any id of an entry that had no chain, which begins with its time: "aud_01…". */
const AFTER_TIMES = 100_000_000_000;

export interface AuditUpkeepDeps {
  /** With the audit's key. */
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** All entries, the oldest first, hashed one behind the other as they are. */
async function hashUnkeyed(tx: Tx): Promise<{ hash: string; count: number; hasOwnIds: boolean }> {
  const mac = getAuditMac(tx);
  let hash = START_HASH;
  let count = 0;
  let hasOwnIds = false;
  for await (const page of pagesOf(tx, auditCollection, { index: "id", pageSize: BATCH })) {
    for (const entry of page) {
      hash = followEntry(entry, { prevHash: hash, isKeyed: false, mac }) ?? entry.hash;
      hasOwnIds ||= entry.hash === "";
      count += 1;
    }
  }
  return { hash, count, hasOwnIds };
}

/** Creates the head if it is missing, and keys a head of an older release; resolves with the entries before it. */
function takeOver(store: Store): Promise<number | undefined> {
  return store.transact(async (tx) => {
    const head = await findHead(tx);
    if (head !== undefined) {
      if (head.keyedFrom > 0 || head.mac !== "") return undefined;
      await writeHead(tx, { ...head, keyedFrom: head.count + 1 });
      return head.count - head.dropped;
    }
    const { hash, count, hasOwnIds } = await hashUnkeyed(tx);
    const ends = { count, hash, dropped: 0, anchorHash: START_HASH, keyedFrom: count + 1 };
    await writeHead(tx, { ...ends, idOffset: hasOwnIds ? AFTER_TIMES : 0 });
    return count;
  });
}

interface Swept {
  readonly count: number;
  /** How many of them were younger than a year. */
  readonly young: number;
}

/** From where on entries are kept: a year before the newest, so that a clock gone wrong drops nothing by itself. */
async function findKeptFrom(tx: ReadTx, nowMs: number): Promise<number> {
  const { items } = await tx.list(auditCollection, "id", { limit: 1, reverse: true });
  return Math.min(nowMs, items[0]?.at ?? nowMs) - KEEP_MS;
}

/** Whether the oldest entry is one too many, or too old. */
async function isSweepDue(tx: ReadTx, { nowMs, maxEntries }: Limits): Promise<boolean> {
  const head = await findHead(tx);
  const { items } = await tx.list(auditCollection, "id", { limit: 1 });
  const [oldest] = items;
  if (head === undefined || oldest === undefined) return false;
  return head.count - head.dropped > maxEntries || oldest.at < (await findKeptFrom(tx, nowMs));
}

interface Limits {
  readonly nowMs: number;
  readonly maxEntries: number;
}

/** Drops the oldest entries, at most 500 at a time, and keeps the chain's new anchor. */
async function sweepAudit(store: Store, limits: Limits): Promise<Swept> {
  const none = { count: 0, young: 0 };
  if (!(await store.read((tx) => isSweepDue(tx, limits)))) return none;
  return store.transact(async (tx) => {
    const head = await readHead(tx);
    const surplus = head.count - head.dropped - limits.maxEntries;
    const keptFrom = await findKeptFrom(tx, limits.nowMs);
    const { items } = await tx.list(auditCollection, "id", { limit: BATCH });
    const end = items.findIndex(({ at }, index) => index >= surplus && at >= keptFrom);
    const old = end === -1 ? items : items.slice(0, end);
    if (old.length === 0) return none;
    const mac = getAuditMac(tx);
    let { anchorHash, dropped } = head;
    for (const entry of old) {
      dropped += 1;
      const behind = { prevHash: anchorHash, isKeyed: dropped >= head.keyedFrom, mac };
      anchorHash = followEntry(entry, behind) ?? entry.hash;
      await tx.remove(auditCollection, entry.id);
    }
    await writeHead(tx, { ...head, dropped, anchorHash });
    return { count: old.length, young: old.filter(({ at }) => at >= keptFrom).length };
  });
}

async function tellHead({ store, log }: AuditUpkeepDeps): Promise<void> {
  const { head, newest } = await store.read(async (tx) => ({
    head: await findHead(tx),
    newest: await tx.list(auditCollection, "id", { limit: 1, reverse: true }),
  }));
  if (head === undefined) log.warn("The audit log has lost its head: it was changed outside the service");
  else {
    const { count, hash, dropped } = head;
    log.info("Head of the audit log", { entry: newest.items[0]?.id ?? "", hash, entries: count - dropped });
  }
}

export type AuditUpkeep = Awaited<ReturnType<typeof openAudit>>;

/** Prepares the audit at the start of a service. Throws what the store throws. */
export async function openAudit(deps: AuditUpkeepDeps, maxEntries: number = MAX_ENTRIES) {
  const { store, clock, log } = deps;
  const unkeyed = await takeOver(store);
  if (unkeyed !== undefined && unkeyed > 0)
    log.warn("The audit log is keyed from now on. This message appears once, after an update", {
      entriesBefore: unkeyed,
    });
  await tellHead(deps);
  let toldMs = clock.monotonic();
  return {
    /** Drops what is too old and tells the log of the head once a day; call it every minute. */
    run: async (): Promise<void> => {
      if (clock.monotonic() - toldMs >= DAY_MS) {
        await tellHead(deps);
        toldMs = clock.monotonic();
      }
      let swept: Swept;
      do {
        swept = await sweepAudit(store, { nowMs: clock.now(), maxEntries });
        const { count: entries, young } = swept;
        if (young > 0)
          log.warn("Audit entries less than a year old were deleted: there are too many", {
            entries,
            maxEntries,
          });
        else if (entries > 0) log.info("Audit entries older than a year were deleted", { entries });
      } while (swept.count === BATCH);
    },
  };
}

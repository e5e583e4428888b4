/** Who changed what, when: written in the same transaction as the change. Hidden here: ids, order, the bound. */
import type { Clock } from "../kit/clock.ts";
import { newId } from "../kit/id.ts";
import { readMatchingPage } from "../store/matching-page.ts";
import type { Page, Store, Tx } from "../store/store.ts";
import { audit } from "./records.ts";
import type { AuditRecord } from "./schema.ts";

/** Who asks for a change. `name` is "token", "session <label>" or "enrolment". */
export interface Actor {
  readonly name: string;
  readonly requestId: string;
}

export interface AuditEntry {
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  readonly changes?: readonly string[];
}

/** Entries that are kept; the oldest go first. */
const MAX_ENTRIES = 10_000;
const SWEEP_BATCH = 200;
/** A filtered page looks through so many times `limit` entries. */
const MAX_STEPS = 50;

/** Adds an entry to the running transaction. */
export async function writeAudit(tx: Tx, entry: AuditEntry, clock: Clock): Promise<void> {
  await tx.insert(audit, {
    id: newId("aud"),
    at: clock.now(),
    actor: entry.actor.name,
    action: entry.action,
    target: entry.target,
    requestId: entry.actor.requestId,
    changes: [...(entry.changes ?? [])],
  });
}

export interface AuditQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Only actions that begin so, such as "server.". */
  readonly action?: string | undefined;
  /** Only entries on this target. */
  readonly target?: string | undefined;
}

/**
 * The newest entries first. There is no index for the filters: 50 times `limit` entries are looked through, and
 * a page that found less still has its cursor. Throws `bad_cursor`.
 */
export function listAudit(store: Store, query: AuditQuery): Promise<Page<AuditRecord>> {
  const { limit, action, target } = query;
  function isWanted(entry: AuditRecord): boolean {
    return (
      (action === undefined || entry.action.startsWith(action)) &&
      (target === undefined || entry.target === target)
    );
  }
  return store.read((tx) =>
    readMatchingPage({
      read: (cursor) => tx.list(audit, "id", { limit, reverse: true, ...cursor }),
      isWanted,
      limit,
      cursor: query.cursor,
      maxPages: MAX_STEPS,
    }),
  );
}

/** Drops the oldest entries beyond the bound, a batch at a time; resolves with how many went. */
export async function sweepAudit(store: Store, maxEntries: number = MAX_ENTRIES): Promise<number> {
  const surplus = await store.read(async (tx) => (await tx.count(audit)) - maxEntries);
  if (surplus <= 0) return 0;
  return store.transact(async (tx) => {
    const { items } = await tx.list(audit, "id", { limit: Math.min(surplus, SWEEP_BATCH) });
    for (const entry of items) await tx.remove(audit, entry.id);
    return items.length;
  });
}

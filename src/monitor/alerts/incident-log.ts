/**
 * The incidents that still matter, in memory and in the store: those that are open, and those of which something is
 * still to be told.
 */
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import type { AddressedNotice, Notices } from "../channels/notification.ts";
import type { LeaderLease } from "../cluster/leader-lease.ts";
import type { IncidentRecord, NewIncident } from "./schema.ts";
import { incidents } from "./records.ts";

/** An incident that begins, and what is told of it at once. */
export interface Opening {
  readonly incident: NewIncident;
  readonly notice: AddressedNotice | undefined;
}

/** What became of an opening: "told_before" when its occasion was, "adopted" when the store had an open one. */
export type OpeningResult =
  | { readonly result: "opened" | "adopted"; readonly incident: IncidentRecord }
  | { readonly result: "told_before" };

/** A change of an incident. */
export interface IncidentChange {
  readonly id: string;
  /** The incident as it will be; undefined leaves it as it is. May run again: it reads nothing else that changes. */
  readonly edit: (current: IncidentRecord) => IncidentRecord | undefined;
  /** What is told with the change. */
  readonly notice?: AddressedNotice | undefined;
}

export interface IncidentBook {
  /** Open incidents by rule and server; see {@link toOpenKey}. */
  readonly open: ReadonlyMap<string, IncidentRecord>;
  /** Incidents of which something is to be told, by id. */
  readonly owed: ReadonlyMap<string, IncidentRecord>;
  /** Forgets everything: another node may have written since. */
  clear(): void;
  /** Takes what the store has; resolves with what memory did not know. */
  load(): Promise<readonly IncidentRecord[]>;
  /** Writes incidents that begin; what became of each, in their order. Throws LeaseLost, as `change` does. */
  begin(openings: readonly Opening[]): Promise<readonly OpeningResult[]>;
  /** Writes changes, and with the first of them `notices`, which tell of all. Resolves with the changed incidents. */
  change(
    changes: readonly IncidentChange[],
    notices?: readonly AddressedNotice[],
  ): Promise<readonly IncidentRecord[]>;
  /** Takes an incident that was changed by another part, if it still matters and is not older than what is known. */
  refresh(incident: IncidentRecord): void;
  /** Notices that were written since the start. */
  readonly written: number;
}

/** An incident as a transaction found or left it; undefined when the store has none. */
interface Seen {
  readonly id: string;
  readonly incident: IncidentRecord | undefined;
}

interface ChangeResult {
  readonly after: readonly IncidentRecord[];
  readonly seen: readonly Seen[];
  readonly written: number;
}

const AT_ONCE = 200;
const PAGE = 1_000;

/** What an open incident is alone with. */
export function toOpenKey({ ruleId, serverId }: Pick<IncidentRecord, "ruleId" | "serverId">): string {
  return `${ruleId}:${serverId}`;
}

async function listAll(
  tx: ReadTx,
  index: "byState" | "byOwed",
  prefix: string,
): Promise<readonly IncidentRecord[]> {
  const found: IncidentRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await tx.list(incidents, index, {
      prefix: [prefix],
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

interface BookDeps {
  readonly store: Store;
  readonly notices: Notices;
  /** A node that is no longer the leader writes nothing. */
  readonly lease: LeaderLease;
}

class Book implements IncidentBook {
  readonly #store: Store;
  readonly #notices: Notices;
  readonly #lease: LeaderLease;
  readonly open = new Map<string, IncidentRecord>();
  readonly owed = new Map<string, IncidentRecord>();
  written = 0;

  constructor(deps: BookDeps) {
    this.#store = deps.store;
    this.#notices = deps.notices;
    this.#lease = deps.lease;
  }

  clear(): void {
    this.open.clear();
    this.owed.clear();
  }

  async load(): Promise<readonly IncidentRecord[]> {
    const stored = await this.#store.read(async (tx) => [
      ...(await listAll(tx, "byState", "open")),
      ...(await listAll(tx, "byOwed", "down")),
      ...(await listAll(tx, "byOwed", "up")),
    ]);
    const byId = new Map(stored.map((incident) => [incident.id, incident]));
    // Another process on the same store may have closed or told what this one remembers.
    for (const [key, { id }] of this.open) if (!byId.has(id)) this.open.delete(key);
    for (const id of this.owed.keys()) if (!byId.has(id)) this.owed.delete(id);
    const isNew = ({ id, state, owed, ...rest }: IncidentRecord): boolean =>
      (state === "open" && this.open.get(toOpenKey(rest))?.id !== id) ||
      (owed !== undefined && !this.owed.has(id));
    const unknown = [...byId.values()].filter(isNew);
    for (const incident of byId.values()) {
      // It may have been acknowledged while the store was read.
      const known = this.#find(incident);
      if (known === undefined || known.version < incident.version) this.#note(incident);
    }
    return unknown;
  }

  async begin(openings: readonly Opening[]): Promise<readonly OpeningResult[]> {
    const results: OpeningResult[] = [];
    for (let from = 0; from < openings.length; from += AT_ONCE) {
      const part = openings.slice(from, from + AT_ONCE);
      const written = await this.#store.transact(async (tx) => {
        await this.#lease.assert(tx);
        const done: OpeningResult[] = [];
        for (const opening of part) done.push(await this.#begin(tx, opening));
        return done;
      });
      written.forEach((result, index) => {
        if (result.result !== "told_before") this.#note(result.incident);
        if (result.result === "opened" && part[index]?.notice !== undefined) this.written += 1;
      });
      results.push(...written);
    }
    return results;
  }

  async change(
    changes: readonly IncidentChange[],
    notices: readonly AddressedNotice[] = [],
  ): Promise<readonly IncidentRecord[]> {
    const changed: IncidentRecord[] = [];
    for (let from = 0; from < changes.length; from += AT_ONCE) {
      const part = changes.slice(from, from + AT_ONCE);
      const { after, seen, written } = await this.#store.transact(async (tx) => {
        await this.#lease.assert(tx);
        const done = await this.#change(tx, part);
        const together = from === 0 && done.after.length > 0 ? notices : [];
        for (const notice of together) await this.#notices.enqueue(tx, notice);
        return { ...done, written: done.written + together.length };
      });
      this.written += written;
      for (const { id, incident } of seen) this.#see(id, incident);
      changed.push(...after);
    }
    return changed;
  }

  refresh(incident: IncidentRecord): void {
    const known = this.#find(incident);
    if (known !== undefined && known.version < incident.version) this.#note(incident);
  }

  #find(incident: IncidentRecord): IncidentRecord | undefined {
    const open = this.open.get(toOpenKey(incident));
    return open?.id === incident.id ? open : this.owed.get(incident.id);
  }

  #note(incident: IncidentRecord): void {
    const key = toOpenKey(incident);
    if (incident.state === "open") this.open.set(key, incident);
    else if (this.open.get(key)?.id === incident.id) this.open.delete(key);
    if (incident.owed === undefined) this.owed.delete(incident.id);
    else this.owed.set(incident.id, incident);
  }

  async #begin(tx: Tx, { incident, notice }: Opening): Promise<OpeningResult> {
    const open = await tx.by(incidents, "open", [toOpenKey(incident)]);
    if (open !== undefined) return { result: "adopted", incident: open };
    const { occasion, ruleId, ruleRevision, serverId, serverCreatedAt } = incident;
    if (occasion !== undefined) {
      const key = [ruleId, ruleRevision, serverId, serverCreatedAt, occasion];
      if ((await tx.by(incidents, "once", key)) !== undefined) return { result: "told_before" };
    }
    const inserted = await tx.insert(incidents, incident);
    if (notice !== undefined) await this.#notices.enqueue(tx, notice);
    return { result: "opened", incident: inserted };
  }

  async #change(tx: Tx, changes: readonly IncidentChange[]): Promise<ChangeResult> {
    const after: IncidentRecord[] = [];
    const seen: Seen[] = [];
    let written = 0;
    for (const { id, edit, notice } of changes) {
      const current = await tx.get(incidents, id);
      const edited = current === undefined ? undefined : edit(current);
      if (edited === undefined) {
        seen.push({ id, incident: current });
        continue;
      }
      const incident = await tx.put(incidents, edited);
      after.push(incident);
      seen.push({ id, incident });
      if (notice === undefined) continue;
      await this.#notices.enqueue(tx, notice);
      written += 1;
    }
    return { after, seen, written };
  }

  #see(id: string, incident: IncidentRecord | undefined): void {
    if (incident !== undefined) return this.#note(incident);
    this.owed.delete(id);
    for (const [key, open] of this.open) if (open.id === id) this.open.delete(key);
  }
}

/** Makes an empty book; `load` fills it. */
export function createIncidentBook(deps: BookDeps): IncidentBook {
  return new Book(deps);
}

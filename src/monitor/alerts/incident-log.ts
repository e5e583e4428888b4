/** The incidents that still matter, in memory and in the store: open ones, and those with a pending notification. */
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import type { AddressedNotice, Notices } from "../channels/notification.ts";
import type { LeaderLease } from "../cluster/leader-lease.ts";
import { type WatchedRef, toWatchedKey } from "./kinds/watched.ts";
import type { IncidentRecord, NewIncident } from "./schema.ts";
import { incidents } from "./records.ts";

/** An incident that begins, and the notification sent with it. */
export interface Opening {
  readonly incident: NewIncident;
  readonly notice: AddressedNotice | undefined;
}

/** "already_announced": its occasion was announced before; "adopted": the store had an open incident. */
export type OpeningResult =
  | { readonly result: "opened" | "adopted"; readonly incident: IncidentRecord }
  | { readonly result: "already_announced" };

export interface IncidentChange {
  readonly id: string;
  /** The incident as it will be; undefined leaves it as it is. May run again: it reads nothing else that changes. */
  readonly edit: (current: IncidentRecord) => IncidentRecord | undefined;
  /** The notification sent with the change. */
  readonly notice?: AddressedNotice | undefined;
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

/** The key that an open incident is unique by. */
export function toOpenKey({ ruleId, ...ref }: WatchedRef & Pick<IncidentRecord, "ruleId">): string {
  return `${ruleId}:${toWatchedKey(ref)}`;
}

/** Whether the occasion of an incident was announced before. */
async function isAnnounced(tx: ReadTx, incident: NewIncident): Promise<boolean> {
  const { occasion, ruleId, ruleRevision, serverId, serverCreatedAt, checkId, checkCreatedAt } = incident;
  if (occasion === undefined) return false;
  const found =
    checkId === undefined || checkCreatedAt === undefined
      ? await tx.by(incidents, "once", [ruleId, ruleRevision, serverId ?? "", serverCreatedAt ?? 0, occasion])
      : await tx.by(incidents, "onceOfCheck", [ruleId, ruleRevision, checkId, checkCreatedAt, occasion]);
  return found !== undefined;
}

function listAll(
  tx: ReadTx,
  index: "byState" | "byOwed",
  prefix: string,
): Promise<readonly IncidentRecord[]> {
  return listEvery(tx, incidents, { index, range: { prefix: [prefix] }, pageSize: PAGE });
}

interface IncidentLogDeps {
  readonly store: Store;
  readonly notices: Notices;
  /** A node that is no longer the leader writes nothing. */
  readonly lease: LeaderLease;
}

export class IncidentLog {
  readonly #store: Store;
  readonly #notices: Notices;
  readonly #lease: LeaderLease;
  /** Open incidents by rule and server or check; see {@link toOpenKey}. */
  readonly open = new Map<string, IncidentRecord>();
  /** Incidents with a pending notification, by id. */
  readonly pendingIncidents = new Map<string, IncidentRecord>();
  /** Notifications written since the start. */
  written = 0;

  constructor(deps: IncidentLogDeps) {
    this.#store = deps.store;
    this.#notices = deps.notices;
    this.#lease = deps.lease;
  }

  /** Forgets everything: another node may have written since. */
  clear(): void {
    this.open.clear();
    this.pendingIncidents.clear();
  }

  /** Reads the store; resolves with the incidents that memory did not know. */
  async load(): Promise<readonly IncidentRecord[]> {
    const stored = await this.#store.read(async (tx) => [
      ...(await listAll(tx, "byState", "open")),
      ...(await listAll(tx, "byOwed", "down")),
      ...(await listAll(tx, "byOwed", "up")),
    ]);
    const byId = new Map(stored.map((incident) => [incident.id, incident]));
    // Another process on the same store may have closed or announced what this one remembers.
    for (const [key, { id }] of this.open) if (!byId.has(id)) this.open.delete(key);
    for (const id of this.pendingIncidents.keys()) if (!byId.has(id)) this.pendingIncidents.delete(id);
    const isNew = ({ id, state, owed, ...rest }: IncidentRecord): boolean =>
      (state === "open" && this.open.get(toOpenKey(rest))?.id !== id) ||
      (owed !== undefined && !this.pendingIncidents.has(id));
    const unknown = [...byId.values()].filter(isNew);
    for (const incident of byId.values()) {
      // It may have been acknowledged while the store was read.
      const known = this.#find(incident);
      if (known === undefined || known.version < incident.version) this.#note(incident);
    }
    return unknown;
  }

  /** Stores incidents that begin; returns one result each, in order. Throws LeaseLost, as `change` does. */
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
        if (result.result !== "already_announced") this.#note(result.incident);
        if (result.result === "opened" && part[index]?.notice !== undefined) this.written += 1;
      });
      results.push(...written);
    }
    return results;
  }

  /**
   * Stores changes, and with the first of them `notices`, which are about all. Resolves with the changed
   * incidents.
   */
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

  /** Applies an incident changed elsewhere, if it still matters and is newer than the known one. */
  refresh(incident: IncidentRecord): void {
    const known = this.#find(incident);
    if (known !== undefined && known.version < incident.version) this.#note(incident);
  }

  #find(incident: IncidentRecord): IncidentRecord | undefined {
    const open = this.open.get(toOpenKey(incident));
    return open?.id === incident.id ? open : this.pendingIncidents.get(incident.id);
  }

  #note(incident: IncidentRecord): void {
    const key = toOpenKey(incident);
    if (incident.state === "open") this.open.set(key, incident);
    else if (this.open.get(key)?.id === incident.id) this.open.delete(key);
    if (incident.owed === undefined) this.pendingIncidents.delete(incident.id);
    else this.pendingIncidents.set(incident.id, incident);
  }

  async #begin(tx: Tx, { incident, notice }: Opening): Promise<OpeningResult> {
    const open = await tx.by(incidents, "open", [toOpenKey(incident)]);
    if (open !== undefined) return { result: "adopted", incident: open };
    if (await isAnnounced(tx, incident)) return { result: "already_announced" };
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
    this.pendingIncidents.delete(id);
    for (const [key, open] of this.open) if (open.id === id) this.open.delete(key);
  }
}

/** Creates an empty log; `load` fills it. */
export function createIncidentLog(deps: IncidentLogDeps): IncidentLog {
  return new IncidentLog(deps);
}

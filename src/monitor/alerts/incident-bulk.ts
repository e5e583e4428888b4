/** One action on many incidents. Each has a result of its own: what refuses one keeps no other. */
import { AppError } from "../../kit/errors.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { AddressedNotice, Notices } from "../channels/notification.ts";
import { type WatchedRef, toWatchedKey } from "./kinds/watched.ts";
import { incidents } from "./records.ts";
import type { IncidentRecord } from "./schema.ts";

export type IncidentAction =
  | { readonly action: "acknowledge" }
  /** An empty note removes it. */
  | { readonly action: "note"; readonly note: string }
  /** Without `minutes`: until someone unmutes it. */
  | { readonly action: "mute"; readonly minutes?: number | undefined }
  | { readonly action: "unmute" };

export type IncidentResult =
  | { readonly id: string; readonly result: "done" }
  | { readonly id: string; readonly result: "refused"; readonly code: string; readonly detail: string };

/** Mutes a server or check for the caller. Throws `insufficient_scope` if the caller may not, and `not_found`. */
export type SetMute = (ref: WatchedRef, mute: { until?: string } | null) => Promise<unknown>;

export interface IncidentBulk {
  readonly ids: readonly string[];
  readonly what: IncidentAction;
  readonly actor: AuditActor;
  readonly setMute: SetMute;
}

interface BulkDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly notices: Notices;
  /** The notification that an incident was acknowledged; undefined when none is due. */
  readonly toNotice: (incident: IncidentRecord) => AddressedNotice | undefined;
  readonly changed: (incident: IncidentRecord) => void;
}

function toRefusal(id: string, error: unknown): IncidentResult {
  if (!(error instanceof AppError)) throw error;
  return { id, result: "refused", code: error.code, detail: error.message };
}

/** An incident that is still open. Throws `not_found` and `conflict`. */
async function getOpen(tx: Pick<Tx, "get">, id: string): Promise<IncidentRecord> {
  const incident = await tx.get(incidents, id);
  if (incident === undefined) throw new AppError("not_found", `There is no incident "${id}"`);
  if (incident.state === "closed") throw new AppError("conflict", "The incident is already closed");
  return incident;
}

async function toEdited(
  tx: Tx,
  id: string,
  by: { what: IncidentAction; actor: AuditActor; now: number },
): Promise<IncidentRecord | undefined> {
  const { what, actor, now } = by;
  if (what.action === "acknowledge") {
    const incident = await getOpen(tx, id);
    if (incident.acknowledgedAt !== undefined) return undefined;
    return { ...incident, acknowledgedAt: now, acknowledgedBy: actor.name };
  }
  // A note also says afterwards what it was.
  const incident = await tx.get(incidents, id);
  if (incident === undefined) throw new AppError("not_found", `There is no incident "${id}"`);
  const { note: before = "", notedBy: _by, ...rest } = incident;
  const note = what.action === "note" ? what.note : before;
  if (note === before) return undefined;
  return note === "" ? rest : { ...rest, note, notedBy: actor.name };
}

/** Acknowledgements and notes, in one transaction. */
async function editMany(deps: BulkDeps, bulk: IncidentBulk): Promise<IncidentResult[]> {
  const { store, clock, notices, toNotice, changed } = deps;
  const { ids, what, actor } = bulk;
  const { results, edited } = await store.transact(async (tx) => {
    const done: { results: IncidentResult[]; edited: IncidentRecord[] } = { results: [], edited: [] };
    for (const id of ids)
      try {
        const next = await toEdited(tx, id, { what, actor, now: clock.now() });
        if (next !== undefined) {
          await writeAudit(tx, { actor, action: `incident.${what.action}`, target: id }, clock);
          const after = await tx.put(incidents, next);
          const notice = what.action === "acknowledge" ? toNotice(after) : undefined;
          if (notice !== undefined) await notices.enqueue(tx, notice);
          done.edited.push(after);
        }
        done.results.push({ id, result: "done" });
      } catch (error) {
        done.results.push(toRefusal(id, error));
      }
    return done;
  });
  notices.wake();
  for (const incident of edited) changed(incident);
  return results;
}

/** Mutes the servers and checks that incidents are about, each of them once. */
async function muteMany({ store, clock }: BulkDeps, bulk: IncidentBulk): Promise<IncidentResult[]> {
  const { ids, what, setMute } = bulk;
  const minutes = what.action === "mute" ? what.minutes : undefined;
  const until = minutes === undefined ? {} : { until: toIsoTime(clock.now() + 60_000 * minutes) };
  const mute = what.action === "mute" ? until : null;
  const muted = new Map<string, Promise<unknown>>();
  const results: IncidentResult[] = [];
  for (const id of ids)
    try {
      const incident = await store.read((tx) => getOpen(tx, id));
      const key = toWatchedKey(incident);
      const task = muted.get(key) ?? setMute(incident, mute);
      muted.set(key, task);
      await task;
      results.push({ id, result: "done" });
    } catch (error) {
      results.push(toRefusal(id, error));
    }
  return results;
}

/** Does it, and tells of each. Throws what the store throws. */
export function changeIncidents(deps: BulkDeps, bulk: IncidentBulk): Promise<IncidentResult[]> {
  const { action } = bulk.what;
  return action === "acknowledge" || action === "note" ? editMany(deps, bulk) : muteMany(deps, bulk);
}

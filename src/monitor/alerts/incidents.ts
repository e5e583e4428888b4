/** Past and present incidents as administrators look them up. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import type { NoticeSeverity } from "../channels/kinds/notice.ts";
import { readMatchingPage } from "../../store/matching-page.ts";
import type { ListOptions, Page, Store } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { AddressedNotice, Notices } from "../channels/notification.ts";
import type { IncidentRecord } from "./schema.ts";
import { type IncidentBulk, type IncidentResult, changeIncidents } from "./incident-bulk.ts";
import { incidents } from "./records.ts";

export interface IncidentQuery {
  /** 1 to 200. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly state?: IncidentRecord["state"] | undefined;
  readonly serverId?: string | undefined;
  readonly checkId?: string | undefined;
  readonly ruleId?: string | undefined;
}

const KEPT_MS = 400 * 86_400_000;
const SWEPT_AT_ONCE = 500;
const MAX_STEPS = 20;

type Walk = Pick<ListOptions, "prefix"> & {
  readonly index: "byServer" | "byCheck" | "byRule" | "byState" | "byTime";
};

/** The narrowest index there is for the filters. */
function toWalk({ serverId, checkId, ruleId, state }: IncidentQuery): Walk {
  if (serverId !== undefined) return { index: "byServer", prefix: [serverId] };
  if (checkId !== undefined) return { index: "byCheck", prefix: [checkId] };
  if (ruleId !== undefined) return { index: "byRule", prefix: [ruleId] };
  return state === undefined ? { index: "byTime" } : { index: "byState", prefix: [state] };
}

function isWanted(incident: IncidentRecord, { serverId, checkId, ruleId, state }: IncidentQuery): boolean {
  return (
    (serverId === undefined || incident.serverId === serverId) &&
    (checkId === undefined || incident.checkId === checkId) &&
    (ruleId === undefined || incident.ruleId === ruleId) &&
    (state === undefined || incident.state === state)
  );
}

function list(store: Store, query: IncidentQuery): Promise<Page<IncidentRecord>> {
  const { limit } = query;
  const { index, ...range } = toWalk(query);
  return store.read((tx) =>
    readMatchingPage({
      read: (cursor) => tx.list(incidents, index, { ...range, limit, reverse: true, ...cursor }),
      isWanted: (incident) => isWanted(incident, query),
      limit,
      cursor: query.cursor,
      maxPages: MAX_STEPS,
    }),
  );
}

/** Creates the incidents' logic on a store; `changed` is called with each that was acknowledged. */
export function createIncidents(deps: {
  store: Store;
  clock: Clock;
  notices: Notices;
  /** The notification that it was acknowledged; undefined when none is due. */
  toNotice: (incident: IncidentRecord) => AddressedNotice | undefined;
  changed: (incident: IncidentRecord) => void;
}) {
  const { store, clock, notices, toNotice, changed } = deps;
  return {
    /**
     * The newest first. One of the filters is an index; for the others 20 times `limit` incidents are looked through,
     * and a page that found less still has its cursor. Throws `bad_cursor`.
     */
    list: (query: IncidentQuery): Promise<Page<IncidentRecord>> => list(store, query),
    /** Notes who has seen it, the first time. Throws `not_found`. */
    acknowledge: async (id: string, actor: AuditActor): Promise<IncidentRecord> => {
      const acknowledged = await store.transact(async (tx) => {
        const incident = await tx.get(incidents, id);
        if (incident === undefined) throw new AppError("not_found", `There is no incident "${id}"`);
        if (incident.acknowledgedAt !== undefined) return incident;
        await writeAudit(tx, { actor, action: "incident.acknowledge", target: id }, clock);
        const times = { acknowledgedAt: clock.now(), acknowledgedBy: actor.name };
        const after = await tx.put(incidents, { ...incident, ...times });
        const notice = toNotice(after);
        if (notice !== undefined) await notices.enqueue(tx, notice);
        return after;
      });
      notices.wake();
      changed(acknowledged);
      return acknowledged;
    },
    /** The same action on many; each has its own result. Throws what the store throws. */
    changeMany: (bulk: IncidentBulk): Promise<IncidentResult[]> => changeIncidents(deps, bulk),
    /** Removes closed ones that are older than 400 days, 500 at most. */
    sweep: (): Promise<void> =>
      store.transact(async (tx) => {
        const to = [clock.now() - KEPT_MS];
        const { items } = await tx.list(incidents, "byResolvedAt", { to, limit: SWEPT_AT_ONCE });
        for (const { id } of items) await tx.remove(incidents, id);
      }),
  };
}

/** How many open incidents there are of each severity. */
export function countBySeverity(firing: readonly IncidentRecord[]): Record<NoticeSeverity, number> {
  const counts = { info: 0, warning: 0, critical: 0 };
  for (const incident of firing) counts[incident.severity] += 1;
  return counts;
}

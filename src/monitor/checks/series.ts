/** The series of the history that are of checks: of a check as a whole under its id, and of each agent's place. */
import { CENTER, type CheckRecord } from "./schema.ts";

/** Between the id of a check and that of a server; neither has it. */
const BETWEEN = "~";

/** The series of a place; of the monitor itself it is that of the check. */
export function toSeriesId(checkId: string, place: string): string {
  return place === CENTER ? checkId : `${checkId}${BETWEEN}${place}`;
}

/** A series, told from one of an earlier server or check of its id. */
export interface CheckSeries {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

interface Servers {
  readonly findServer: (id: string) => { readonly createdAt: number } | undefined;
}

function findPlace(record: CheckRecord, serverId: string, { findServer }: Servers): CheckSeries | undefined {
  if (!record.places.serverIds.includes(serverId)) return undefined;
  const server = findServer(serverId);
  if (server === undefined) return undefined;
  return {
    id: toSeriesId(record.id, serverId),
    createdAt: Math.max(record.createdAt, server.createdAt),
  };
}

/** The series of this id; undefined when no check has it. */
export function findCheckSeries(
  id: string,
  { findRecord, ...servers }: Servers & { readonly findRecord: (checkId: string) => CheckRecord | undefined },
): CheckSeries | undefined {
  const at = id.indexOf(BETWEEN);
  const record = findRecord(at < 0 ? id : id.slice(0, at));
  if (record === undefined) return undefined;
  return at < 0 ? { id, createdAt: record.createdAt } : findPlace(record, id.slice(at + 1), servers);
}

export function listCheckSeries(records: readonly CheckRecord[], servers: Servers): CheckSeries[] {
  return records.flatMap((record) => [
    { id: record.id, createdAt: record.createdAt },
    ...record.places.serverIds.flatMap((serverId) => findPlace(record, serverId, servers) ?? []),
  ]);
}

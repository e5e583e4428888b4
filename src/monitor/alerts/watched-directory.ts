/** Servers and checks as one list of what rules can watch. */
import type { CheckRecord, CheckStanding } from "../checks/schema.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { ServerRecord } from "../base/schema.ts";
import type { Watched, WatchedRef } from "./kinds/watched.ts";

export interface WatchedDirectory {
  /** Another text whenever a record was changed. */
  revision(): string;
  all(): Iterable<Watched>;
  findServer(id: string): ServerRecord | undefined;
  findCheck(id: string): CheckRecord | undefined;
  findStanding(checkId: string): CheckStanding | undefined;
  /** The subject of an incident; undefined if it was deleted. */
  readonly findWatched: (ref: WatchedRef) => Watched | undefined;
}

/** Joins the two; without checks, there are none. */
export function createWatchedDirectory({
  directory,
  checks,
}: {
  readonly directory: Pick<PublicSnapshot, "records" | "findRecord" | "recordsRevision">;
  readonly checks?: Omit<CheckDirectory, "onChange"> | undefined;
}): WatchedDirectory {
  const findServer = (id: string): ServerRecord | undefined => directory.findRecord(id);
  const findCheck = (id: string): CheckRecord | undefined => checks?.findRecord(id);
  return {
    revision: () => `${directory.recordsRevision} ${checks?.recordsRevision ?? 0}`,
    *all() {
      for (const record of directory.records()) yield { type: "server", record };
      for (const record of checks?.records() ?? []) yield { type: "check", record };
    },
    findServer,
    findCheck,
    findStanding: (checkId) => checks?.findStanding(checkId),
    findWatched: ({ serverId, checkId }) => {
      if (checkId !== undefined) {
        const record = findCheck(checkId);
        return record && { type: "check", record };
      }
      const record = serverId === undefined ? undefined : findServer(serverId);
      return record && { type: "server", record };
    },
  };
}

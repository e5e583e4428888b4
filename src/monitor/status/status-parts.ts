/** Status pages over the parts of the monitor. */
import type { CheckDirectory } from "../checks/standings.ts";
import type { Live } from "../fleet/live.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import type { ServerRecord } from "../schema.ts";
import type { Usage } from "../usage/usage.ts";
import type { Component } from "./schema.ts";
import { type Status, type StatusDeps, createStatus } from "./status.ts";
import type { CheckHistory } from "./uptime-days.ts";

/** No check is there: what follows one is unknown. */
const noChecks: Pick<CheckDirectory, "findRecord" | "findStanding"> = {
  findRecord: () => undefined,
  findStanding: () => undefined,
};
const noHistory: CheckHistory = { days: async () => [], latency: async () => [] };

/** Makes them. */
export function createStatusParts(
  deps: Pick<StatusDeps, "store" | "clock" | "log" | "changed">,
  parts: {
    readonly live: Live;
    readonly directory: { findRecord(id: string): ServerRecord | undefined };
    readonly usage: Usage;
    readonly maintenance: Maintenance;
  },
): Status {
  const { live, directory, usage, maintenance } = parts;
  const findRecord = (id: string): ServerRecord | undefined => directory.findRecord(id);
  return createStatus({
    ...deps,
    checks: noChecks,
    history: noHistory,
    servers: {
      findRecord,
      stateOf: (id) => live.get(id).state,
      days: (record, count) => usage.uptimeDays(record, count).days,
    },
    isInMaintenance: ({ source }: Component) =>
      source.type === "server" && maintenance.findEnd(findRecord(source.serverId)) !== undefined,
  });
}

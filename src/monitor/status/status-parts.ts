/** Status pages over the parts of the monitor. */
import type { CheckDirectory } from "../checks/standings.ts";
import type { Live } from "../fleet/live.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import type { ServerRecord } from "../schema.ts";
import type { Usage } from "../usage/usage.ts";
import type { Component } from "./schema.ts";
import { type Status, type StatusDeps, createStatus } from "./status.ts";
import type { CheckHistory } from "./uptime-days.ts";

const noHistory: CheckHistory = { days: async () => [], latency: async () => [] };

/** Makes them. */
export function createStatusParts(
  deps: Pick<StatusDeps, "store" | "clock" | "log" | "changed">,
  parts: {
    readonly live: Live;
    readonly publicSnapshot: { findRecord(id: string): ServerRecord | undefined };
    readonly checkDirectory: CheckDirectory;
    readonly usage: Usage;
    readonly maintenance: Maintenance;
  },
): Status {
  const { live, publicSnapshot, usage, maintenance, checkDirectory } = parts;
  const findRecord = (id: string): ServerRecord | undefined => publicSnapshot.findRecord(id);
  return createStatus({
    ...deps,
    checks: checkDirectory,
    history: noHistory,
    servers: {
      findRecord,
      stateOf: (id) => live.get(id).state,
      days: (record, count) => usage.uptimeDays(record, count).days,
    },
    isInMaintenance: ({ source }: Component) =>
      (source.type === "server" && maintenance.findEnd(findRecord(source.serverId)) !== undefined) ||
      (source.type === "check" &&
        maintenance.findEnd(checkDirectory.findRecord(source.checkId)) !== undefined),
  });
}

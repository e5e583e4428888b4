/** Status pages over the parts of the monitor. */
import type { CheckDirectory } from "../checks/standings.ts";
import type { CheckRecord } from "../checks/schema.ts";
import type { Live } from "../fleet/live.ts";
import type { History } from "../history/history.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import type { ServerRecord } from "../base/schema.ts";
import type { Usage } from "../usage/usage.ts";
import { createCheckHistory } from "./component-history.ts";
import type { Component } from "./schema.ts";
import { type Status, type StatusDeps, createStatus } from "./status.ts";

export function createStatusParts(
  deps: Pick<StatusDeps, "store" | "clock" | "log">,
  parts: {
    readonly live: Live;
    readonly publicSnapshot: { findRecord(id: string): ServerRecord | undefined };
    readonly checkDirectory: CheckDirectory;
    readonly usage: Usage;
    readonly maintenance: Maintenance;
    readonly history: History;
    readonly nodes: { readonly isLeader: boolean };
  },
): Status {
  const { live, publicSnapshot, usage, maintenance, checkDirectory, nodes, history } = parts;
  const findRecord = (id: string): ServerRecord | undefined => publicSnapshot.findRecord(id);
  /** The check or server that a component follows. */
  const findFollowed = ({ source }: Component): ServerRecord | CheckRecord | undefined => {
    if (source.type === "server") return findRecord(source.serverId);
    return source.type === "check" ? checkDirectory.findRecord(source.checkId) : undefined;
  };
  return createStatus({
    ...deps,
    checks: checkDirectory,
    history: createCheckHistory({
      history,
      findCheck: (id) => checkDirectory.findRecord(id),
      findServer: findRecord,
    }),
    servers: {
      findRecord,
      stateOf: (id) => live.get(id).state,
      days: (record, count) => usage.uptimeDays(record, count),
    },
    isInMaintenance: (component) => maintenance.findEnd(findFollowed(component)) !== undefined,
    listWindows: (component) => {
      const followed = findFollowed(component);
      return followed === undefined ? [] : maintenance.listWindows(followed);
    },
    isLeader: () => nodes.isLeader,
  });
}

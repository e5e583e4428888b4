/** States of components: from their source and from posts. All pure. */
import type { CheckStanding } from "../checks/schema.ts";
import type { ServerState } from "../base/schema.ts";
import { type ComponentStatus, type Impact, type PostRecord, componentStatuses } from "./schema.ts";

/** The status shown for a component: `unknown` without data, which is not "operational". */
export type ShownStatus = ComponentStatus | "unknown";

/** From good to bad; what is unknown is worse than what is known to work, and better than what is known to be wrong. */
const order: readonly ShownStatus[] = ["operational", "unknown", ...componentStatuses.slice(1)];

/** The worst of some; "operational" of none. */
export function findWorst(statuses: readonly ShownStatus[]): ShownStatus {
  return statuses.reduce<ShownStatus>(
    (worst, status) => (order.indexOf(status) > order.indexOf(worst) ? status : worst),
    "operational",
  );
}

export function toCheckStatus(standing: Pick<CheckStanding, "state"> | undefined): ShownStatus {
  switch (standing?.state) {
    case "up":
      return "operational";
    case "partial":
      return "partial_outage";
    case "down":
      return "major_outage";
    case "unknown":
    case "paused":
    case undefined:
      return "unknown";
  }
}

export function toServerStatus(state: ServerState | undefined): ShownStatus {
  switch (state) {
    case "online":
      return "operational";
    case "offline":
      return "major_outage";
    case "never":
    case "disabled":
    case undefined:
      return "unknown";
  }
}

/** Whether a planned maintenance is under way. */
export function isUnderWay({ type, state, step }: Pick<PostRecord, "type" | "state" | "step">): boolean {
  return type === "maintenance" && state === "open" && (step === "in_progress" || step === "verifying");
}

/**
 * A component's status: maintenance that is under way takes the place of what its source says, since then it is
 * expected; the word of open incidents counts where it is worse.
 */
export function toComponentStatus(
  id: string,
  given: {
    readonly source: ShownStatus;
    readonly isInMaintenance: boolean;
    readonly open: readonly Pick<PostRecord, "type" | "state" | "step" | "components">[];
  },
): ShownStatus {
  const told = given.open.flatMap((post) => {
    const status = new Map(Object.entries(post.components)).get(id);
    return status === undefined ? [] : [{ post, status }];
  });
  const isPlanned = given.isInMaintenance || told.some(({ post }) => isUnderWay(post));
  const source = isPlanned ? "under_maintenance" : given.source;
  const incidents = told.filter(({ post }) => post.type === "incident" && post.state === "open");
  return findWorst([source, ...incidents.map(({ status }) => status)]);
}

/** The default impact of an incident, from the states of its components. */
export function toImpact(components: Readonly<Record<string, ComponentStatus>>): Impact {
  switch (findWorst(Object.values(components))) {
    case "major_outage":
      return "critical";
    case "partial_outage":
      return "major";
    case "degraded_performance":
      return "minor";
    case "operational":
    case "unknown":
    case "under_maintenance":
      return "none";
  }
}

/** The state of a page in one word, as Statuspage's API has it, and `unknown` where not all is known. */
export type Indicator = "none" | "unknown" | "maintenance" | "minor" | "major" | "critical";

/** The worst that components and open incidents say together. */
export function toIndicator(
  statuses: readonly ShownStatus[],
  open: readonly Pick<PostRecord, "type" | "impact">[],
): Indicator {
  const impacts = open.flatMap(({ type, impact }) => (type === "incident" ? [impact] : []));
  const worst = findWorst(statuses);
  if (impacts.includes("critical") || worst === "major_outage") return "critical";
  if (impacts.includes("major") || worst === "partial_outage") return "major";
  if (impacts.includes("minor") || worst === "degraded_performance") return "minor";
  if (worst === "under_maintenance") return "maintenance";
  return worst === "unknown" ? "unknown" : "none";
}

/** Judges checks of containers by what agents report: without a report that counts, nothing is known. */
import type { ContainerTarget, ProbeResult } from "../../kit/probes/probe.ts";
import { createPartReader } from "../alerts/evaluate.ts";
import { MOST_PARTS, type PartReading, partSource, readPartValue } from "../base/part-metrics.ts";
import type { LiveServer } from "../fleet/live.ts";

export interface ContainerSources {
  readonly live: { get(serverId: string): LiveServer };
  readonly publicSnapshot: {
    findRecord(id: string): { readonly name: string; readonly disabled: boolean } | undefined;
  };
}

const notJudged = (detail: string): ProbeResult => ({ fault: "not_judged", detail });

/** The containers that an online server reports, or why they are not known. */
function findContainers(
  serverId: string,
  { live, publicSnapshot }: ContainerSources,
): readonly PartReading[] | string {
  const server = publicSnapshot.findRecord(serverId);
  if (server === undefined) return `The server "${serverId}" does not exist`;
  const { name, disabled } = server;
  if (disabled) return `The server "${name}" is paused`;
  const state = live.get(serverId);
  if (state.state !== "online") return `The server "${name}" is offline`;
  if (state.silence !== undefined || state.latest === undefined)
    return `The server "${name}" sends no reports`;
  return (
    createPartReader()(state, "container") ??
    `The agent of "${name}" reports no containers: give it access to Docker`
  );
}

function valueOf(reading: PartReading, metric: string): number {
  const source = partSource("container", metric);
  return source === undefined ? Number.NaN : readPartValue(reading, source);
}

/** One check run. */
export function judgeContainer(target: ContainerTarget, sources: ContainerSources): ProbeResult {
  const { serverId, container, healthy } = target;
  const containers = findContainers(serverId, sources);
  if (typeof containers === "string") return notJudged(containers);
  const found = containers.find(({ name }) => name === container);
  if (found === undefined)
    return containers.length >= MOST_PARTS
      ? notJudged(
          `The agent reports its first ${MOST_PARTS} containers, and "${container}" is not among them`,
        )
      : { fault: "content", detail: `The container "${container}" does not exist` };
  if (valueOf(found, "upPercent") === 0)
    return { fault: "status", detail: `The container "${container}" is not running` };
  if (healthy && valueOf(found, "healthyPercent") === 0)
    return { fault: "status", detail: `The container "${container}" is unhealthy` };
  return { detail: `The container "${container}" is running` };
}

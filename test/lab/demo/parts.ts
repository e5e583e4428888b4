/** What the agent of a simulated machine says of its parts: disks, interfaces, GPU, containers, units and the like. */
import type {
  Container,
  Details,
  DiskUsage,
  GpuUsage,
  InterfaceUsage,
  Payload,
} from "../../../src/agent/payload.ts";
import type { Moment } from "./machine.ts";
import type { Character, DemoPlan } from "./plans.ts";
import type { DemoContainer } from "./workloads.ts";

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
/** Of a machine with a disk for its data. */
const SYSTEM_GIB = 40;
const SYSTEM_SHARE = 0.34;
const GPU_GIB = 24;
/** What of the traffic takes the second interface of a machine that has one. */
const INNER_SHARE = 0.3;

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The disks: the one that fills up with the machine's data, and that of the system where it is another. */
export function toDisk(
  { character: { diskGib }, dataPath, systemShare = SYSTEM_SHARE }: DemoPlan,
  now: Moment,
): DiskUsage {
  const data = {
    path: dataPath ?? "/",
    totalBytes: diskGib * GIB,
    usedBytes: now.diskUsedBytes,
  };
  const system = {
    path: "/",
    totalBytes: SYSTEM_GIB * GIB,
    usedBytes: Math.round(SYSTEM_GIB * GIB * systemShare),
  };
  const mounts = dataPath === undefined ? [data] : [system, data];
  return {
    totalBytes: mounts.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
    usedBytes: mounts.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    readBytesPerSecond: now.diskReadBytesPerSecond,
    writeBytesPerSecond: now.diskWriteBytesPerSecond,
    mounts,
  };
}

/** The interfaces; their numbers add up to those of the machine. */
export function toInterfaces(
  { innerNetwork }: DemoPlan,
  whole: Omit<InterfaceUsage, "name">,
): readonly InterfaceUsage[] {
  if (innerNetwork === undefined) return [{ name: "eth0", ...whole }];
  const inner = {
    name: innerNetwork,
    rxBytesPerSecond: Math.round((whole.rxBytesPerSecond ?? 0) * INNER_SHARE),
    txBytesPerSecond: Math.round((whole.txBytesPerSecond ?? 0) * INNER_SHARE),
    rxTotalBytes: Math.round(whole.rxTotalBytes * INNER_SHARE),
    txTotalBytes: Math.round(whole.txTotalBytes * INNER_SHARE),
  };
  const outer = {
    name: "eth0",
    rxBytesPerSecond: (whole.rxBytesPerSecond ?? 0) - inner.rxBytesPerSecond,
    txBytesPerSecond: (whole.txBytesPerSecond ?? 0) - inner.txBytesPerSecond,
    rxTotalBytes: whole.rxTotalBytes - inner.rxTotalBytes,
    txTotalBytes: whole.txTotalBytes - inner.txTotalBytes,
  };
  return [outer, inner];
}

/** The GPU, one that sysfs knows everything of. */
export function toGpus({ gpu: name }: Character, { gpuPercent }: Moment): readonly GpuUsage[] | undefined {
  if (name === undefined) return undefined;
  const memoryTotalBytes = GPU_GIB * GIB;
  return [
    {
      name,
      usagePercent: Math.round(gpuPercent),
      memoryTotalBytes,
      memoryUsedBytes: Math.round(memoryTotalBytes * (0.2 + gpuPercent / 160)),
      celsius: toTenth(38 + gpuPercent / 3),
      powerWatts: toTenth(24 + gpuPercent * 2.9),
    },
  ];
}

/** Shares of the time in which work waits. */
export function toPressure({ cpuPercent, iowaitPercent }: Moment): Payload["pressure"] {
  return {
    cpuPercent: toTenth(cpuPercent ** 2 / 250),
    memoryPercent: 0,
    ioPercent: toTenth(Math.min(100, iowaitPercent * 1.6)),
  };
}

function toContainer(demo: DemoContainer, now: Moment, bootMs: number): Container {
  const { name, image, state = "running", health, share = 0, memoryMib = 0, restarts = 0 } = demo;
  if (state !== "running") return { name, image, state, exitCode: demo.exitCode ?? 0, restarts };
  return {
    name,
    image,
    state,
    health,
    restarts,
    startedAtUnixMs: bootMs + 40_000,
    cpuPercent: toTenth(now.cpuPercent * share),
    memoryUsedBytes: Math.round(memoryMib * MIB * (0.8 + now.cpuPercent / 400)),
    memoryLimitBytes: demo.limitMib === undefined ? undefined : demo.limitMib * MIB,
    rxBytesPerSecond: Math.round(now.rxBytesPerSecond * share * 0.4),
    txBytesPerSecond: Math.round(now.txBytesPerSecond * share * 0.4),
    readBytesPerSecond: Math.round(now.diskReadBytesPerSecond * share * 0.3),
    writeBytesPerSecond: Math.round(now.diskWriteBytesPerSecond * share * 0.3),
  };
}

/** How many there are of what the lists name: it comes with every report. */
export function toCounts({ containers, failedUnits, raid, extras = [] }: DemoPlan): Partial<Payload> {
  const count = (isMeant: (container: DemoContainer) => boolean): number =>
    (containers ?? []).filter(isMeant).length;
  const countState = (wanted: string): number =>
    extras.flatMap(({ values }) => values).filter(({ state }) => state === wanted).length;
  return {
    containers: containers && {
      running: count(({ state = "running" }) => state === "running"),
      exited: count(({ state }) => state === "exited"),
      unhealthy: count(({ health }) => health === "unhealthy"),
    },
    systemd: { failedUnits: failedUnits?.length ?? 0 },
    raid: raid && { degradedArrays: raid.activeDisks < raid.disks ? 1 : 0 },
    extra:
      extras.length === 0
        ? undefined
        : { warnings: countState("warning"), criticals: countState("critical") },
  };
}

/** The lists. */
export function toDetails(plan: DemoPlan, at: { now: Moment; nowMs: number; bootMs: number }): Details {
  const { containers, failedUnits, raid, extras } = plan;
  return {
    containers: containers?.map((container) => toContainer(container, at.now, at.bootMs)),
    failedUnits: failedUnits ?? [],
    raidArrays: raid && [{ name: "md0", state: "active", ...raid }],
    // Written by a job every quarter of an hour.
    extras: extras?.map((group) => ({ ...group, writtenAtUnixMs: at.nowMs - (at.nowMs % 900_000) })),
  };
}

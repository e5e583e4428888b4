/** The faults of a run: a list that follows from the seed, and of which a part can be left out. */
import type { Operation } from "../disk/disk.ts";
import { type Random, createRandom } from "../kernel/random.ts";

/** An end in the middle of something: after so many further operations of the disk. */
interface End {
  readonly operations: number;
  /** Counts these alone: while a file is written, or while another one takes its place. */
  readonly of?: Operation | undefined;
}

interface Kill extends End {
  readonly kind: "kill";
}

interface PowerCut extends End {
  readonly kind: "power";
}

interface Restart {
  readonly kind: "restart";
}

/** The wall clock of the machine is set, or goes wrong little by little. */
interface ClockFault {
  readonly kind: "clock";
  readonly skewMs: number;
  /** How long it takes to get there; 0: at once. */
  readonly driftMs: number;
}

export type TroubleKind =
  | "disk-full"
  | "sync-fails"
  | "write-fails"
  | "slow-disk"
  /** The program hangs. */
  | "pause"
  /** A bit of a stored file has changed. */
  | "rot"
  | "network"
  | "post-down"
  | "post-flaky"
  | "outside-down";

/** Of a database that several nodes share, and of the bus between them. */
export type SharedKind =
  | "database-slow"
  | "database-conflicts"
  | "database-drops"
  | "database-stalls"
  | "database-loses-answers"
  | "database-silent"
  | "database-down"
  /** One machine does not reach it. */
  | "database-parted"
  | "bus-lossy"
  | "bus-parted"
  | "bus-down";

/** What lasts for a while. */
export interface Trouble {
  readonly kind: TroubleKind | SharedKind;
  readonly forMs: number;
  /** A probability, or a factor. */
  readonly strength: number;
}

/** A machine with an agent ends, and starts again after a while. */
export interface AgentFault {
  readonly kind: "agent-kill" | "agent-power" | "agent-restart";
  readonly forMs: number;
}

export type Fault = {
  readonly atMs: number;
  /** Which of several machines it happens to: a part of their number, from 0 up to 1. */
  readonly which?: number;
} & (Kill | PowerCut | Restart | ClockFault | Trouble | AgentFault);

export type FaultKind = Fault["kind"];

export type FaultLevel = "none" | "rare" | "light" | "heavy" | "storm";

const MINUTE = 60_000;
/** Mean time between two faults. */
const everyMs: Readonly<Record<FaultLevel, number>> = {
  none: Infinity,
  rare: 6 * 60 * MINUTE,
  light: 20 * MINUTE,
  heavy: 3 * MINUTE,
  storm: 40_000,
};

/** Some machines end again soon after they have started. */
const AGAIN_MS = 15_000;

/** Of one machine. */
export const installKinds = [
  ...(["kill", "kill", "power", "power", "power", "restart"] as const),
  ...(["disk-full", "sync-fails", "write-fails", "slow-disk", "network", "network"] as const),
  ...(["post-down", "post-flaky", "outside-down", "clock", "rot"] as const),
] as const satisfies readonly FaultKind[];

export interface PlanOptions {
  readonly level: FaultLevel;
  readonly untilMs: number;
  /** What happens, each as often as it is named. */
  readonly kinds?: readonly [FaultKind, ...FaultKind[]];
  /** Whether there are several machines that it can happen to. */
  readonly isAimed?: boolean;
}

function toStrength(kind: FaultKind, random: Random): number {
  if (kind === "slow-disk" || kind === "database-slow") return 5 + random.below(200);
  return 0.05 + random.next() * 0.5;
}

/** Half of them come at an operation that seldom happens, and after which the order of operations counts. */
function drawEnd(atMs: number, kind: "kill" | "power", random: Random): Fault {
  if (random.chance(1 / 2)) return { atMs, kind, operations: 1 + random.below(40) };
  const of = random.pick(["commit", "commit", "write", "sync", "rename", "remove"] as const);
  return { atMs, kind, operations: 1 + random.below(4), of };
}

function draw(atMs: number, kind: FaultKind, random: Random): Fault {
  if (kind === "kill" || kind === "power") return drawEnd(atMs, kind, random);
  if (kind === "restart") return { atMs, kind };
  if (kind === "clock") {
    const skewMs = Math.round((random.next() - 0.5) * 2 * MINUTE);
    return { atMs, kind, skewMs, driftMs: skewMs % 3 === 0 ? 2 * MINUTE : 0 };
  }
  // Some are off for longer than an alert waits.
  if (kind === "agent-kill" || kind === "agent-power" || kind === "agent-restart")
    return { atMs, kind, forMs: Math.round(random.wait(random.chance(0.5) ? 8 * MINUTE : MINUTE / 6)) };
  return { atMs, kind, forMs: Math.round(random.wait(MINUTE)), strength: toStrength(kind, random) };
}

/** The faults of a seed between the start and `untilMs`. */
export function planFaults(
  seed: number,
  { level, untilMs, kinds = installKinds, isAimed = false }: PlanOptions,
): Fault[] {
  const random = createRandom(seed, "faults");
  const faults: Fault[] = [];
  for (let at = random.wait(everyMs[level]); at < untilMs; at += random.wait(everyMs[level])) {
    const fault = draw(Math.round(at), random.pick(kinds), random);
    const which = isAimed ? { which: random.next() } : {};
    faults.push({ ...fault, ...which });
    if ((fault.kind !== "power" && fault.kind !== "kill") || !random.chance(0.4)) continue;
    const again = Math.round(at + AGAIN_MS + random.wait(AGAIN_MS));
    if (again < untilMs) faults.push({ ...drawEnd(again, random.pick(["kill", "power"]), random), ...which });
  }
  // What fails until the end has to be well without anyone who asks.
  if (level !== "none" && kinds === installKinds && random.chance(1 / 3)) {
    const kind = random.pick(["disk-full", "sync-fails", "write-fails", "outside-down"] as const);
    const beforeMs = random.wait(kind === "outside-down" ? 10 * MINUTE : MINUTE / 2);
    const atMs = Math.round(Math.max(0, untilMs - beforeMs));
    faults.push({ atMs, kind, forMs: MINUTE * 10, strength: 0.5 + random.next() / 2 });
  }
  return faults;
}

/** The one of several that a fault happens to. */
export function pickAimed<T>({ which = 0 }: Fault, all: readonly [T, ...T[]]): T {
  return all[Math.floor(which * all.length)] ?? all[0];
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

/** A fault for people. */
export function describeFault(fault: Fault): string {
  const at = `at ${seconds(fault.atMs)}:`;
  const where = fault.which === undefined ? "" : ` of machine ${fault.which.toFixed(2)}`;
  if (fault.kind === "kill" || fault.kind === "power") {
    const name = fault.kind === "kill" ? "kill" : "power cut";
    const what = fault.of === undefined ? "" : ` "${fault.of}"`;
    return `${at} ${name}${where} after ${fault.operations} more disk operations${what}`;
  }
  if (fault.kind === "restart") return `${at} orderly restart${where}`;
  if (fault.kind === "clock")
    return `${at} wall clock${where} set ${seconds(fault.skewMs)} from the right time within ${seconds(fault.driftMs)}`;
  if ("strength" in fault)
    return `${at} ${fault.kind}${where} for ${seconds(fault.forMs)} (${fault.strength.toFixed(2)})`;
  return `${at} ${fault.kind}${where} for ${seconds(fault.forMs)}`;
}

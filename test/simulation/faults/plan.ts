/** The faults of a run: a list that follows from the seed, and of which a part can be left out. */
import { type Random, createRandom } from "../kernel/random.ts";

/** Ends that come in the middle of something: after so many further operations of the disk. */
interface Kill {
  readonly kind: "kill";
  readonly operations: number;
}

interface PowerCut {
  readonly kind: "power";
  readonly operations: number;
}

interface Restart {
  readonly kind: "restart";
}

/** The wall clock of the machine is set. */
interface ClockStep {
  readonly kind: "clock";
  readonly skewMs: number;
}

export type TroubleKind =
  | "disk-full"
  | "sync-fails"
  | "write-fails"
  | "slow-disk"
  | "network"
  | "post-down"
  | "post-flaky"
  | "outside-down";

/** What lasts for a while. */
interface Trouble {
  readonly kind: TroubleKind;
  readonly forMs: number;
  /** A probability, or a factor. */
  readonly strength: number;
}

export type Fault = { readonly atMs: number } & (Kill | PowerCut | Restart | ClockStep | Trouble);

export type FaultLevel = "none" | "light" | "heavy";

const MINUTE = 60_000;
/** Mean time between two faults. */
const everyMs: Readonly<Record<FaultLevel, number>> = {
  none: Infinity,
  light: 20 * MINUTE,
  heavy: 3 * MINUTE,
};

const kinds = [
  ...(["kill", "kill", "power", "power", "power", "restart"] as const),
  ...(["disk-full", "sync-fails", "write-fails", "slow-disk", "network", "network"] as const),
  ...(["post-down", "post-flaky", "outside-down", "clock"] as const),
] as const;

function toStrength(kind: Fault["kind"], random: Random): number {
  if (kind === "slow-disk") return 5 + random.below(200);
  return 0.05 + random.next() * 0.5;
}

function draw(atMs: number, random: Random): Fault {
  const kind = random.pick(kinds);
  if (kind === "kill") return { atMs, kind, operations: 1 + random.below(40) };
  if (kind === "power") return { atMs, kind, operations: 1 + random.below(40) };
  if (kind === "restart") return { atMs, kind };
  if (kind === "clock") return { atMs, kind, skewMs: Math.round((random.next() - 0.5) * 2 * MINUTE) };
  return { atMs, kind, forMs: Math.round(random.wait(MINUTE)), strength: toStrength(kind, random) };
}

/** The faults of a seed between the start and `untilMs`. */
export function planFaults(
  seed: number,
  { level, untilMs }: { level: FaultLevel; untilMs: number },
): Fault[] {
  const random = createRandom(seed, "faults");
  const faults: Fault[] = [];
  for (let at = random.wait(everyMs[level]); at < untilMs; at += random.wait(everyMs[level]))
    faults.push(draw(Math.round(at), random));
  return faults;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

/** A fault for people. */
export function describeFault(fault: Fault): string {
  const at = `at ${seconds(fault.atMs)}:`;
  if (fault.kind === "kill" || fault.kind === "power") {
    const name = fault.kind === "kill" ? "kill" : "power cut";
    return `${at} ${name} after ${fault.operations} more disk operations`;
  }
  if (fault.kind === "restart") return `${at} orderly restart`;
  if (fault.kind === "clock") return `${at} wall clock set ${seconds(fault.skewMs)} from the right time`;
  return `${at} ${fault.kind} for ${seconds(fault.forMs)} (${fault.strength.toFixed(2)})`;
}

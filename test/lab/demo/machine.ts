/**
 * A machine as a function of time: the same moment always has the same values, so that what was written for the past
 * joins what the agents report now.
 */
import type { Character, DemoPlan } from "./plans.ts";

/** The numbers of one moment; see the report's payload for their meaning. */
export interface Moment {
  readonly cpuPercent: number;
  readonly iowaitPercent: number;
  readonly loadOne: number;
  readonly memoryUsedBytes: number;
  readonly memoryCacheBytes: number;
  readonly swapUsedBytes: number;
  readonly diskUsedBytes: number;
  readonly diskReadBytesPerSecond: number;
  readonly diskWriteBytesPerSecond: number;
  readonly rxBytesPerSecond: number;
  readonly txBytesPerSecond: number;
  readonly tcp: number;
  readonly udp: number;
  readonly processes: number;
  readonly celsius: number;
  readonly gpuPercent: number;
}

export interface DemoMachine {
  readonly plan: DemoPlan;
  at(timeMs: number): Moment;
  /** Whether it was away in this minute of the past. */
  isAway(timeMs: number): boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/** 0 ≤ n < 1, the same for the same two numbers. */
function hash(seed: number, n: number): number {
  let mixed = Math.imul(seed ^ Math.imul(n | 0, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

/** A curve between random heights, −1 to 1, with a new one every `periodMs`. */
function wander(seed: number, timeMs: number, periodMs: number): number {
  const place = timeMs / periodMs;
  const left = Math.floor(place);
  const share = place - left;
  const smooth = share * share * (3 - 2 * share);
  const [a, b] = [hash(seed, left), hash(seed, left + 1)];
  return 2 * (a + (b - a) * smooth) - 1;
}

/** How busy people are, 0 to 1: little at night, less on a weekend. */
function toBusyness(timeMs: number, zoneHours: number): number {
  const local = timeMs + zoneHours * HOUR_MS;
  const hour = (local % DAY_MS) / HOUR_MS;
  // 1970-01-01 was a Thursday.
  const weekday = (Math.floor(local / DAY_MS) + 4) % 7;
  const day = Math.exp(-(((hour - 14) / 5) ** 2));
  return day * (weekday === 0 || weekday === 6 ? 0.45 : 1);
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function readMoment(character: Character, seed: number, timeMs: number): Moment {
  const { cores, cpu, memoryGib, memory, diskGib, disk, swapGib = 0 } = character;
  const busy = toBusyness(timeMs, character.zoneHours);
  const noise = (n: number, periodMs: number): number => wander(seed + n, timeMs, periodMs);
  const burst = Math.max(0, noise(1, 40 * MINUTE_MS) - 0.82) * 160;
  const wobble = noise(2, 5 * MINUTE_MS) * 0.25 + noise(3, 20_000) * 0.18;
  const cpuPercent = between(0.3, (cpu[0] + cpu[1] * busy) * (1 + wobble) + burst * (cpu[1] / 30), 99.6);
  const flow = (0.25 + busy) * (1 + noise(4, 3 * MINUTE_MS) * 0.4 + noise(5, 12_000) * 0.3);
  const memoryShare = between(0.03, memory * (1 + noise(6, 3 * HOUR_MS) * 0.05 + (busy - 0.4) * 0.05), 0.985);
  // The disk fills up over weeks; logs are tidied away every few days.
  const diskShare = between(0.01, disk * (1 + noise(7, 4 * DAY_MS) * 0.015), 0.99);
  const memoryBytes = memoryGib * GIB;
  return {
    cpuPercent,
    iowaitPercent: between(0, 0.6 + noise(8, 7 * MINUTE_MS) * 0.8, 12),
    loadOne: (cpuPercent / 100) * cores * (1 + noise(9, 2 * MINUTE_MS) * 0.2),
    memoryUsedBytes: Math.round(memoryBytes * memoryShare),
    memoryCacheBytes: Math.round(memoryBytes * (1 - memoryShare) * 0.6),
    swapUsedBytes: Math.round(swapGib * GIB * between(0, memoryShare - 0.5 + noise(10, DAY_MS) * 0.05, 1)),
    diskUsedBytes: Math.round(diskGib * GIB * diskShare),
    diskReadBytesPerSecond: Math.round(2e5 * (0.2 + busy) * (1 + noise(11, 90_000)) * cores),
    diskWriteBytesPerSecond: Math.round(3e5 * (0.4 + busy) * (1 + noise(12, 60_000)) * cores),
    rxBytesPerSecond: Math.round(Math.max(200, character.rx * flow)),
    txBytesPerSecond: Math.round(Math.max(150, character.tx * flow * (1 + noise(13, 2 * MINUTE_MS) * 0.2))),
    tcp: Math.round(30 + 300 * busy * (1 + noise(14, 10 * MINUTE_MS) * 0.3)),
    udp: Math.round(6 + 3 * noise(15, 30 * MINUTE_MS)),
    processes: Math.round(120 + 12 * cores ** 0.5 + 10 * noise(16, HOUR_MS)),
    celsius: 36 + cpuPercent / 3 + 2 * noise(17, HOUR_MS),
    gpuPercent:
      character.gpu === undefined ? Number.NaN : between(0, 46 + 60 * noise(18, 50 * MINUTE_MS), 100),
  };
}

/** When it was away on a day: minutes of the day, or undefined. */
function findOutage(
  { trouble }: Character,
  seed: number,
  day: number,
): readonly [from: number, to: number] | undefined {
  if (hash(seed + 50, day) >= trouble) return undefined;
  const minutes = 4 + Math.floor(hash(seed + 51, day) ** 4 * 700);
  const from = Math.floor(hash(seed + 52, day) * (1_440 - minutes));
  return [from, from + minutes];
}

/** The machine of a plan; `index` tells machines apart. */
export function createDemoMachine(plan: DemoPlan, index: number): DemoMachine {
  const seed = (index + 1) * 7_919;
  return {
    plan,
    at: (timeMs) => readMoment(plan.character, seed, timeMs),
    isAway(timeMs) {
      const day = Math.floor(timeMs / DAY_MS);
      const outage = findOutage(plan.character, seed, day);
      const minute = Math.floor((timeMs - day * DAY_MS) / MINUTE_MS);
      return outage !== undefined && minute >= outage[0] && minute < outage[1];
    },
  };
}

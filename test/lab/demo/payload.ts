/** A moment of a machine as its agent reports it. */
import { agentVersion } from "../../../src/agent/version.ts";
import type { HostFacts, Payload } from "../../../src/agent/payload.ts";
import type { DemoMachine, Moment } from "./machine.ts";
import { toCounts, toDetails, toDisk, toGpus, toInterfaces, toPressure } from "./parts.ts";
import type { Character, DemoPlan } from "./plans.ts";

const GIB = 1024 ** 3;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** From the start of a machine to its agent's first report. */
const RESTART_MS = 40_000;
/** Machines were started between a week and four months ago. */
const LEAST_UP_DAYS = 7;
const UP_DAYS_STEP = 5;
/** As the agent: lists come twice a minute. */
const LISTS_EVERY_MS = 30_000;

export interface PayloadOptions {
  readonly machine: DemoMachine;
  readonly index: number;
  readonly intervalMs: number;
  /** When the demonstration began, epoch ms: counters are reckoned from there. */
  readonly startMs: number;
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function toHost(
  { platform, cpuModel, cores, virtualization }: Character,
  { bootMs, index }: { bootMs: number; index: number },
): HostFacts {
  return {
    os: "linux",
    platform: platform[0],
    platformVersion: platform[1],
    kernel: "6.1.0-32-amd64",
    arch: cpuModel.startsWith("Ampere") ? "aarch64" : "x86_64",
    virtualization: virtualization === "none" ? undefined : virtualization,
    cpuModel,
    cpuCores: cores,
    agentVersion,
    bootTimeUnixMs: bootMs,
    // Of the blocks that are kept for documents (RFC 5737, RFC 3849).
    addresses: [`198.51.100.${index + 10}`, `2001:db8::${index + 10}`],
  };
}

function toProcessor(
  { cores, cpuModel, virtualization }: Character,
  { now, nowMs }: { now: Moment; nowMs: number },
): Omit<Payload, "v" | "intervalMs"> {
  const perCorePercent = Array.from({ length: cores }, (_, core) => {
    const share = 0.6 + 0.8 * Math.abs(Math.sin(core * 2.4 + nowMs / 9_000));
    return toTenth(Math.min(100, now.cpuPercent * share));
  });
  const { loadOne } = now;
  const sensor = cpuModel.startsWith("AMD") ? "k10temp Tctl" : "coretemp Package id 0";
  return {
    cpu: {
      usagePercent: toTenth(now.cpuPercent),
      perCorePercent,
      iowaitPercent: toTenth(now.iowaitPercent),
      stealPercent: 0,
    },
    load: { one: toTenth(loadOne), five: toTenth(loadOne * 0.94), fifteen: toTenth(loadOne * 0.9) },
    connections: { tcp: now.tcp, udp: now.udp },
    processes: now.processes,
    // A virtual machine has no sensor.
    temperatures: virtualization === "none" ? [{ name: sensor, celsius: toTenth(now.celsius) }] : undefined,
  };
}

function toRoom(plan: DemoPlan, now: Moment): Pick<Payload, "memory" | "swap" | "disk"> {
  const { memoryGib, swapGib = 0 } = plan.character;
  return {
    memory: { totalBytes: memoryGib * GIB, usedBytes: now.memoryUsedBytes, cacheBytes: now.memoryCacheBytes },
    ...(swapGib === 0 ? {} : { swap: { totalBytes: swapGib * GIB, usedBytes: now.swapUsedBytes } }),
    disk: toDisk(plan, now),
  };
}

/** Creates the reports of one machine, in order of time. */
export function createPayloads(options: PayloadOptions): (nowMs: number) => string {
  const { machine, index, intervalMs, startMs } = options;
  const { character } = machine.plan;
  let bootMs = startMs - (LEAST_UP_DAYS + index * UP_DAYS_STEP) * DAY_MS;
  const upSeconds = (startMs - bootMs) / 1_000;
  let rxTotalBytes = Math.round(character.rx * 0.5 * upSeconds);
  let txTotalBytes = Math.round(character.tx * 0.5 * upSeconds);
  let lastMs = startMs;
  let listsMs = -Infinity;

  return (nowMs) => {
    const now = machine.at(nowMs);
    const seconds = Math.max(0, nowMs - lastMs) / 1_000;
    // Every other outage ends with a restart, which resets the counters.
    if (
      nowMs - lastMs > MINUTE_MS &&
      machine.isAway(nowMs - MINUTE_MS) &&
      Math.floor(nowMs / DAY_MS) % 2 === 0
    ) {
      bootMs = nowMs - RESTART_MS;
      [rxTotalBytes, txTotalBytes] = [0, 0];
    }
    lastMs = nowMs;
    rxTotalBytes += Math.round(now.rxBytesPerSecond * seconds);
    txTotalBytes += Math.round(now.txBytesPerSecond * seconds);
    const { rxBytesPerSecond, txBytesPerSecond } = now;
    const flow = { rxBytesPerSecond, txBytesPerSecond, rxTotalBytes, txTotalBytes };
    const withLists = nowMs - listsMs >= LISTS_EVERY_MS;
    if (withLists) listsMs = nowMs;
    const payload: Payload = {
      v: 1,
      intervalMs,
      uptimeSeconds: Math.round((nowMs - bootMs) / 1_000),
      host: toHost(character, { bootMs, index }),
      ...toProcessor(character, { now, nowMs }),
      ...toRoom(machine.plan, now),
      network: { ...flow, interfaces: toInterfaces(machine.plan, flow) },
      gpus: toGpus(character, now),
      pressure: toPressure(now),
      ...toCounts(machine.plan),
      details: withLists ? toDetails(machine.plan, { now, nowMs, bootMs }) : undefined,
    };
    return JSON.stringify(payload);
  };
}

/** A moment of a machine as its agent reports it. */
import type { DemoMachine, Moment } from "./machine.ts";
import type { Character } from "./plans.ts";

const GIB = 1024 ** 3;
const DAY_MS = 86_400_000;
/** Machines were started between a week and four months ago. */
const LEAST_UP_DAYS = 7;
const UP_DAYS_STEP = 5;
const GPU_GIB = 48;

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

function toHost({ platform, cpuModel, cores, virtualization }: Character, bootMs: number): object {
  return {
    os: "linux",
    platform: platform[0],
    platformVersion: platform[1],
    kernel: "6.1.0-32-amd64",
    arch: cpuModel.startsWith("Ampere") ? "aarch64" : "x86_64",
    virtualization,
    cpuModel,
    cpuCores: cores,
    agentVersion: "0.1.0",
    bootTimeUnixMs: bootMs,
  };
}

function toProcessor({ cores }: Character, { now, nowMs }: { now: Moment; nowMs: number }): object {
  const perCorePercent = Array.from({ length: cores }, (_, core) => {
    const share = 0.6 + 0.8 * Math.abs(Math.sin(core * 2.4 + nowMs / 9_000));
    return toTenth(Math.min(100, now.cpuPercent * share));
  });
  const { loadOne } = now;
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
    temperatures: [{ name: "cpu", celsius: toTenth(now.celsius) }],
  };
}

function toRoom({ memoryGib, swapGib = 0, diskGib }: Character, now: Moment): object {
  const disk = { totalBytes: diskGib * GIB, usedBytes: now.diskUsedBytes };
  return {
    memory: { totalBytes: memoryGib * GIB, usedBytes: now.memoryUsedBytes, cacheBytes: now.memoryCacheBytes },
    ...(swapGib === 0 ? {} : { swap: { totalBytes: swapGib * GIB, usedBytes: now.swapUsedBytes } }),
    disk: {
      ...disk,
      readBytesPerSecond: now.diskReadBytesPerSecond,
      writeBytesPerSecond: now.diskWriteBytesPerSecond,
      mounts: [{ path: "/", ...disk }],
    },
  };
}

function toGpus({ gpu: name }: Character, { gpuPercent }: Moment): object {
  if (name === undefined) return {};
  const memoryTotalBytes = GPU_GIB * GIB;
  const memoryUsedBytes = Math.round(memoryTotalBytes * (0.2 + gpuPercent / 160));
  const [usagePercent, celsius] = [toTenth(gpuPercent), toTenth(38 + gpuPercent / 3)];
  return { gpus: [{ name, usagePercent, memoryTotalBytes, memoryUsedBytes, celsius }] };
}

/** Makes the reports of one machine, in order of time. */
export function createPayloads(options: PayloadOptions): (nowMs: number) => string {
  const { machine, index, intervalMs, startMs } = options;
  const { character } = machine.plan;
  const bootMs = startMs - (LEAST_UP_DAYS + index * UP_DAYS_STEP) * DAY_MS;
  const upSeconds = (startMs - bootMs) / 1_000;
  let rxTotalBytes = Math.round(character.rx * 0.5 * upSeconds);
  let txTotalBytes = Math.round(character.tx * 0.5 * upSeconds);
  let lastMs = startMs;

  return (nowMs) => {
    const now = machine.at(nowMs);
    const seconds = Math.max(0, nowMs - lastMs) / 1_000;
    lastMs = nowMs;
    rxTotalBytes += Math.round(now.rxBytesPerSecond * seconds);
    txTotalBytes += Math.round(now.txBytesPerSecond * seconds);
    const totals = { rxTotalBytes, txTotalBytes };
    const { rxBytesPerSecond, txBytesPerSecond } = now;
    return JSON.stringify({
      v: 1,
      intervalMs,
      uptimeSeconds: Math.round((nowMs - bootMs) / 1_000),
      host: toHost(character, bootMs),
      ...toProcessor(character, { now, nowMs }),
      ...toRoom(character, now),
      network: { rxBytesPerSecond, txBytesPerSecond, ...totals, interfaces: [{ name: "eth0", ...totals }] },
      ...toGpus(character, now),
    });
  };
}

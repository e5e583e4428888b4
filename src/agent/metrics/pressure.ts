/** Pressure: the share of time in which work had to wait for the CPU, memory or disks, from /proc/pressure. */
import type { Pressure } from "../payload.ts";
import { createRateMeter } from "./rates.ts";
import type { SystemFiles } from "./system-files.ts";

const MICROSECONDS_PER_PERCENT = 10_000;

function createMeter(files: SystemFiles, resource: string): (atMs: number) => number | undefined {
  const meter = createRateMeter();
  return (atMs) => {
    // Microseconds since the start in which some task waited: the averages beside it do not fit the interval.
    const total = /^some .*\btotal=(\d+)/mu.exec(files.text(`/proc/pressure/${resource}`) ?? "")?.[1];
    if (total === undefined) return undefined;
    const waited = meter.perSecond(Number(total), atMs);
    return waited === undefined
      ? undefined
      : Math.min(100, Math.round(waited / (MICROSECONDS_PER_PERCENT / 10)) / 10);
  };
}

/** Creates the meter; undefined while nothing is known, as on kernels without it. */
export function createPressureMeter(files: SystemFiles): (atMs: number) => Pressure | undefined {
  const cpu = createMeter(files, "cpu");
  const memory = createMeter(files, "memory");
  const io = createMeter(files, "io");
  return (atMs) => {
    const pressure = { cpuPercent: cpu(atMs), memoryPercent: memory(atMs), ioPercent: io(atMs) };
    return Object.values(pressure).every((value) => value === undefined) ? undefined : pressure;
  };
}

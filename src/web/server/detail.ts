/** What only a server's own page shows: cores, mounts, network interfaces, sensors, GPUs. */
import type { ServerDetail } from "../../monitor/fleet/view-schema.ts";

export interface Sensor {
  readonly name: string;
  readonly celsius: number;
}

export interface Gpu {
  readonly name: string;
  /** 0 to 100. */
  readonly usagePercent: number | undefined;
  readonly memoryUsedBytes: number | undefined;
  readonly memoryTotalBytes: number | undefined;
  readonly celsius: number | undefined;
  readonly powerWatts: number | undefined;
}

export interface Mount {
  readonly path: string;
  readonly usedBytes: number;
  readonly totalBytes: number;
}

export interface NetworkInterface {
  readonly name: string;
  readonly rxBytesPerSecond: number | undefined;
  readonly txBytesPerSecond: number | undefined;
  /** Since the machine started. */
  readonly rxTotalBytes: number | undefined;
  readonly txTotalBytes: number | undefined;
}

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list at a dotted name such as "disk.mounts". */
function readList(detail: ServerDetail, name: string): readonly Json[] {
  let list: unknown = detail.latest?.sample;
  for (const part of name.split(".")) list = isJson(list) ? list[part] : undefined;
  return Array.isArray(list) ? list.filter(isJson) : [];
}

function toNumberOrNone(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Percentages of the cores, 0 to 100; empty when they are not reported. */
export function readCores(detail: ServerDetail): readonly number[] {
  const cpu = detail.latest?.sample["cpu"];
  const cores = isJson(cpu) ? cpu["perCorePercent"] : undefined;
  return Array.isArray(cores) ? cores.filter((core): core is number => typeof core === "number") : [];
}

/** The sensors of temperature. */
export function readSensors(detail: ServerDetail): readonly Sensor[] {
  return readList(detail, "temperatures").flatMap(({ name, celsius }) =>
    typeof celsius === "number" ? [{ name: typeof name === "string" ? name : "", celsius }] : [],
  );
}

/** The GPUs. */
export function readGpus(detail: ServerDetail): readonly Gpu[] {
  return readList(detail, "gpus").map((gpu) => ({
    name: typeof gpu["name"] === "string" ? gpu["name"] : "",
    usagePercent: toNumberOrNone(gpu["usagePercent"]),
    memoryUsedBytes: toNumberOrNone(gpu["memoryUsedBytes"]),
    memoryTotalBytes: toNumberOrNone(gpu["memoryTotalBytes"]),
    celsius: toNumberOrNone(gpu["celsius"]),
    powerWatts: toNumberOrNone(gpu["powerWatts"]),
  }));
}

/** The mounts, the fullest first. */
export function readMounts(detail: ServerDetail): readonly Mount[] {
  return readList(detail, "disk.mounts")
    .flatMap(({ path, usedBytes, totalBytes }) =>
      typeof usedBytes === "number" && typeof totalBytes === "number" && totalBytes > 0
        ? [{ path: typeof path === "string" ? path : "", usedBytes, totalBytes }]
        : [],
    )
    .sort((a, b) => b.usedBytes / b.totalBytes - a.usedBytes / a.totalBytes);
}

/** The network interfaces. */
export function readInterfaces(detail: ServerDetail): readonly NetworkInterface[] {
  return readList(detail, "network.interfaces").map((item) => ({
    name: typeof item["name"] === "string" ? item["name"] : "",
    rxBytesPerSecond: toNumberOrNone(item["rxBytesPerSecond"]),
    txBytesPerSecond: toNumberOrNone(item["txBytesPerSecond"]),
    rxTotalBytes: toNumberOrNone(item["rxTotalBytes"]),
    txTotalBytes: toNumberOrNone(item["txTotalBytes"]),
  }));
}

/** What only a server's own page shows: cores, sensors, GPUs. */
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
}

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readList(detail: ServerDetail, name: string): readonly Json[] {
  const list = detail.latest?.sample[name];
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
  }));
}

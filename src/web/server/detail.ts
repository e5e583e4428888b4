/** Only on a server's own page: cores, mounts, network interfaces, sensors, GPUs. */
import type { ChartedReport } from "../../monitor/base/report-schema.ts";
import type { ServerDetail } from "../../monitor/fleet/view-schema.ts";

/** The members that a report is known to have. */
type Known<T> = { readonly [K in keyof T as string extends K ? never : K]: T[K] };
/** All of them, with "" for a name that is not reported. */
type Whole<T> = {
  readonly [K in keyof Required<Known<T>>]: K extends "name" ? string : Known<T>[K] | undefined;
};
type Item<List> = NonNullable<List> extends readonly (infer T)[] ? T : never;

type ReportedMount = Item<NonNullable<ChartedReport["disk"]>["mounts"]>;

export type Sensor = Required<Known<Item<ChartedReport["temperatures"]>>>;
export type Gpu = Whole<Item<ChartedReport["gpus"]>>;
export type Mount = Required<Pick<Known<ReportedMount>, "path" | "usedBytes" | "totalBytes">>;
export type NetworkInterface = Omit<
  Whole<Item<NonNullable<ChartedReport["network"]>["interfaces"]>>,
  "errorsPerMinute"
>;

/** Stored details, which a later agent may have written. */
type Stored<T> = { readonly [K in keyof T]?: unknown };
type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The list at a dotted name such as "disk.mounts". */
function readList<T>(detail: ServerDetail, name: string): readonly Stored<T>[] {
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
  return readList<Sensor>(detail, "temperatures").flatMap(({ name, celsius }) =>
    typeof celsius === "number" ? [{ name: typeof name === "string" ? name : "", celsius }] : [],
  );
}

/** The GPUs. */
export function readGpus(detail: ServerDetail): readonly Gpu[] {
  return readList<Gpu>(detail, "gpus").map((gpu) => ({
    name: typeof gpu.name === "string" ? gpu.name : "",
    usagePercent: toNumberOrNone(gpu.usagePercent),
    memoryUsedBytes: toNumberOrNone(gpu.memoryUsedBytes),
    memoryTotalBytes: toNumberOrNone(gpu.memoryTotalBytes),
    celsius: toNumberOrNone(gpu.celsius),
    powerWatts: toNumberOrNone(gpu.powerWatts),
  }));
}

/** The mounts, the fullest first. */
export function readMounts(detail: ServerDetail): readonly Mount[] {
  return readList<Mount>(detail, "disk.mounts")
    .flatMap(({ path, usedBytes, totalBytes }) =>
      typeof usedBytes === "number" && typeof totalBytes === "number" && totalBytes > 0
        ? [{ path: typeof path === "string" ? path : "", usedBytes, totalBytes }]
        : [],
    )
    .sort((a, b) => b.usedBytes / b.totalBytes - a.usedBytes / a.totalBytes);
}

/** The network interfaces. */
export function readInterfaces(detail: ServerDetail): readonly NetworkInterface[] {
  return readList<NetworkInterface>(detail, "network.interfaces").map((item) => ({
    name: typeof item.name === "string" ? item.name : "",
    rxBytesPerSecond: toNumberOrNone(item.rxBytesPerSecond),
    txBytesPerSecond: toNumberOrNone(item.txBytesPerSecond),
    rxTotalBytes: toNumberOrNone(item.rxTotalBytes),
    txTotalBytes: toNumberOrNone(item.txTotalBytes),
  }));
}

/**
 * `payload_json` version 1 as zod schemas: the one truth of what a report may hold. The OpenAPI document
 * shows it, and `report.ts` compiles its fast check from it. Unknown keys are kept everywhere.
 */
import { z } from "zod";

function whole(max: number, unit: string): z.ZodInt {
  const text = max === Number.MAX_SAFE_INTEGER ? "2^53-1" : String(max);
  const error = `must be a whole number from 0 to ${text}`;
  return z.int({ error }).min(0, { error }).max(max, { error }).describe(unit);
}

function range(min: number, max: number, unit: string): z.ZodNumber {
  const error = `must be a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error }).describe(unit);
}

function string(maxLength: number): z.ZodString {
  const error = `must be a string of at most ${maxLength} characters`;
  return z.string({ error }).max(maxLength, { error });
}

function list<T extends z.ZodType>(item: T, maxLength: number): z.ZodArray<T> {
  const error = `must be an array of at most ${maxLength} items`;
  return z.array(item, { error }).max(maxLength, { error });
}

function group<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$loose> {
  return z.looseObject(shape, { error: "must be an object" });
}

const percentError = "must be 0 to 100";
const percent = z
  .number({ error: percentError })
  .min(0, { error: percentError })
  .max(100, { error: percentError })
  .describe("Percent, 0 to 100");
const bytes = whole(Number.MAX_SAFE_INTEGER, "Bytes");
const bytesPerSecond = whole(Number.MAX_SAFE_INTEGER, "Bytes per second");
const count = whole(Number.MAX_SAFE_INTEGER, "Count");
const unixMs = whole(8_640_000_000_000_000, "Unix epoch in milliseconds");
const load = range(0, 1_000_000, "Load average");
const celsius = range(-273.15, 10_000, "Degrees Celsius");
const traffic = {
  rxBytesPerSecond: bytesPerSecond.optional(),
  txBytesPerSecond: bytesPerSecond.optional(),
  rxTotalBytes: bytes.optional(),
  txTotalBytes: bytes.optional(),
};
const usage = { totalBytes: bytes.optional(), usedBytes: bytes.optional() };

/** A machine's facts; in the first report and again when they change. */
export const reportHostSchema = group({
  os: string(128).optional(),
  platform: string(128).optional(),
  platformVersion: string(128).optional(),
  kernel: string(128).optional(),
  arch: string(128).optional(),
  virtualization: string(128).optional(),
  cpuModel: string(256).optional(),
  cpuCores: whole(65_535, "Count").optional(),
  agentVersion: string(128).optional(),
  checkLevel: whole(1_000, "Count").optional(),
  bootTimeUnixMs: unixMs.optional(),
  addresses: list(string(64), 32).optional(),
});
export type ReportHost = z.infer<typeof reportHostSchema>;

const name = string(256).optional();
const containerSchema = group({
  name,
  image: string(256).optional(),
  state: string(64).optional(),
  health: string(64).optional(),
  exitCode: count.optional(),
  restarts: count.optional(),
  startedAtUnixMs: unixMs.optional(),
  cpuPercent: range(0, 1_000_000, "Percent of one core").optional(),
  memoryUsedBytes: bytes.optional(),
  memoryLimitBytes: bytes.optional(),
  rxBytesPerSecond: bytesPerSecond.optional(),
  txBytesPerSecond: bytesPerSecond.optional(),
  readBytesPerSecond: bytesPerSecond.optional(),
  writeBytesPerSecond: bytesPerSecond.optional(),
});
const extraSchema = group({
  title: name,
  writtenAtUnixMs: unixMs.optional(),
  values: list(
    group({
      name,
      value: z.number({ error: "must be a number" }).optional(),
      text: name,
      unit: string(32).optional(),
      state: string(64).optional(),
    }),
    64,
  ).optional(),
});

/** Lists that only administrators see. They come with some reports, and hold until they come again. */
export const reportDetailsSchema = group({
  containers: list(containerSchema, 64).optional(),
  failedUnits: list(group({ name, description: name }), 32).optional(),
  units: list(group({ name, state: string(64).optional(), description: name }), 64).optional(),
  disks: list(
    group({
      name,
      model: name,
      state: string(64).optional().describe("ok, failing or unknown"),
      celsius: celsius.optional(),
      wornPercent: range(0, 1_000, "Percent of the endurance that is used up").optional(),
      reallocatedSectors: count.optional(),
    }),
    64,
  ).optional(),
  raidArrays: list(
    group({
      name,
      level: string(64).optional(),
      state: string(64).optional(),
      disks: count.optional(),
      activeDisks: count.optional(),
      action: string(64).optional(),
      actionPercent: percent.optional(),
    }),
    32,
  ).optional(),
  batteries: list(group({ name, percent: percent.optional(), state: string(64).optional() }), 8).optional(),
  extras: list(extraSchema, 16).optional(),
});
export type ReportDetails = z.infer<typeof reportDetailsSchema>;

/** A report of version 1. Only `v` is required, and something to show beside it. */
export const reportSchema = group({
  v: z.literal(1, { error: "must be 1" }),
  intervalMs: whole(86_400_000, "Milliseconds between reports").optional(),
  uptimeSeconds: range(0, Number.MAX_SAFE_INTEGER, "Seconds since the machine started").optional(),
  host: reportHostSchema.optional(),
  cpu: group({
    usagePercent: percent,
    perCorePercent: list(percent, 1_024).optional(),
    iowaitPercent: percent.optional(),
    stealPercent: percent.optional(),
  }).optional(),
  load: group({ one: load.optional(), five: load.optional(), fifteen: load.optional() }).optional(),
  memory: group({ ...usage, cacheBytes: bytes.optional() }).optional(),
  swap: group(usage).optional(),
  disk: group({
    ...usage,
    readBytesPerSecond: bytesPerSecond.optional(),
    writeBytesPerSecond: bytesPerSecond.optional(),
    mounts: list(
      group({
        path: string(1_024).optional(),
        ...usage,
        inodesTotal: count.optional(),
        inodesUsed: count.optional(),
        state: string(64).optional().describe("unresponsive: the file system is not responding"),
      }),
      64,
    ).optional(),
  }).optional(),
  network: group({
    ...traffic,
    interfaces: list(
      group({
        name: string(256).optional(),
        ...traffic,
        errorsPerMinute: range(0, 1e12, "Errors per minute").optional(),
      }),
      128,
    ).optional(),
  }).optional(),
  connections: group({ tcp: count.optional(), udp: count.optional() }).optional(),
  processes: count.optional(),
  gpus: list(
    group({
      name: string(256).optional(),
      usagePercent: percent.optional(),
      memoryTotalBytes: bytes.optional(),
      memoryUsedBytes: bytes.optional(),
      celsius: celsius.optional(),
      powerWatts: range(0, 100_000, "Watts").optional(),
    }),
    16,
  ).optional(),
  temperatures: list(group({ name, celsius: celsius.optional() }), 64).optional(),
  pressure: group({
    cpuPercent: percent.optional(),
    memoryPercent: percent.optional(),
    ioPercent: percent.optional(),
  }).optional(),
  containers: group({
    running: count.optional(),
    exited: count.optional(),
    unhealthy: count.optional(),
  }).optional(),
  systemd: group({ failedUnits: count.optional() }).optional(),
  raid: group({ degradedArrays: count.optional() }).optional(),
  battery: group({ percent: percent.optional() }).optional(),
  extra: group({ warnings: count.optional(), criticals: count.optional() }).optional(),
  details: reportDetailsSchema.optional(),
  lists: string(32)
    .optional()
    .describe("Asks for the lists that the monitor has for this machine, unless their revision is this one"),
  faults: list(group({ name: string(128).optional(), reason: string(256).optional() }), 32)
    .optional()
    .describe("Values that the agent could not read and that are missing in this report"),
});
/** A report of version 1 as it was sent, with used values clamped to their totals. */
export type Report = z.infer<typeof reportSchema>;

/** An object that does not say its version: the same fields, and none is required beside what it has. */
export const unversionedSchema = reportSchema.omit({ v: true });
export type ChartedReport = z.infer<typeof unversionedSchema>;

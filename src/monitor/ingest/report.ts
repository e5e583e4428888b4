/**
 * Turns the `payload_json` of a report into a sample to show and a row to chart, or into one line that says what is
 * wrong with it.
 */
import { parseForeignJson } from "../../kit/text/foreign-text.ts";
import { metrics } from "../base/metric-table.ts";
import { type MetricRow, type StoredMetricName, metricIndex } from "../base/metrics.ts";
import { isJsonObject, isOpaqueShown } from "../fleet/opaque-sample.ts";
import { compileCheck, isTame, maxDepth } from "./report-check.ts";
import { type ChartedReport, type Report, reportSchema, unversionedSchema } from "../base/report-schema.ts";

/** Largest payload in bytes of UTF-8. */
export const maxPayloadBytes = 64 * 1024;
/** How far `collected_at` may be ahead of the service's clock. */
const maxAheadMs = 24 * 60 * 60 * 1000;
/** Before it nothing was collected: the time is not set, or in seconds. */
const earliestMs = Date.UTC(2020, 0, 1);

/** The latest sample of a server: a report of version 1, or any other JSON object. */
export type Sample = Report | Readonly<Record<string, unknown>>;

export type ParsedReport =
  | {
      readonly ok: true;
      /** Set when the sample is a report of version 1. */
      readonly report: Report | undefined;
      readonly sample: Sample;
      /** All NaN when the sample has another version, or none and no number that is charted. */
      readonly row: MetricRow;
      /** Dotted names of values that were clamped, each once, without array indexes: "memory.usedBytes". */
      readonly flags: readonly string[];
    }
  | {
      readonly ok: false;
      /** One line in ASCII that repeats nothing of the payload: "cpu.usagePercent must be 0 to 100". */
      readonly reason: string;
    };

export interface ParseReportOptions {
  /** `collected_at_unix_ms` of the message. */
  readonly collectedAt: number;
  /** The service's clock. */
  readonly now: number;
}

const isReport = compileCheck(reportSchema);
const isUnversioned = compileCheck(unversionedSchema);
const noFlags: readonly string[] = [];
const emptyRow: readonly number[] = metrics.map(() => Number.NaN);

const encoder = new TextEncoder();

function isTooLarge(text: string): boolean {
  if (text.length > maxPayloadBytes) return true;
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no encoding to know.
  return text.length * 3 > maxPayloadBytes && encoder.encode(text).length > maxPayloadBytes;
}

function findTimeFault({ collectedAt, now }: ParseReportOptions): string | undefined {
  if (!Number.isSafeInteger(collectedAt) || collectedAt < earliestMs) {
    return "collected_at_unix_ms must be Unix epoch time in milliseconds, from 2020 on";
  }
  if (collectedAt > now + maxAheadMs) return "collected_at_unix_ms is more than 24 h in the future";
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | string {
  if (isTooLarge(text)) return "payload_json is over 64 KiB";
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch {
    return "payload_json is not JSON";
  }
  return isJsonObject(value) ? value : "payload_json must be a JSON object";
}

function toPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path)
    text += typeof part === "number" ? `[${part}]` : `${text === "" ? "" : "."}${String(part)}`;
  return text;
}

function findFault(value: object): string | undefined {
  if (!isTame(value, 1))
    return `payload_json has a key __proto__ or is nested deeper than ${maxDepth} levels`;
  const issue = reportSchema.safeParse(value).error?.issues[0];
  return issue === undefined ? undefined : `${toPath(issue.path)} ${issue.message}`;
}

interface Usage {
  totalBytes?: number | undefined;
  usedBytes?: number | undefined;
}

function clampUsage(usage: Usage | undefined, name: string, flags: Set<string>): void {
  if (usage?.usedBytes === undefined || usage.totalBytes === undefined) return;
  if (usage.usedBytes <= usage.totalBytes) return;
  usage.usedBytes = usage.totalBytes;
  flags.add(`${name}.usedBytes`);
}

function clampGpus(gpus: NonNullable<Report["gpus"]>, flags: Set<string>): void {
  for (const gpu of gpus) {
    if (gpu.memoryUsedBytes === undefined || gpu.memoryTotalBytes === undefined) continue;
    if (gpu.memoryUsedBytes <= gpu.memoryTotalBytes) continue;
    gpu.memoryUsedBytes = gpu.memoryTotalBytes;
    flags.add("gpus.memoryUsedBytes");
  }
}

/** Lowers used values to their totals in place; the report was parsed here and is not shared yet. */
function clamp(report: ChartedReport): readonly string[] {
  const flags = new Set<string>();
  clampUsage(report.memory, "memory", flags);
  clampUsage(report.swap, "swap", flags);
  clampUsage(report.disk, "disk", flags);
  for (const mount of report.disk?.mounts ?? []) clampUsage(mount, "disk.mounts", flags);
  clampGpus(report.gpus ?? [], flags);
  return flags.size === 0 ? noFlags : [...flags];
}

const columns: readonly {
  readonly index: number;
  readonly read: (report: ChartedReport) => number | undefined;
}[] = metrics.map(({ read }, index) => ({ index, read }));

function toRow(report: ChartedReport): MetricRow {
  const row = emptyRow.slice();
  for (const { index, read } of columns) {
    const value = read(report);
    if (value !== undefined) row[index] = value;
  }
  return row;
}

/** Whether the numbers of a sample without a version are those of version 1. */
function isChartable(sample: Sample): sample is ChartedReport {
  return !Object.hasOwn(sample, "v") && isUnversioned(sample);
}

/** One stored metric of a sample that was kept; undefined when it has none, or is of another version. */
export function readSample(sample: Sample, metric: StoredMetricName): number | undefined {
  return isReport(sample) || isChartable(sample) ? columns[metricIndex(metric)]?.read(sample) : undefined;
}

/** A sample that was kept as a report; undefined when it is of another version. */
export function toReport(sample: Sample): ChartedReport | undefined {
  return isReport(sample) || isChartable(sample) ? sample : undefined;
}

const subjects = new Map<string, (report: ChartedReport) => string | undefined>(
  metrics.flatMap((metric) => ("subject" in metric ? [[metric.name, metric.subject]] : [])),
);

const MAX_SUBJECT = 100;

/** Of which part of the machine a metric is, in one line, such as the path of the fullest mount. */
export function readSubject(sample: Sample, metric: string): string | undefined {
  const read = subjects.get(metric);
  const found = read !== undefined && (isReport(sample) || isChartable(sample)) ? read(sample) : undefined;
  const line = found?.replace(/\p{C}/gu, "").slice(0, MAX_SUBJECT);
  return line === "" ? undefined : line;
}

/** Reads an object that does not say that it is of version 1. */
function parseOther(value: Record<string, unknown>): ParsedReport {
  const isCharted = isChartable(value);
  const flags = isCharted ? clamp(value) : noFlags;
  const row = isCharted ? toRow(value) : emptyRow;
  if (row.every(Number.isNaN) && !isOpaqueShown(value)) {
    return { ok: false, reason: "payload_json has no numeric values to show; send version 1 (v: 1)" };
  }
  return { ok: true, report: undefined, sample: value, row, flags };
}

/** Reads one report. Costs at most what JSON.parse of 64 KiB and one walk over its result cost. */
export function parseReport(payloadJson: string, options: ParseReportOptions): ParsedReport {
  const timeFault = findTimeFault(options);
  if (timeFault !== undefined) return { ok: false, reason: timeFault };
  const value = parseObject(payloadJson);
  if (typeof value === "string") return { ok: false, reason: value };
  if (isReport(value)) {
    const flags = clamp(value);
    const row = toRow(value);
    if (value.cpu === undefined && value.faults === undefined && row.every(Number.isNaN))
      return { ok: false, reason: "payload_json has no numeric values to show" };
    return { ok: true, report: value, sample: value, row, flags };
  }
  if (value["v"] !== 1 && isTame(value, 1)) return parseOther(value);
  // The fast check refuses exactly what these two refuse; they know why.
  return { ok: false, reason: findFault(value) ?? "payload_json is not a report of version 1" };
}

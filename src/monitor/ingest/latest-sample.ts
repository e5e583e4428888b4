/** A report kept as the latest of its server. */
import type { LatestSample } from "../fleet/live.ts";
import { type MetricRow, type StoredMetricName, metricIndex } from "../base/metrics.ts";
import { type ParsedReport, readSample } from "./report.ts";
import { isJsonObject } from "../fleet/opaque-sample.ts";

type Sample = LatestSample["sample"];

const MAX_INTERVAL_MS = 86_400_000;

/** The sample's interval, if plausible. */
export function readIntervalMs(sample: Sample): number | undefined {
  const value = sample["intervalMs"];
  return typeof value === "number" && value > 0 && value <= MAX_INTERVAL_MS ? value : undefined;
}

class ReceivedSample implements LatestSample {
  readonly collectedAt: number;
  readonly receivedAt: number;
  readonly intervalMs: number | undefined;
  readonly flags: readonly string[];
  readonly row: MetricRow;
  readonly details: string | undefined;
  readonly #text: string;
  /** Only kept when values were clamped, so that the sample differs from its text. */
  readonly #clamped: Sample | undefined;

  constructor(report: AcceptedReport, source: ReportSource) {
    this.collectedAt = source.collectedAt;
    this.receivedAt = source.receivedAt;
    this.intervalMs = readIntervalMs(report.sample);
    this.flags = report.flags;
    this.row = report.row;
    const details = report.report?.details;
    this.details = details && JSON.stringify(details);
    this.#text = source.payloadJson;
    this.#clamped = report.flags.length > 0 ? report.sample : undefined;
  }

  // Not kept after a look: objects that live for one interval outlive the young generation and pile up
  // until the next full collection.
  get sample(): Sample {
    if (this.#clamped !== undefined) return this.#clamped;
    const sample: unknown = JSON.parse(this.#text);
    // It was an object when it was accepted.
    return isJsonObject(sample) ? sample : {};
  }
}

type AcceptedReport = Extract<ParsedReport, { ok: true }>;

/** The source of a parsed report, and its time. */
export interface ReportSource {
  readonly payloadJson: string;
  readonly collectedAt: number;
  readonly receivedAt: number;
}

/** Keeps an accepted report. */
export function toLatestSample(report: AcceptedReport, source: ReportSource): LatestSample {
  return new ReceivedSample(report, source);
}

/** One number of the latest sample; undefined when it has none. */
export function readLatest(latest: LatestSample, metric: StoredMetricName): number | undefined {
  if (latest.row === undefined) return readSample(latest.sample, metric);
  const value = latest.row[metricIndex(metric)] ?? Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** A metric: a number in reports that can be charted and alerted on. */
import type { ChartedReport } from "./report-schema.ts";

export type MetricUnit = "percent" | "load" | "bytes" | "bytesPerSecond" | "count" | "celsius" | "seconds";

/** `fraction` is kept as float32, `whole` exactly up to 2^53 − 1. */
export type MetricKind = "fraction" | "whole";

export interface Metric {
  /** As the number is found in a report. */
  readonly name: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
  /** The number of a report; undefined when it has none. */
  readonly read: (report: ChartedReport) => number | undefined;
  /** Of which part of the machine the number is, such as the path of a mount; shown in notifications. */
  readonly subject?: (report: ChartedReport) => string | undefined;
  /** Whether administrators alone see it, as they alone see the group of a report that it is of. */
  readonly isPrivate?: true;
  /** Whether all viewers see it in lists. */
  readonly isListed?: true;
  /** Computed over a list: reports do not contain it. */
  readonly isReckoned?: true;
  /** Of checks, not of servers: no report has it, and no chart or rule of servers offers it. */
  readonly isOfChecks?: true;
  /** Its name for Prometheus. */
  readonly exported?: {
    readonly name: string;
    readonly help: string;
    readonly type: "gauge" | "counter";
    readonly scale?: number;
  };
}

/** The targets of a rule, and the values that it reads of servers, without side effects. */
import { readLatest } from "../ingest/latest-sample.ts";
import { readSubject, toReport } from "../ingest/report.ts";
import { type LatestSample, type LiveServer, toWholeSample } from "../fleet/live.ts";
import { metrics } from "../base/metric-table.ts";
import { type MetricName, metricSource, readMetric, toPercent } from "../base/metrics.ts";
import { readParts } from "../base/part-metrics.ts";
import type { ChartedReport } from "../base/report-schema.ts";
import type { ServerRecord } from "../base/schema.ts";
import type { ServerView } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { type Watched, isPaused } from "./kinds/watched.ts";
import type { AlertRuleFields, Scope } from "./schema.ts";

/** By what scopes tell servers, and checks, apart. */
export type Scoped = Pick<ServerRecord, "id" | "group" | "tags">;

/** Whether a scope holds this server or check. */
export function isInScope(scope: Scope, record: Scoped): boolean {
  switch (scope.type) {
    case "all":
      return true;
    case "group":
      return record.group === scope.group;
    case "tag":
      return record.tags.includes(scope.tag);
    case "ids":
      return scope.ids.includes(record.id);
  }
}

/** Whether a rule watches it at all. */
export function isWatched(rule: AlertRuleFields, watched: Watched): boolean {
  return (
    rule.enabled &&
    kindOf(rule).watches === watched.type &&
    !isPaused(watched) &&
    isInScope(rule.scope, watched.record)
  );
}

function readStored(latest: LatestSample, index: number): number {
  const metric = metrics[index];
  return (metric === undefined ? undefined : readLatest(latest, metric.name)) ?? Number.NaN;
}

/** Of which part of the server a number is, such as the path of the fullest mount. */
export function readPart(live: Pick<LiveServer, "latest" | "details">, name: MetricName): string | undefined {
  return readSubject(toWholeSample(live), name);
}

/** Reads the parts of a server, whose sample is parsed once for all rules. */
export function createPartReader(): ServerView["readParts"] {
  let known:
    | { readonly latest: LatestSample | undefined; readonly report: ChartedReport | undefined }
    | undefined;
  return (live, kind) => {
    if (known?.latest !== live.latest) known = { latest: live.latest, report: toReport(toWholeSample(live)) };
    return known?.report && readParts(known.report, kind);
  };
}

/** One number of a latest sample; NaN when it has none. */
export function readValue(latest: LatestSample, name: MetricName): number {
  if (latest.row !== undefined) return readMetric(latest.row, name);
  // After a restart the row of the last sample is not computed yet.
  const source = metricSource(name);
  if (source.type === "stored") return readStored(latest, source.index);
  return toPercent(readStored(latest, source.part), readStored(latest, source.whole));
}

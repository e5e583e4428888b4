/** Evaluates a rule for a server, without side effects. */
import { readLatest } from "../ingest/latest-sample.ts";
import type { LatestSample, LiveServer } from "../fleet/live.ts";
import { type MetricName, metrics, metricSource, readMetric, toPercent } from "../metrics.ts";
import type { ServerRecord } from "../schema.ts";
import type { Breach } from "./alert-machine.ts";
import type { AlertRuleFields, Condition, Scope } from "./schema.ts";

/** What alerts need from the monitor besides the live state. */
export interface AlertFacts {
  /** The traffic of the present cycle; `cycleFrom` in epoch milliseconds. */
  traffic(record: ServerRecord): {
    readonly limitBytes: number;
    readonly percent?: number;
    readonly cycleFrom: number;
  };
  /** When the paid time ends, epoch milliseconds; undefined when nothing says so, or when it renews itself. */
  expiresAt(record: ServerRecord): number | undefined;
}

/** What a rule found. */
export interface Finding {
  readonly breached: Breach;
  /** A metric's value, percent of the traffic, or the end of the paid time in epoch milliseconds. */
  readonly value?: number;
  /** What is announced only once, such as a traffic cycle. */
  readonly occasion?: string;
}

/** A server as rules see it. */
export interface ServerView {
  readonly record: ServerRecord;
  readonly live: LiveServer;
  readonly facts: AlertFacts;
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * The last sign of life from before the start. A server is back only after a newer one, because a restart itself
   * counts servers as online for a while.
   */
  readonly staleSeenAt?: number | undefined;
}

/** Nothing can be said. */
export const UNKNOWN: Finding = { breached: "unknown" };
const DAY_MS = 86_400_000;

function compares(value: number, { op, threshold }: Extract<Condition, { kind: "metric" }>): boolean {
  switch (op) {
    case ">":
      return value > threshold;
    case ">=":
      return value >= threshold;
    case "<":
      return value < threshold;
    case "<=":
      return value <= threshold;
  }
}

/** Whether a rule with this scope watches the server. */
export function isInScope(scope: Scope, record: ServerRecord): boolean {
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

/** Whether a rule watches the server at all. */
export function isWatched(rule: AlertRuleFields, record: ServerRecord): boolean {
  return rule.enabled && !record.disabled && isInScope(rule.scope, record);
}

/** How long a breach must last before it fires, milliseconds. */
export function waitMsOf(condition: Condition): number {
  if (condition.kind === "offline") return condition.graceSeconds * 1_000;
  return condition.kind === "metric" ? condition.forSeconds * 1_000 : 0;
}

function readStored(latest: LatestSample, index: number): number {
  const metric = metrics[index];
  return (metric === undefined ? undefined : readLatest(latest, metric.name)) ?? Number.NaN;
}

/** One number of the latest sample; NaN when it has none. */
function readValue(latest: LatestSample, name: MetricName): number {
  if (latest.row !== undefined) return readMetric(latest.row, name);
  // After a restart the row of the last sample is not computed yet.
  const source = metricSource(name);
  if (source.type === "stored") return readStored(latest, source.index);
  return toPercent(readStored(latest, source.part), readStored(latest, source.whole));
}

function findOffline({ live, staleSeenAt }: ServerView): Finding {
  if (live.state === "offline") return { breached: true };
  if (live.state === "never") return UNKNOWN;
  return staleSeenAt !== undefined && live.lastSeenAt === staleSeenAt ? UNKNOWN : { breached: false };
}

function findMetric(condition: Extract<Condition, { kind: "metric" }>, { live }: ServerView): Finding {
  if (live.state !== "online" || live.latest === undefined) return UNKNOWN;
  const value = readValue(live.latest, condition.metric);
  if (Number.isNaN(value)) return UNKNOWN;
  return { breached: compares(value, condition), value };
}

function findExpiry(daysAhead: number, { record, facts, now }: ServerView): Finding {
  const value = facts.expiresAt(record);
  if (value === undefined) return { breached: false };
  return { breached: value - now <= daysAhead * DAY_MS, value, occasion: String(value) };
}

function findTraffic(percentOfLimit: number, { record, facts }: ServerView): Finding {
  const { percent, limitBytes, cycleFrom } = facts.traffic(record);
  if (percent === undefined) return { breached: false };
  return { breached: percent >= percentOfLimit, value: percent, occasion: `${cycleFrom}/${limitBytes}` };
}

/** Evaluates a condition. */
export function evaluate(condition: Condition, view: ServerView): Finding {
  switch (condition.kind) {
    case "offline":
      return findOffline(view);
    case "metric":
      return findMetric(condition, view);
    case "expiry":
      return findExpiry(condition.daysAhead, view);
    case "traffic":
      return findTraffic(condition.percentOfLimit, view);
  }
}

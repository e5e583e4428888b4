/** What tests of the history share: a history over rollups in memory, and rows. */
import { silentLog } from "../../../src/kit/observe/log.ts";
import { type History, type HistoryOptions, createHistory } from "../../../src/monitor/history/history.ts";
import { metrics } from "../../../src/monitor/base/metric-table.ts";
import type { MetricRow, StoredMetricName } from "../../../src/monitor/base/metrics.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestRollups } from "../fixtures.ts";

/** A history of servers that were all made at 0. */
export function createTestHistory(options: Partial<HistoryOptions> = {}): History {
  const clock = options.clock ?? createFixedClock();
  return createHistory({
    clock,
    log: silentLog,
    rollups: createTestRollups(clock),
    retention: retentionSchema.parse({}),
    createdAt: () => 0,
    ...options,
  });
}

export function makeRow(values: Partial<Record<StoredMetricName, number>>): MetricRow {
  const row = metrics.map(() => Number.NaN);
  for (const [name, value] of Object.entries(values))
    row[metrics.findIndex((metric) => metric.name === name)] = value;
  return row;
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { metrics } from "../../src/monitor/metric-table.ts";
import { type MetricRow, metricKinds, metricNames, readMetric } from "../../src/monitor/metrics.ts";
import { parseReport, readSample } from "../../src/monitor/ingest/report.ts";
import { example } from "./ingest/report-fixture.ts";

const NOW = Date.UTC(2026, 0, 31, 12);

function rowOf(payload: Record<string, unknown>): MetricRow {
  const parsed = parseReport(JSON.stringify(payload), { collectedAt: NOW, now: NOW });
  assert.ok(parsed.ok);
  return parsed.row;
}

describe("metrics", () => {
  it("keep their numbers for ever, as the sample log on disk knows them by number", () => {
    const first = [
      "cpu.usagePercent cpu.iowaitPercent cpu.stealPercent load.one load.five load.fifteen",
      "memory.totalBytes memory.usedBytes memory.cacheBytes swap.totalBytes swap.usedBytes",
      "disk.totalBytes disk.usedBytes disk.readBytesPerSecond disk.writeBytesPerSecond",
      "network.rxBytesPerSecond network.txBytesPerSecond network.rxTotalBytes network.txTotalBytes",
      "connections.tcp connections.udp processes temperatures.maxCelsius gpus.maxUsagePercent",
    ].flatMap((line) => line.split(" "));
    assert.deepEqual(
      metrics.slice(0, first.length).map(({ name }) => name),
      first,
    );
    const kinds = metricKinds.slice(0, first.length).map((kind) => kind[0]);
    assert.equal(kinds.join(""), "ffffffwwwwwwwwwwwwwwwwff");
    assert.equal(new Set(metricNames).size, metricNames.length);
  });

  it("are read from rows, derived ones included", () => {
    const row = rowOf(example());
    assert.equal(readMetric(row, "cpu.usagePercent"), 12.3);
    assert.equal(readMetric(row, "memory.usedPercent").toFixed(3), "40.086");
    assert.ok(Number.isNaN(readMetric(rowOf({ processes: 1 }), "disk.usedPercent")));
    const withoutSwap = rowOf({ ...example(), swap: { totalBytes: 0, usedBytes: 0 } });
    assert.ok(Number.isNaN(readMetric(withoutSwap, "swap.usedPercent")));
  });

  it("are read from samples of version 1 only", () => {
    assert.equal(readSample(example(), "processes"), 145);
    assert.equal(readSample({ v: 2, processes: 3 }, "processes"), undefined);
  });
});

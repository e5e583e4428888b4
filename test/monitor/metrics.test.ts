import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { metrics } from "../../src/monitor/base/metric-table.ts";
import { type MetricRow, metricKinds, metricNames, readMetric } from "../../src/monitor/base/metrics.ts";
import { parseReport, readSample, readSubject } from "../../src/monitor/ingest/report.ts";
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
      "disk.fullestPercent uptimeSeconds",
      "pressure.cpuPercent pressure.memoryPercent pressure.ioPercent",
      "containers.running containers.exited containers.unhealthy systemd.failedUnits raid.degradedArrays",
      "battery.percent extra.warnings extra.criticals",
    ].flatMap((line) => line.split(" "));
    assert.deepEqual(
      metrics.slice(0, first.length).map(({ name }) => name),
      first,
    );
    const kinds = metricKinds.slice(0, first.length).map((kind) => kind[0]);
    assert.equal(kinds.join(""), "ffffffwwwwwwwwwwwwwwwwfffwfffwwwwwfww");
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

  it("know the fullest of several mounts, or else all disks together", () => {
    const mounts = [
      { path: "/data", totalBytes: 1_000, usedBytes: 10 },
      { path: "/boot\n/efi", totalBytes: 50, usedBytes: 48 },
      { path: "/empty", totalBytes: 0, usedBytes: 0 },
    ];
    const several = { ...example(), disk: { totalBytes: 1_050, usedBytes: 58, mounts } };
    assert.equal(readMetric(rowOf(several), "disk.fullestPercent"), 96);
    assert.equal(readSubject(several, "disk.fullestPercent"), "/boot/efi");
    const single = { ...example(), disk: { totalBytes: 100, usedBytes: 30 } };
    assert.equal(readMetric(rowOf(single), "disk.fullestPercent"), 30);
    assert.equal(readSubject(single, "disk.fullestPercent"), undefined);
    assert.ok(Number.isNaN(readMetric(rowOf({ processes: 1 }), "disk.fullestPercent")));
    assert.equal(readSubject(example(), "temperatures.maxCelsius"), "gpu");
    assert.equal(readSubject(example(), "cpu.usagePercent"), undefined);
  });

  it("name the containers, units and extra values that they count", () => {
    assert.equal(readSubject(example(), "containers.unhealthy"), "queue");
    assert.equal(readSubject(example(), "containers.exited"), "backup");
    assert.equal(readSubject(example(), "systemd.failedUnits"), "certbot.service, backup.timer");
    assert.equal(readSubject(example(), "extra.criticals"), "sdb");
    assert.equal(readSubject(example(), "extra.warnings"), undefined);
  });

  it("are read from samples of version 1 only", () => {
    assert.equal(readSample(example(), "processes"), 145);
    assert.equal(readSample({ v: 2, processes: 3 }, "processes"), undefined);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { metrics } from "../../../src/monitor/base/metric-table.ts";
import { metricIndex, type StoredMetricName } from "../../../src/monitor/base/metrics.ts";
import { type ParsedReport, parseReport } from "../../../src/monitor/ingest/report.ts";
import { example, spoiltExample } from "./report-fixture.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

function parse(payload: unknown, times: { collectedAt?: number; now?: number } = {}): ParsedReport {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return parseReport(text, { collectedAt: times.collectedAt ?? NOW, now: times.now ?? NOW });
}

function accept(payload: unknown): Extract<ParsedReport, { ok: true }> {
  const parsed = parse(payload);
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.reason);
  return parsed;
}

function reasonOf(payload: unknown, times?: { collectedAt?: number; now?: number }): string {
  const parsed = parse(payload, times);
  assert.ok(!parsed.ok, "was accepted");
  return parsed.reason;
}

function withCpu(cpu: Record<string, unknown>): Record<string, unknown> {
  return { v: 1, cpu };
}

describe("parseReport", () => {
  it("takes the documented example and charts its numbers", () => {
    const { report, row, flags } = accept(example());
    assert.deepEqual(report, example());
    assert.deepEqual(flags, []);
    const expected: Partial<Record<StoredMetricName, number>> = {
      "cpu.usagePercent": 12.3,
      "load.fifteen": 0.09,
      "memory.usedBytes": 3345231360,
      "disk.writeBytesPerSecond": 4096,
      "network.txTotalBytes": 987654321,
      "connections.udp": 12,
      processes: 145,
      "temperatures.maxCelsius": 61.5,
      "gpus.maxUsagePercent": 3,
    };
    for (const [name, value] of Object.entries(expected))
      assert.equal(row[metrics.findIndex((metric) => metric.name === name)], value, name);
    assert.equal(row.length, metrics.length);
    const missing = metrics.filter((_, index) => Number.isNaN(row[index]));
    assert.deepEqual(
      missing.map(({ name }) => name),
      ["check.latencyMs", "check.upPercent"],
    );
  });

  it("takes a report without the CPU, and one of faults alone", () => {
    const memory = { totalBytes: 10, usedBytes: 4 };
    assert.equal(accept({ v: 1, memory }).row[metricIndex("memory.usedBytes")], 4);
    const faults = [{ name: "CPU usage", reason: "EACCES" }];
    assert.deepEqual(accept({ v: 1, faults }).report?.faults, faults);
  });

  it("takes a report of v and cpu.usagePercent alone", () => {
    const { row } = accept('{"v":1,"cpu":{"usagePercent":0}}');
    assert.equal(row[metricIndex("cpu.usagePercent")], 0);
    assert.equal(row.filter((value) => !Number.isNaN(value)).length, 1);
  });

  it("keeps unknown keys in the sample", () => {
    const payload = {
      ...example(),
      fans: [{ rpm: 900 }],
      cpu: { usagePercent: 1, governor: "powersave", constructor: 1 },
    };
    assert.deepEqual(accept(payload).sample, payload);
  });

  it("takes a JSON object of another version as opaque, without a row", () => {
    for (const payload of [
      { v: 2, cpu: { usagePercent: 5 } },
      { v: "1", up: true },
      { hello: { world: 1 } },
    ]) {
      const { report, sample, row } = accept(payload);
      assert.equal(report, undefined);
      assert.deepEqual(sample, payload);
      assert.ok(row.every(Number.isNaN));
    }
  });

  it("charts what it knows of an object without a version", () => {
    const payload = { memory: { totalBytes: 10, usedBytes: 11 }, processes: 3, custom: { queue: 7 } };
    const { report, row, flags, sample } = accept(payload);
    assert.equal(report, undefined);
    assert.deepEqual(flags, ["memory.usedBytes"]);
    assert.deepEqual(sample, { ...payload, memory: { totalBytes: 10, usedBytes: 10 } });
    assert.deepEqual(
      row.filter((value) => !Number.isNaN(value)),
      [10, 10, 3],
    );
    assert.equal(accept({ gpus: [{ usagePercent: 4 }] }).row[metricIndex("gpus.maxUsagePercent")], 4);
    assert.ok(accept({ cpu: { usagePercent: 900 } }).row.every(Number.isNaN));
  });

  it("refuses an object of which nothing would be shown", () => {
    const bad = [
      {},
      { v: 2, cpu: "?" },
      { v: "1" },
      { hello: { world: [1] } },
      { "buy pills": 1 },
      { a: null },
    ];
    for (const payload of bad)
      assert.equal(reasonOf(payload), "payload_json has no numeric values to show; send version 1 (v: 1)");
  });

  it("clamps used values to their totals and flags each once", () => {
    const parsed = accept({
      ...withCpu({ usagePercent: 1 }),
      memory: { totalBytes: 10, usedBytes: 11 },
      swap: { usedBytes: 5 },
      disk: {
        totalBytes: 7,
        usedBytes: 7,
        mounts: [
          { totalBytes: 1, usedBytes: 2 },
          { totalBytes: 1, usedBytes: 3 },
        ],
      },
      gpus: [{ memoryTotalBytes: 1, memoryUsedBytes: 4 }],
    });
    assert.deepEqual(parsed.flags, ["memory.usedBytes", "disk.mounts.usedBytes", "gpus.memoryUsedBytes"]);
    assert.equal(parsed.row[metricIndex("memory.usedBytes")], 10);
    assert.deepEqual(parsed.report?.disk?.mounts, [
      { totalBytes: 1, usedBytes: 1 },
      { totalBytes: 1, usedBytes: 1 },
    ]);
    assert.equal(parsed.report?.swap?.usedBytes, 5);
  });

  const refused: readonly (readonly [string, unknown, string])[] = [
    ["text", "hello", "payload_json is not JSON"],
    ["nothing", "", "payload_json is not JSON"],
    ["an array", [], "payload_json must be a JSON object"],
    ["null", "null", "payload_json must be a JSON object"],
    ["nothing beside its version", { v: 1 }, "payload_json has no numeric values to show"],
    ["a text for a cpu", { v: 1, cpu: "busy" }, "cpu must be an object"],
    ["a text for faults", { v: 1, faults: "all" }, "faults must be an array of at most 32 items"],
    ["no usage", withCpu({}), "cpu.usagePercent must be 0 to 100"],
    ["a percentage over 100", withCpu({ usagePercent: 100.1 }), "cpu.usagePercent must be 0 to 100"],
    ["a percentage as text", withCpu({ usagePercent: "5" }), "cpu.usagePercent must be 0 to 100"],
    ["a number without end", '{"v":1,"cpu":{"usagePercent":1e400}}', "cpu.usagePercent must be 0 to 100"],
    [
      "null for a number",
      withCpu({ usagePercent: 1, stealPercent: null }),
      "cpu.stealPercent must be 0 to 100",
    ],
    [
      "a bad core",
      withCpu({ usagePercent: 1, perCorePercent: [1, -1] }),
      "cpu.perCorePercent[1] must be 0 to 100",
    ],
    [
      "1,025 cores",
      withCpu({ usagePercent: 1, perCorePercent: Array(1025).fill(0) }),
      "cpu.perCorePercent must be an array of at most 1024 items",
    ],
    [
      "fractional bytes",
      { ...example(), memory: { usedBytes: 1.5 } },
      "memory.usedBytes must be a whole number from 0 to 2^53-1",
    ],
    [
      "bytes over 2^53",
      { ...example(), memory: { usedBytes: 2 ** 53 } },
      "memory.usedBytes must be a whole number from 0 to 2^53-1",
    ],
    ["an object for an array", { ...example(), gpus: {} }, "gpus must be an array of at most 16 items"],
    [
      "a long name",
      { ...example(), temperatures: [{ name: "x".repeat(257) }] },
      "temperatures[0].name must be a string of at most 256 characters",
    ],
    [
      "65 mounts",
      { ...example(), disk: { mounts: Array(65).fill({}) } },
      "disk.mounts must be an array of at most 64 items",
    ],
  ];
  for (const [what, payload, reason] of refused) {
    it(`refuses ${what} and says where`, () => assert.equal(reasonOf(payload), reason));
  }

  it("counts 64 KiB in bytes of UTF-8", () => {
    const pad = (text: string, count: number): string =>
      `{"v":1,"cpu":{"usagePercent":1},"x":"${text.repeat(count)}"}`;
    const empty = pad("", 0).length;
    accept(pad("a", 65_536 - empty));
    assert.equal(reasonOf(pad("a", 65_537 - empty)), "payload_json is over 64 KiB");
    accept(pad("€", Math.floor((65_536 - empty) / 3)));
    assert.equal(reasonOf(pad("€", Math.floor((65_536 - empty) / 3) + 1)), "payload_json is over 64 KiB");
  });

  it("takes times up to 24 h ahead and of the past from 2020 on, in milliseconds", () => {
    const good = withCpu({ usagePercent: 1 });
    for (const collectedAt of [Date.UTC(2020, 0, 1), NOW - 365 * DAY_MS, NOW + DAY_MS])
      assert.ok(parse(good, { collectedAt }).ok);
    assert.match(
      reasonOf(good, { collectedAt: NOW + DAY_MS + 1 }),
      /^collected_at_unix_ms is more than 24 h in the future$/u,
    );
    for (const collectedAt of [
      -1,
      0,
      NOW / 1_000,
      Date.UTC(2020, 0, 1) - 1,
      NOW + 0.5,
      Number.NaN,
      2 ** 53,
    ]) {
      assert.equal(
        reasonOf(good, { collectedAt }),
        "collected_at_unix_ms must be Unix epoch time in milliseconds, from 2020 on",
      );
    }
  });

  it("refuses nesting deeper than 64 levels wherever it is, without a stall", () => {
    const nest = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const deep = /nested deeper than 64 levels/u;
    for (const levels of [65, 32_000]) {
      assert.match(reasonOf(`{"v":1,"cpu":{"usagePercent":1},"x":${nest(levels)}}`), deep);
      assert.match(reasonOf(`{"v":1,"cpu":{"usagePercent":1,"x":${nest(levels)}}}`), deep);
      assert.match(reasonOf(`{"v":2,"x":${nest(levels)}}`), deep);
      assert.match(reasonOf(`{"v":1,"gpus":${nest(levels)}}`), deep);
    }
    accept(`{"v":1,"cpu":{"usagePercent":1},"x":${nest(63)}}`);
    assert.equal(reasonOf(`{"v":1,"x":${nest(200_000)}}`), "payload_json is over 64 KiB");
  });

  it("refuses __proto__ keys, and no prototype changes", () => {
    const texts = [
      '{"v":1,"cpu":{"usagePercent":1},"__proto__":{"polluted":1}}',
      '{"v":1,"cpu":{"usagePercent":1,"\\u005f_proto__":{"polluted":1}}}',
      '{"v":1,"cpu":{"usagePercent":1},"gpus":[{"__proto__":null}]}',
      '{"v":1,"cpu":{"usagePercent":1},"x":[{"__proto__":1}]}',
      '{"v":3,"__proto__":{"v":1}}',
    ];
    for (const text of texts) assert.match(reasonOf(text), /__proto__/u);
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    assert.equal(Object.hasOwn({}, "polluted"), false);
  });

  it("takes the last of duplicate keys, as JSON.parse does", () => {
    const { row } = accept('{"v":1,"cpu":{"usagePercent":101},"cpu":{"usagePercent":5}}');
    assert.equal(row[0], 5);
  });

  it("gives reasons that are one line of ASCII and repeat nothing of the payload", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), spoiltExample()), (payload) => {
        const parsed = parse(payload);
        if (!parsed.ok) assert.match(parsed.reason, /^[\x20-\x7e]{1,120}$/u);
      }),
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  metricIndex,
  metricKinds,
  metricNames,
  metrics,
  readMetric,
} from "../../src/monitor/metric-names.ts";
import type { StoredMetricName } from "../../src/monitor/metric-names.ts";
import type { ParsedReport } from "../../src/monitor/report.ts";
import { parseReport, readSample } from "../../src/monitor/report.ts";
import { compileCheck, isTame } from "../../src/monitor/report-check.ts";
import { reportSchema } from "../../src/monitor/report-schema.ts";
import { z } from "zod";

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

/** A fresh copy of the documented example, loosely typed so that tests can spoil it. */
function example(): Record<string, unknown> {
  return {
    v: 1,
    intervalMs: 3000,
    uptimeSeconds: 86400,
    host: {
      os: "linux",
      platform: "debian",
      kernel: "6.1.0",
      cpuModel: "AMD EPYC 7B13",
      cpuCores: 4,
      bootTimeUnixMs: 1754000000000,
    },
    cpu: { usagePercent: 12.3, perCorePercent: [9, 14], iowaitPercent: 0.4, stealPercent: 0 },
    load: { one: 0.12, five: 0.1, fifteen: 0.09 },
    memory: { totalBytes: 8345231360, usedBytes: 3345231360, cacheBytes: 1200000000 },
    swap: { totalBytes: 2147483648, usedBytes: 0 },
    disk: {
      totalBytes: 84345231360,
      usedBytes: 34345231360,
      readBytesPerSecond: 0,
      writeBytesPerSecond: 4096,
      mounts: [{ path: "/", totalBytes: 1, usedBytes: 1 }],
    },
    network: {
      rxBytesPerSecond: 12345,
      txBytesPerSecond: 2345,
      rxTotalBytes: 1234567890,
      txTotalBytes: 987654321,
      interfaces: [{ name: "eth0", rxTotalBytes: 1, txTotalBytes: 1 }],
    },
    connections: { tcp: 123, udp: 12 },
    processes: 145,
    gpus: [{ name: "T4", usagePercent: 3, memoryTotalBytes: 1, memoryUsedBytes: 1, celsius: 41 }],
    temperatures: [{ name: "cpu", celsius: 45 }, { name: "gpu", celsius: 61.5 }, { name: "unknown" }],
  };
}

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
    assert.ok(row.every((value) => !Number.isNaN(value)));
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
    for (const payload of [{}, { v: 2, cpu: "?" }, { v: "1" }, { hello: { world: [1] } }]) {
      const { report, sample, row } = accept(payload);
      assert.equal(report, undefined);
      assert.deepEqual(sample, payload);
      assert.ok(row.every(Number.isNaN));
    }
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
    ["no cpu", { v: 1 }, "cpu must be an object"],
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

  it("takes times up to 24 h ahead and any of the past", () => {
    const good = withCpu({ usagePercent: 1 });
    for (const collectedAt of [0, NOW - 365 * DAY_MS, NOW + DAY_MS])
      assert.ok(parse(good, { collectedAt }).ok);
    assert.match(
      reasonOf(good, { collectedAt: NOW + DAY_MS + 1 }),
      /^collected_at_unix_ms is more than 24 h in the future$/u,
    );
    for (const collectedAt of [-1, 0.5, Number.NaN, 2 ** 53]) {
      assert.match(reasonOf(good, { collectedAt }), /^collected_at_unix_ms must be a whole number/u);
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

  it("accepts and refuses exactly what the schema does", () => {
    const isReport = compileCheck(reportSchema);
    let accepted = 0;
    fc.assert(
      fc.property(spoiltExample(), (payload) => {
        const value: unknown = JSON.parse(JSON.stringify(payload));
        const expected = reportSchema.safeParse(value).success && isTame(value, 1);
        assert.equal(isReport(value), expected);
        if (expected) accepted += 1;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(accepted > 100 && accepted < 1_900, `${accepted} of 2,000 were accepted`);
  });
});

/** The example with some values replaced by others, at any depth. */
function spoiltExample(): fc.Arbitrary<Record<string, unknown>> {
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -0,
      1,
      -1,
      0.5,
      99.9,
      100,
      101,
      65_535,
      65_536,
      1e6,
      1e10,
      2 ** 53 - 1,
      2 ** 53,
      -274,
    ),
    fc.constantFrom<unknown>(
      "",
      "x".repeat(128),
      "x".repeat(129),
      "😀".repeat(64),
      "😀".repeat(65),
      [],
      [1],
      [[]],
      {},
      { celsius: 1 },
      Array(17).fill({}),
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const edit = fc.record({
    path: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    value: values,
    kind: fc.constantFrom("set", "add", "remove"),
  });
  return fc.array(edit, { maxLength: 3 }).map((edits) => {
    const payload = example();
    for (const { path, value, kind } of edits) {
      let target: unknown = payload;
      for (const [depth, step] of path.entries()) {
        if (typeof target !== "object" || target === null) break;
        const keys = Object.keys(target);
        const key = kind === "add" ? "added" : keys[step % Math.max(keys.length, 1)];
        if (key === undefined) break;
        const child: unknown = Reflect.get(target, key);
        if (depth === path.length - 1 || typeof child !== "object" || child === null) {
          if (kind === "remove") Reflect.deleteProperty(target, key);
          else Reflect.set(target, key, value);
          break;
        }
        target = child;
      }
    }
    return payload;
  });
}

describe("compileCheck", () => {
  it("refuses a schema with rules that it does not know", () => {
    assert.throws(() => compileCheck(z.looseObject({ a: z.string().min(1) })));
    assert.throws(() => compileCheck(z.looseObject({ a: z.union([z.string(), z.number()]) })));
    assert.throws(() => compileCheck(z.strictObject({ a: z.string() })));
  });
});

describe("metrics", () => {
  it("keep their numbers for ever, as the sample log on disk knows them by number", () => {
    const first =
      "cpu.usagePercent cpu.iowaitPercent cpu.stealPercent load.one load.five load.fifteen memory.totalBytes memory.usedBytes memory.cacheBytes swap.totalBytes swap.usedBytes disk.totalBytes disk.usedBytes disk.readBytesPerSecond disk.writeBytesPerSecond network.rxBytesPerSecond network.txBytesPerSecond network.rxTotalBytes network.txTotalBytes connections.tcp connections.udp processes temperatures.maxCelsius gpus.maxUsagePercent";
    assert.equal(
      metrics
        .map(({ name }) => name)
        .slice(0, 24)
        .join(" "),
      first,
    );
    assert.equal(
      metricKinds
        .slice(0, 24)
        .map((kind) => kind[0])
        .join(""),
      "ffffffwwwwwwwwwwwwwwwwff",
    );
    assert.equal(new Set(metricNames).size, metricNames.length);
  });

  it("are read from rows, derived ones included", () => {
    const { row, sample } = accept(example());
    assert.equal(readMetric(row, "cpu.usagePercent"), 12.3);
    assert.equal(readMetric(row, "memory.usedPercent").toFixed(3), "40.086");
    assert.ok(Number.isNaN(readMetric(accept({}).row, "disk.usedPercent")));
    assert.ok(
      Number.isNaN(
        readMetric(accept({ ...example(), swap: { totalBytes: 0, usedBytes: 0 } }).row, "swap.usedPercent"),
      ),
    );
    assert.equal(readSample(sample, "processes"), 145);
    assert.equal(readSample({ processes: 3 }, "processes"), undefined);
  });
});

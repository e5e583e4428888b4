import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CpuStat, parseCpuStat, toCpuUsage } from "../../../src/agent/metrics/cpu.ts";

function read(text: string): CpuStat {
  const stat = parseCpuStat(text);
  assert.ok(stat !== undefined);
  return stat;
}

describe("parseCpuStat", () => {
  it("reads a present kernel's lines and the time of boot", () => {
    const stat = read(
      "cpu  3535 10 1263 160629 148 0 57 2 40 1\ncpu0 1336 5 532 80909 5 0 29 1 0 0\n" +
        "cpu1 2199 5 731 79719 143 0 28 1 0 0\nintr 204540 0 0\nctxt 414315\nbtime 1754000000\nprocesses 90\n",
    );
    // Guest time is in user and nice already.
    assert.deepEqual(stat.all, { busy: 3535 + 10 + 1263 + 57 + 2, idle: 160629, iowait: 148, steal: 2 });
    assert.deepEqual([...stat.cores.keys()], ["cpu0", "cpu1"]);
    assert.equal(stat.bootTimeUnixMs, 1754000000000);
  });

  it("reads four columns, as of a kernel that counts no iowait and no steal", () => {
    const stat = read("cpu 10 0 10 80\ncpu0 10 0 10 80");
    assert.deepEqual(stat.all, { busy: 20, idle: 80, iowait: undefined, steal: undefined });
  });

  it("passes over lines that are not numbers", () => {
    const stat = read("cpu  1 2 3 4 5 6 7 8\ncpu0 1 x 3 4\ncpu1 1 2 3 4 5 6 7 8\n");
    assert.deepEqual([...stat.cores.keys()], ["cpu1"]);
  });

  it("gives nothing for a text without a cpu line", () => {
    assert.equal(parseCpuStat(""), undefined);
    assert.equal(parseCpuStat("intr 1 2 3\n"), undefined);
  });
});

describe("toCpuUsage", () => {
  it("tells what share of the time between two readings was busy", () => {
    const before = read("cpu 100 0 100 800 0 0 0 0\ncpu0 50 0 50 400 0 0 0 0\ncpu1 50 0 50 400 0 0 0 0\n");
    const after = read("cpu 130 0 110 840 10 0 0 10\ncpu0 80 0 60 410 0 0 0 0\ncpu1 50 0 50 430 10 0 0 10\n");
    assert.deepEqual(toCpuUsage(before, after), {
      usagePercent: 50,
      perCorePercent: [80, 20],
      iowaitPercent: 10,
      stealPercent: 10,
    });
  });

  it("counts nothing for a counter that ran backwards", () => {
    const before = read("cpu 100 0 100 800 50 0 0 0\n");
    const after = read("cpu 150 0 100 850 40 0 0 0\n");
    assert.deepEqual(toCpuUsage(before, after), {
      usagePercent: 50,
      perCorePercent: undefined,
      iowaitPercent: 0,
      stealPercent: 0,
    });
  });

  it("leaves the cores out when one came or went", () => {
    const before = read("cpu 100 0 0 100\ncpu0 50 0 0 50\n");
    const after = read("cpu 200 0 0 200\ncpu0 100 0 0 100\ncpu1 50 0 0 50\n");
    const usage = toCpuUsage(before, after);
    assert.equal(usage?.usagePercent, 50);
    assert.equal(usage?.perCorePercent, undefined);
  });

  it("leaves out what an old kernel does not count", () => {
    const usage = toCpuUsage(read("cpu 1 0 0 1\n"), read("cpu 2 0 0 4\n"));
    assert.deepEqual(usage, {
      usagePercent: 25,
      perCorePercent: undefined,
      iowaitPercent: undefined,
      stealPercent: undefined,
    });
  });

  it("tells nothing when no time passed", () => {
    const stat = read("cpu 1 0 0 1\n");
    assert.equal(toCpuUsage(stat, stat), undefined);
  });
});

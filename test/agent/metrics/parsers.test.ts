import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseSockstat } from "../../../src/agent/metrics/connections.ts";
import { parseDisks } from "../../../src/agent/metrics/disk-traffic.ts";
import { parseCpuModel, parseOsRelease } from "../../../src/agent/metrics/host.ts";
import { parseLoadavg, parseUptime } from "../../../src/agent/metrics/load.ts";
import { parseMeminfo } from "../../../src/agent/metrics/memory.ts";
import { parseNetDev, pickInterfaces } from "../../../src/agent/metrics/network.ts";
import { countProcesses } from "../../../src/agent/metrics/processes.ts";
import { createRateMeter } from "../../../src/agent/metrics/rates.ts";
import { parseMillidegrees } from "../../../src/agent/metrics/temperatures.ts";

const kib = 1024;

describe("parseMeminfo", () => {
  it("takes what is available from the total, and tells cache and swap", () => {
    const text =
      "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\nBuffers:          50 kB\n" +
      "Cached:          400 kB\nSwapTotal:       200 kB\nSwapFree:        150 kB\nShmem:            20 kB\n" +
      "SReclaimable:     30 kB\nHugePages_Total:       0\nActive(anon):    1 kB\n";
    assert.deepEqual(parseMeminfo(text), {
      memory: { totalBytes: 1000 * kib, usedBytes: 400 * kib, cacheBytes: 460 * kib },
      swap: { totalBytes: 200 * kib, usedBytes: 50 * kib },
    });
  });

  it("estimates what is available on a kernel before 3.14", () => {
    const text =
      "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 350 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";
    assert.deepEqual(parseMeminfo(text), {
      memory: { totalBytes: 1000 * kib, usedBytes: 500 * kib, cacheBytes: 400 * kib },
      swap: { totalBytes: 0, usedBytes: 0 },
    });
  });

  it("tells nothing that the text does not tell", () => {
    assert.deepEqual(parseMeminfo(""), { memory: undefined, swap: undefined });
    assert.deepEqual(parseMeminfo("MemTotal: 1000 kB\nMemFree: many kB\n"), {
      memory: undefined,
      swap: undefined,
    });
  });

  it("never uses less than nothing, as a container with odd limits would", () => {
    assert.equal(parseMeminfo("MemTotal: 100 kB\nMemAvailable: 200 kB\n").memory?.usedBytes, 0);
  });
});

describe("parseLoadavg and parseUptime", () => {
  it("read the kernel's texts", () => {
    assert.deepEqual(parseLoadavg("0.69 0.19 0.06 6/114 4791\n"), { one: 0.69, five: 0.19, fifteen: 0.06 });
    assert.equal(parseUptime("829.39 1606.29\n"), 829);
    assert.equal(parseUptime("829.39\n"), 829);
  });

  it("tell nothing for other texts", () => {
    assert.equal(parseLoadavg("n/a"), undefined);
    assert.equal(parseUptime(""), undefined);
  });
});

describe("parseDisks", () => {
  it("takes whole disks and no partitions, mappers, loops or arrays", () => {
    const text = [
      "   7       0 loop0 9 9 900 9 9 9 900 9 0 0 0",
      " 259       0 nvme0n1 10 0 100 1 10 0 200 1 0 0 0 0 0 0 0",
      " 259       1 nvme0n1p1 10 0 100 1 10 0 200 1 0 0 0 0 0 0 0",
      "   8       0 sda 1 0 10 1 1 0 20 1 0 0 0",
      "   8       1 sda1 1 0 10 1 1 0 20 1 0 0 0",
      " 254       0 dm-0 1 0 10 1 1 0 20 1 0 0 0",
      "   9       0 md0 1 0 10 1 1 0 20 1 0 0 0",
      " 253       0 zram0 1 0 10 1 1 0 20 1 0 0 0",
    ].join("\n");
    assert.deepEqual(
      [...parseDisks(text)],
      [
        ["nvme0n1", { readBytes: 100 * 512, writtenBytes: 200 * 512 }],
        ["sda", { readBytes: 10 * 512, writtenBytes: 20 * 512 }],
      ],
    );
  });

  it("takes a partition for its disk where the cloud hides the disk", () => {
    assert.deepEqual(parseDisks(" 202 1 xvda1 1 0 8 1 1 0 16 1 0 0 0\n").get("xvda1"), {
      readBytes: 8 * 512,
      writtenBytes: 16 * 512,
    });
  });

  it("tells nothing where there is no disk, and passes over short lines", () => {
    assert.equal(parseDisks("").size, 0);
    assert.equal(parseDisks("   8  0 sda 1 2\n").size, 0);
  });
});

const head =
  "Inter-|   Receive                                                |  Transmit\n" +
  " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n";

function lineOf(name: string, [rx, tx]: readonly [number, number], space = " "): string {
  return `${name.padStart(6)}:${space}${rx} 1 0 0 0 0 0 0 ${tx} 1 0 0 0 0 0 0\n`;
}

describe("parseNetDev and pickInterfaces", () => {
  it("count hardware alone where there is some", () => {
    const text =
      head +
      lineOf("lo", [5, 5]) +
      lineOf("eth0", [10, 20]) +
      lineOf("docker0", [7, 7]) +
      lineOf("veth1a", [7, 7]) +
      lineOf("eth0.7", [1, 1]);
    const virtual = new Set(["lo", "docker0", "veth1a", "eth0.7"]);
    assert.deepEqual(pickInterfaces(parseNetDev(text), virtual), [
      { name: "eth0", rxTotalBytes: 10, txTotalBytes: 20, errors: 0 },
    ]);
  });

  it("count a container's interface although it is virtual", () => {
    const text = head + lineOf("lo", [5, 5]) + lineOf("eth0", [10, 20]) + lineOf("tunl0", [1, 1]);
    const virtual = new Set(["lo", "eth0", "tunl0"]);
    assert.deepEqual(
      pickInterfaces(parseNetDev(text), virtual).map(({ name }) => name),
      ["eth0"],
    );
  });

  it("go by names where /sys is hidden", () => {
    const text =
      head +
      lineOf("lo", [5, 5]) +
      lineOf("venet0", [10, 20]) +
      lineOf("br-12ab", [1, 1]) +
      lineOf("wg0", [1, 1]);
    assert.deepEqual(
      pickInterfaces(parseNetDev(text), new Set()).map(({ name }) => name),
      ["venet0"],
    );
  });

  it("read a counter that sticks to the colon, and an alias", () => {
    const text = head + lineOf("eth0", [4294967296, 1], "") + lineOf("eth0:1", [2, 3]);
    assert.deepEqual(parseNetDev(text), [
      { name: "eth0", rxTotalBytes: 4294967296, txTotalBytes: 1, errors: 0 },
      { name: "eth0:1", rxTotalBytes: 2, txTotalBytes: 3, errors: 0 },
    ]);
  });

  it("pass over lines that are cut", () => {
    assert.deepEqual(parseNetDev(`${head}  eth0: 12 1 0\n`), []);
  });
});

describe("parseSockstat", () => {
  const v4 =
    "sockets: used 15\nTCP: inuse 11 orphan 0 tw 3 alloc 12 mem 159\nUDP: inuse 4 mem 0\nUDPLITE: inuse 9\n";

  it("sums IPv4 and IPv6", () => {
    assert.deepEqual(parseSockstat(v4, "TCP6: inuse 2\nUDP6: inuse 1\n"), { tcp: 13, udp: 5 });
  });

  it("does without IPv6, and tells nothing without both", () => {
    assert.deepEqual(parseSockstat(v4, undefined), { tcp: 11, udp: 4 });
    assert.equal(parseSockstat(undefined, undefined), undefined);
  });
});

describe("parseOsRelease", () => {
  it("reads plain, quoted and escaped values", () => {
    const fields = parseOsRelease(
      `ID=debian\nVERSION_ID="12"\nNAME='A "B"'\nX="a\\$b"\n# comment\nbad line\n`,
    );
    assert.deepEqual(Object.fromEntries(fields), { ID: "debian", VERSION_ID: "12", NAME: 'A "B"', X: "a$b" });
  });
});

describe("parseCpuModel", () => {
  it("finds the name on x86, ARM and POWER", () => {
    assert.equal(parseCpuModel("processor\t: 0\nmodel name\t: AMD EPYC  7B13\n"), "AMD EPYC 7B13");
    assert.equal(
      parseCpuModel("processor\t: 0\nBogoMIPS\t: 108\nModel\t\t: Raspberry Pi 4\n"),
      "Raspberry Pi 4",
    );
    assert.equal(parseCpuModel("processor\t: 0\ncpu\t\t: POWER9\n"), "POWER9");
    assert.equal(parseCpuModel("processor\t: 0\n"), undefined);
  });
});

describe("countProcesses", () => {
  it("counts folders of processes", () => {
    assert.equal(countProcesses(["1", "42", "self", "net", "4a"]), 2);
    assert.equal(countProcesses([]), undefined);
  });
});

describe("parseMillidegrees", () => {
  it("gives degrees, and nothing for what an unconnected input says", () => {
    assert.equal(parseMillidegrees("45250\n"), 45.3);
    assert.equal(parseMillidegrees("-5000"), -5);
    for (const text of ["0", "-128000", "127500", "", "N/A", undefined])
      assert.equal(parseMillidegrees(text), undefined);
  });
});

describe("createRateMeter", () => {
  it("tells bytes a second from the second reading on", () => {
    const meter = createRateMeter();
    assert.equal(meter.perSecond(1000, 0), undefined);
    assert.equal(meter.perSecond(4000, 3000), 1000);
  });

  it("tells nothing when the counter dropped or no time passed, and goes on after it", () => {
    const meter = createRateMeter();
    meter.perSecond(1000, 0);
    assert.equal(meter.perSecond(10, 1000), undefined);
    assert.equal(meter.perSecond(20, 1000), undefined);
    assert.equal(meter.perSecond(30, 2000), 10);
  });
});

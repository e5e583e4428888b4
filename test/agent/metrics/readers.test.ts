import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLinuxSource } from "../../../src/agent/metrics/linux.ts";
import {
  createOtherSource,
  loadSysteminformation,
  toDiskSpace,
} from "../../../src/agent/metrics/other-systems.ts";
import { createMetricsSource } from "../../../src/agent/metrics/this-machine.ts";
import { readTemperatures } from "../../../src/agent/metrics/temperatures.ts";
import { detectVirtualization } from "../../../src/agent/metrics/virtualization.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createManualTime } from "../support/manual-time.ts";
import { createFixtureFiles } from "../support/system-files.ts";

describe("readTemperatures", () => {
  it("names sensors by chip and label and prefers hwmon", () => {
    const files = createFixtureFiles({
      "/sys/class/hwmon/hwmon0/name": "coretemp\n",
      "/sys/class/hwmon/hwmon0/temp1_input": "45000\n",
      "/sys/class/hwmon/hwmon0/temp1_label": "Package id 0\n",
      "/sys/class/hwmon/hwmon0/temp2_input": "0\n",
      "/sys/class/hwmon/hwmon1/name": "nvme\n",
      "/sys/class/hwmon/hwmon1/temp1_input": "38850\n",
      "/sys/class/hwmon/hwmon2/fan1_input": "900\n",
      "/sys/class/thermal/thermal_zone0/temp": "50000\n",
    });
    assert.deepEqual(readTemperatures(files), [
      { name: "coretemp Package id 0", celsius: 45 },
      { name: "nvme", celsius: 38.9 },
    ]);
  });

  it("takes thermal zones else, and tells nothing on a machine without sensors", () => {
    const files = createFixtureFiles({
      "/sys/class/thermal/thermal_zone0/temp": "50000\n",
      "/sys/class/thermal/thermal_zone0/type": "cpu-thermal\n",
    });
    assert.deepEqual(readTemperatures(files), [{ name: "cpu-thermal", celsius: 50 }]);
    assert.equal(readTemperatures(createFixtureFiles({})), undefined);
  });
});

describe("detectVirtualization", () => {
  const flags = { "/proc/cpuinfo": "flags\t\t: fpu hypervisor lahf_lm\n" };
  const cases: readonly (readonly [string | undefined, Record<string, string>])[] = [
    ["docker", { "/.dockerenv": "", ...flags }],
    ["podman", { "/run/.containerenv": "" }],
    ["kubernetes", { "/proc/1/cgroup": "0::/kubepods/besteffort/pod1\n" }],
    ["lxc", { "/proc/1/cgroup": "4:memory:/lxc/web\n" }],
    ["systemd-nspawn", { "/run/systemd/container": "systemd-nspawn\n" }],
    ["wsl", { "/proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2\n" }],
    ["kvm", { "/sys/class/dmi/id/sys_vendor": "QEMU\n", ...flags }],
    ["kvm", { "/sys/class/dmi/id/sys_vendor": "Amazon EC2\n", ...flags }],
    ["hyperv", { "/sys/class/dmi/id/sys_vendor": "Microsoft Corporation\n", ...flags }],
    ["vmware", { "/sys/class/dmi/id/sys_vendor": "VMware, Inc.\n", ...flags }],
    ["xen", { "/sys/hypervisor/type": "xen\n" }],
    ["vm", flags],
    // A Surface is bare metal.
    [
      undefined,
      { "/sys/class/dmi/id/sys_vendor": "Microsoft Corporation\n", "/proc/cpuinfo": "flags\t: fpu\n" },
    ],
    [undefined, {}],
  ];
  for (const [expected, texts] of cases) {
    it(`says ${expected ?? "nothing"} for ${Object.keys(texts).join(", ") || "a machine that shows nothing"}`, () => {
      assert.equal(detectVirtualization(createFixtureFiles(texts)), expected);
    });
  }
});

describe("createLinuxSource", () => {
  it("measures from the second reading on and leaves out what the system hides", async () => {
    const time = createManualTime();
    const files = createFixtureFiles({
      "/proc/stat": "cpu 100 0 0 100 0 0 0 0\n",
      "/proc/net/dev": "h\nh\n  eth0: 1000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\n",
    });
    const source = createLinuxSource({ files, clock: time.clock, agentVersion: "1" });
    assert.equal(await source.measure(), undefined);
    await time.advance(2000);
    files.texts["/proc/stat"] = "cpu 150 0 0 250 0 0 0 0\n";
    files.texts["/proc/net/dev"] = "h\nh\n  eth0: 5000 1 0 0 0 0 0 0 700 1 0 0 0 0 0 0\n";
    const measured = await source.measure();
    assert.deepEqual(JSON.parse(JSON.stringify(measured)), {
      cpu: { usagePercent: 25, iowaitPercent: 0, stealPercent: 0 },
      network: {
        rxBytesPerSecond: 2000,
        txBytesPerSecond: 100,
        rxTotalBytes: 5000,
        txTotalBytes: 700,
        interfaces: [
          {
            name: "eth0",
            rxTotalBytes: 5000,
            txTotalBytes: 700,
            rxBytesPerSecond: 2000,
            txBytesPerSecond: 100,
          },
        ],
      },
    });
  });
});

describe("toDiskSpace", () => {
  it("counts a container of several volumes once and never negative space", () => {
    const volume = { type: "APFS", used: 1, use: 1, rw: true };
    const space = toDiskSpace([
      { ...volume, fs: "/dev/disk3s1s1", size: 1000, available: 400, mount: "/" },
      { ...volume, fs: "/dev/disk3s5", size: 1000, available: 400, mount: "/System/Volumes/Data" },
      { ...volume, fs: "C:", size: 0, available: 0, mount: "C:" },
    ]);
    assert.deepEqual(space, {
      totalBytes: 1000,
      usedBytes: 600,
      mounts: [{ path: "/", totalBytes: 1000, usedBytes: 600 }],
    });
    assert.equal(toDiskSpace([]), undefined);
  });
});

describe("createOtherSource", () => {
  it("turns what systeminformation does not know into absence", async () => {
    const real = await loadSysteminformation();
    const source = createOtherSource({
      clock: systemClock,
      agentVersion: "1",
      system: {
        ...real,
        mem: async () => ({ ...(await real.mem()), total: 0, swaptotal: -1 }),
        fsSize: async () => [],
        fsStats: async () => null,
        networkStats: async () => [],
        cpuTemperature: async () => ({ main: -1, cores: [], max: -1 }),
      },
    });
    await source.measure();
    // The CPU's counters tick every 10 ms: a reading without a tick in between tells nothing.
    let measured = await source.measure();
    for (let tries = 0; measured === undefined && tries < 10_000; tries += 1)
      measured = await source.measure();
    assert.ok(measured !== undefined);
    for (const key of ["memory", "swap", "disk", "network", "temperatures"] as const)
      assert.equal(measured[key], undefined);
    assert.ok(measured.cpu.usagePercent >= 0 && measured.cpu.usagePercent <= 100);
  });
});

describe("createMetricsSource", () => {
  it("tells the facts of the machine that runs this", async () => {
    const host = await (await createMetricsSource({ clock: systemClock, agentVersion: "9.9.9" })).host();
    assert.equal(host.agentVersion, "9.9.9");
    assert.ok((host.cpuCores ?? 0) >= 1);
    assert.ok((host.kernel ?? "").length > 0);
  });
});

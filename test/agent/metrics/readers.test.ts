import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cpus } from "node:os";
import { createFactReader } from "../../../src/agent/facts.ts";
import { createLinuxSource } from "../../../src/agent/metrics/linux.ts";
import {
  createOtherSource,
  loadSysteminformation,
  toDiskSpace,
} from "../../../src/agent/metrics/other-systems.ts";
import { parseNameFilter } from "../../../src/kit/text/name-filter.ts";
import { noFilters } from "../../../src/agent/name-filter.ts";
import type { OwnSystem } from "../../../src/agent/metrics/source.ts";
import { createMetricsSource } from "../../../src/agent/metrics/this-machine.ts";
import { readTemperatures } from "../../../src/agent/metrics/temperatures.ts";
import { detectVirtualization } from "../../../src/agent/metrics/virtualization.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { createManualTime } from "../support/manual-time.ts";
import { createFixtureFiles } from "../support/system-files.ts";

const system: OwnSystem = {
  cpus: () => [],
  machine: () => "x86_64",
  release: () => "6.1",
  networkInterfaces: () => ({}),
};

function createFixtureSource(files: ReturnType<typeof createFixtureFiles>, time = createManualTime()) {
  const facts = createFactReader(silentLog);
  return {
    facts,
    source: createLinuxSource({
      files,
      clock: time.clock,
      facts,
      filters: noFilters,
      system,
      agentVersion: "1",
    }),
  };
}

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

describe("the names of sensors", () => {
  const drive = (hwmon: number, links: Record<string, string>): Record<string, string> => ({
    [`/sys/class/hwmon/hwmon${hwmon}/name`]: "drivetemp\n",
    [`/sys/class/hwmon/hwmon${hwmon}/temp1_input`]: `3${hwmon}000\n`,
    ...links,
  });
  const two = (name: string, targets: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      targets.flatMap((target, index) => {
        const folder = `/sys/class/hwmon/hwmon${index}`;
        const link = target === "" ? [] : [[`${folder}/device ->`, target]];
        return [[`${folder}/name`, `${name}\n`], [`${folder}/temp1_input`, "40000\n"], ...link];
      }),
    );
  const namesOf = (texts: Record<string, string>, list = ""): string[] =>
    readTemperatures(createFixtureFiles(texts), list === "" ? undefined : parseNameFilter(list))?.map(
      ({ name }) => name,
    ) ?? [];

  it("tell disks apart by their block devices", () => {
    const texts = Object.assign(
      {},
      ...["sda", "sdb", "sdc"].map((disk, index) =>
        drive(index, { [`/sys/class/hwmon/hwmon${index}/device/block/${disk}/size`]: "1\n" }),
      ),
    );
    assert.deepEqual(namesOf(texts), ["drivetemp sda", "drivetemp sdb", "drivetemp sdc"]);
  });

  it("tell processors, NVMe disks and memory modules apart by their devices, and number what has none", () => {
    assert.deepEqual(namesOf(two("coretemp", ["coretemp.0", "coretemp.1"])), [
      "coretemp coretemp.0",
      "coretemp coretemp.1",
    ]);
    assert.deepEqual(namesOf(two("nvme", ["nvme0", "nvme1"])), ["nvme nvme0", "nvme nvme1"]);
    assert.deepEqual(namesOf(two("jc42", ["0-0018", "0-0019"])), ["jc42 0-0018", "jc42 0-0019"]);
    assert.deepEqual(namesOf(two("acpitz", ["", ""])), ["acpitz", "acpitz 2"]);
    assert.deepEqual(namesOf(two("nvme", ["nvme0"])), ["nvme"]);
  });

  it("are left out and included as the owner says, thermal zones too", () => {
    const texts = {
      ...two("nvme", ["nvme0", "nvme1"]),
      "/sys/class/thermal/thermal_zone0/temp": "50000\n",
      "/sys/class/thermal/thermal_zone0/type": "x86_pkg_temp\n",
    };
    assert.deepEqual(namesOf(texts, "!nvme nvme1"), ["nvme nvme0"]);
    assert.deepEqual(namesOf(texts, "x86*"), ["nvme nvme0", "nvme nvme1", "x86_pkg_temp"]);
    assert.deepEqual(namesOf(texts, "!*,nvme nvme1"), ["nvme nvme1"]);
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
    const { source } = createFixtureSource(files, time);
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
            errorsPerMinute: 0,
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
      facts: createFactReader(silentLog),
      filters: noFilters,
      system: { ...system, cpus },
      agentVersion: "1",
      information: {
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
    for (let tries = 0; measured?.cpu === undefined && tries < 10_000; tries += 1)
      measured = await source.measure();
    assert.ok(measured?.cpu !== undefined);
    for (const key of ["memory", "swap", "disk", "network", "temperatures"] as const)
      assert.equal(measured[key], undefined);
    assert.ok(measured.cpu.usagePercent >= 0 && measured.cpu.usagePercent <= 100);
  });
});

describe("createMetricsSource", () => {
  it("tells the facts of the machine that runs this", async () => {
    const facts = createFactReader(silentLog);
    const source = await createMetricsSource({ clock: systemClock, facts, agentVersion: "9.9.9" });
    const host = await source.host();
    assert.equal(host.agentVersion, "9.9.9");
    assert.ok((host.cpuCores ?? 0) >= 1);
    assert.ok((host.kernel ?? "").length > 0);
  });
});

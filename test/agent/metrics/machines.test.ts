/** Machines as their owners have them, as fake /proc and /sys; cases in docs/notes/parts-field-cases.md. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFactReader } from "../../../src/agent/facts.ts";
import { createCgroupReader, readCores, toLimited } from "../../../src/agent/metrics/cgroup.ts";
import { createLinuxSource } from "../../../src/agent/metrics/linux.ts";
import { createDiskSpaceReader, readDiskSpace } from "../../../src/agent/metrics/mounts.ts";
import { Unresponsive } from "../../../src/agent/metrics/system-files.ts";
import { noFilters } from "../../../src/agent/name-filter.ts";
import type { DiskUsage, Measurements, SpaceUsage } from "../../../src/agent/payload.ts";
import { parseNameFilter } from "../../../src/kit/text/name-filter.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { parseReport } from "../../../src/monitor/ingest/report.ts";
import { START } from "../../support/fixed-clock.ts";
import { createManualTime } from "../support/manual-time.ts";
import { createFixtureFiles } from "../support/system-files.ts";

const MB = 1_000_000;
const mb = (used: number, total: number, more: Partial<SpaceUsage> = {}): SpaceUsage => ({
  totalBytes: total * MB,
  usedBytes: used * MB,
  ...more,
});

function sayDisk(disk: DiskUsage | undefined): string[] {
  return (disk?.mounts ?? []).map((mount) =>
    "state" in mount
      ? `${mount.path} ${mount.state}`
      : `${mount.path} ${mount.usedBytes / MB}/${mount.totalBytes / MB}`,
  );
}

async function disksOf(
  mountinfo: readonly string[],
  spaces: Readonly<Record<string, SpaceUsage>>,
  list = "",
): Promise<string[]> {
  const files = createFixtureFiles({ "/proc/self/mountinfo": mountinfo.join("\n") }, spaces);
  const choose = parseNameFilter(list);
  const facts = createFactReader(silentLog);
  return sayDisk(await readDiskSpace(files, choose === undefined ? { facts } : { facts, choose }));
}

/** Two measurements, `between` which files change. */
async function measureTwice(
  texts: Record<string, string>,
  between: (texts: Record<string, string>) => void,
  spaces: Readonly<Record<string, SpaceUsage>> = {},
): Promise<Measurements> {
  const time = createManualTime();
  const ownTexts = {
    "/proc/stat": "cpu 10 0 0 90 0 0 0 0\nbtime 1\n",
    "/proc/self/mountinfo": "",
    ...texts,
  };
  const files = createFixtureFiles(ownTexts, spaces);
  const source = createLinuxSource({
    files,
    clock: time.clock,
    facts: createFactReader(silentLog),
    filters: noFilters,
    system: { cpus: () => [], machine: () => "x86_64", release: () => "6", networkInterfaces: () => ({}) },
    agentVersion: "1",
  });
  await source.measure();
  await time.advance(1_000);
  files.texts["/proc/stat"] = "cpu 20 0 0 180 0 0 0 0\nbtime 1\n";
  between(files.texts);
  const measured = await source.measure();
  assert.ok(measured !== undefined);
  return measured;
}

const netHead = "Inter-|   Receive\n face |bytes\n";
const netLine = (name: string, rx: number, errors = 0): string =>
  `${name}: ${rx} 1 ${errors} 0 0 0 0 0 ${rx} 1 ${errors} 0 0 0 0 0\n`;

describe("disks of", () => {
  it("Proxmox with two pools whose data sets have the same name", async () => {
    const mounts = [
      "20 1 252:1 / / rw - ext4 /dev/mapper/pve-root rw",
      "21 1 0:50 / /data-ssd/vmstorage rw - zfs data-ssd/vmstorage rw",
      "22 1 0:51 / /data-ssd/vmstorage/subvol-100 rw - zfs data-ssd/vmstorage/subvol-100 rw",
      "23 1 0:52 / /data/vmstorage rw - zfs data/vmstorage rw",
      "24 1 0:53 / /data/vmstorage/.zfs/snapshot/auto rw - zfs data/vmstorage@auto rw",
    ];
    const spaces = {
      "/": mb(5, 90),
      "/data-ssd/vmstorage": mb(1, 1_481),
      "/data-ssd/vmstorage/subvol-100": mb(5, 12),
      "/data/vmstorage": mb(5_160, 7_120),
    };
    assert.deepEqual(await disksOf(mounts, spaces), [
      "/ 5/90",
      "/data-ssd/vmstorage 6/1486",
      "/data/vmstorage 5160/7120",
      "/data-ssd/vmstorage/subvol-100 5/12",
    ]);
  });

  it("a Synology with btrfs on LVM, and a Raspberry Pi", async () => {
    const synology = [
      "20 1 9:0 / / rw - ext4 /dev/md0 rw",
      "21 1 0:40 / /volume1 rw - btrfs /dev/mapper/cachedev_0 rw,subvol=/@syno",
      "22 1 0:40 /@docker /volume1/@docker rw - btrfs /dev/mapper/cachedev_0 rw,subvol=/@syno/@docker",
      "23 1 253:2 / /volume2 rw - ext4 /dev/vg2/volume_2 rw",
      "24 1 0:60 / /volume1/remote rw - cifs //nas/share rw",
    ];
    const spaces = { "/": mb(1, 2), "/volume1": mb(700, 1_000), "/volume2": mb(10, 50) };
    assert.deepEqual(await disksOf(synology, spaces), ["/ 1/2", "/volume1 700/1000", "/volume2 10/50"]);
    const pi = [
      "20 1 179:2 / / rw,noatime - ext4 /dev/mmcblk0p2 rw",
      "21 20 179:1 / /boot/firmware rw - vfat /dev/mmcblk0p1 rw",
      "22 20 0:30 / /run rw - tmpfs tmpfs rw",
      "23 20 7:1 / /media/image rw - ext4 /dev/loop1 rw",
    ];
    const card = {
      "/": mb(9, 30, { inodesTotal: 100, inodesUsed: 97 }),
      "/boot/firmware": mb(0, 1),
      "/media/image": mb(97, 100),
    };
    assert.deepEqual(await disksOf(pi, card), ["/ 9/30", "/boot/firmware 0/1"]);
    assert.deepEqual(await disksOf(pi, card, "/media/*"), [
      "/ 9/30",
      "/boot/firmware 0/1",
      "/media/image 97/100",
    ]);
  });

  it("a machine with mergerfs, a disk that was mounted again read-only, and inodes that run out", async () => {
    const mounts = [
      "20 1 8:1 / / ro - ext4 /dev/sda1 ro",
      "21 1 8:17 / /mnt/d1 rw - xfs /dev/sdb1 rw",
      "22 1 8:33 / /mnt/d2 rw - xfs /dev/sdc1 rw",
      "23 1 0:50 / /mnt/pool rw - fuse.mergerfs d1:d2 rw",
    ];
    const spaces = {
      "/": mb(1, 10, { inodesTotal: 1_000, inodesUsed: 1_000 }),
      "/mnt/d1": mb(1, 2),
      "/mnt/d2": mb(1, 2),
      "/mnt/pool": mb(2, 4),
    };
    assert.deepEqual(await disksOf(mounts, spaces, "/mnt/pool"), [
      "/ 1/10",
      "/mnt/d1 1/2",
      "/mnt/d2 1/2",
      "/mnt/pool 2/4",
    ]);
    const files = createFixtureFiles({ "/proc/self/mountinfo": mounts.join("\n") }, spaces);
    const disk = await readDiskSpace(files, { facts: createFactReader(silentLog) });
    assert.deepEqual(disk?.mounts?.[0], { path: "/", ...spaces["/"] });
  });
});

describe("a network file system that hangs", () => {
  const mounts = ["20 1 8:1 / / rw - ext4 /dev/sda1 rw", "21 1 0:50 / /mnt/nas rw - nfs4 nas:/x rw"].join(
    "\n",
  );
  const choose = parseNameFilter("/mnt/nas");

  it("is reported as unresponsive, and the disks beside it are reported", async () => {
    const files = {
      ...createFixtureFiles({ "/proc/self/mountinfo": mounts }),
      space: async (path: string) => {
        if (path === "/mnt/nas") throw new Unresponsive('"/mnt/nas" does not respond');
        return mb(1, 2);
      },
    };
    const facts = createFactReader(silentLog);
    assert.ok(choose !== undefined);
    assert.deepEqual(sayDisk(await readDiskSpace(files, { facts, choose })), [
      "/ 1/2",
      "/mnt/nas unresponsive",
    ]);
    assert.deepEqual(facts.faults(), [
      { name: "The space of /mnt/nas", reason: '"/mnt/nas" does not respond' },
    ]);
  });

  it("delays no report: the last values remain, and it is read once", async () => {
    let asked = 0;
    let answer: (space: SpaceUsage) => void = () => undefined;
    const files = {
      ...createFixtureFiles({ "/proc/self/mountinfo": mounts }),
      space: (path: string) => {
        asked += 1;
        return path === "/"
          ? new Promise<SpaceUsage>((resolve) => {
              answer = resolve;
            })
          : Promise.resolve(mb(3, 4));
      },
    };
    const read = createDiskSpaceReader(files, { facts: createFactReader(silentLog), everyMs: 15_000 });
    assert.equal(await read(0), undefined);
    assert.equal(await read(30_000), undefined);
    assert.equal(asked, 1);
    answer(mb(1, 2));
    assert.deepEqual(sayDisk(await read(31_000)), ["/ 1/2"]);
    assert.equal(asked, 1);
  });
});

describe("a container's limits", () => {
  const meminfo = "MemTotal: 32000000 kB\nMemAvailable: 20000000 kB\nCached: 100 kB\n";

  it("are those of its control group, version 2", async () => {
    const measured = await measureTwice(
      {
        "/proc/meminfo": meminfo,
        "/sys/fs/cgroup/memory.max": "1073741824\n",
        "/sys/fs/cgroup/memory.current": "536870912\n",
        "/sys/fs/cgroup/memory.stat": "anon 1\ninactive_file 268435456\n",
        "/sys/fs/cgroup/cpu.max": "200000 100000\n",
        "/sys/fs/cgroup/cpu.stat": "usage_usec 1000000\n",
      },
      (texts) => {
        texts["/sys/fs/cgroup/cpu.stat"] = "usage_usec 2000000\n";
      },
    );
    assert.deepEqual(measured.memory, { totalBytes: 1_073_741_824, usedBytes: 268_435_456 });
    // A second of processor time in a second, of two processors.
    assert.deepEqual(measured.cpu, { usagePercent: 50 });
  });

  it("and of version 1; without limits, and on a machine, nothing changes", () => {
    const v1 = createFixtureFiles({
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "1000000\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "600000\n",
      "/sys/fs/cgroup/memory/memory.stat": "cache 5\ntotal_inactive_file 100000\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpuacct/cpuacct.usage": "1000000000\n",
    });
    const read = createCgroupReader(v1);
    assert.deepEqual(read(0).memory, { totalBytes: 1_000_000, usedBytes: 500_000 });
    v1.texts["/sys/fs/cgroup/cpuacct/cpuacct.usage"] = "1250000000\n";
    assert.deepEqual([read(1_000).cpu, readCores(v1)], [{ usagePercent: 50 }, 0.5]);
    const whole = { totalBytes: 32_000, usedBytes: 12_000 };
    const unlimited = createFixtureFiles({
      "/sys/fs/cgroup/memory.max": "max\n",
      "/sys/fs/cgroup/memory.current": "5\n",
      "/sys/fs/cgroup/cpu.max": "max 100000\n",
    });
    assert.deepEqual(createCgroupReader(unlimited)(0), { memory: undefined, cpu: undefined });
    assert.deepEqual(toLimited(whole, { totalBytes: 9_223_372_036_854_771_712, usedBytes: 5 }), whole);
    assert.deepEqual(createCgroupReader(createFixtureFiles({}))(0), { memory: undefined, cpu: undefined });
  });

  it("in LXC, memory that is said to be more available than there is makes none used, not 16 EB", async () => {
    const measured = await measureTwice(
      { "/proc/meminfo": "MemTotal: 62500 kB\nMemFree: 33500 kB\nMemAvailable: 79273 kB\n" },
      () => undefined,
    );
    assert.equal(measured.memory?.usedBytes, 0);
  });
});

describe("a counter that starts again", () => {
  it("of one interface hides the others no more than it makes a peak, nor does one that comes with bytes", async () => {
    const measured = await measureTwice(
      { "/proc/net/dev": netHead + netLine("eth0", 4_000_000_000) + netLine("eth1", 1_000) },
      (texts) => {
        texts["/proc/net/dev"] =
          netHead + netLine("eth0", 500) + netLine("eth1", 3_000, 1) + netLine("eth2", 9_000_000_000);
      },
    );
    const { rxBytesPerSecond, interfaces } = measured.network ?? {};
    assert.equal(rxBytesPerSecond, 2_000);
    assert.deepEqual(
      interfaces?.map((each) => [each.name, each.rxBytesPerSecond, each.errorsPerMinute]),
      [
        ["eth0", undefined, 0],
        ["eth1", 2_000, 120],
        ["eth2", undefined, undefined],
      ],
    );
  });

  it("of a disk that is plugged in makes no peak", async () => {
    const disk = (name: string, sectors: number): string =>
      ` 8 0 ${name} 1 0 ${sectors} 1 1 0 ${sectors} 1 0 0 0\n`;
    const measured = await measureTwice({ "/proc/diskstats": disk("sda", 100) }, (texts) => {
      texts["/proc/diskstats"] = disk("sda", 102) + disk("sdb", 1_000_000_000);
    });
    assert.equal(measured.disk?.readBytesPerSecond, 1_024);
  });
});

describe("a machine with hundreds of parts of each kind", () => {
  it("sends the first of each kind, and names of 10 kB make no report that the monitor rejects", async () => {
    const many = <T>(toItem: (n: number) => T): T[] => Array.from({ length: 300 }, (_, n) => toItem(n));
    const long = "x".repeat(10_000);
    const sensors = many((n): [string, string][] => [
      [`/sys/class/hwmon/hwmon${n}/name`, `${long}\n`],
      [`/sys/class/hwmon/hwmon${n}/temp1_input`, "42500\n"],
    ]);
    const mounts = many((n) => `${n} 1 8:${n} / /m${n}${n === 7 ? long : ""} rw - ext4 /dev/sd${n} rw`);
    const net = netHead + many((n) => netLine(`eth${n}`, 1_000 + n)).join("");
    const spaces = Object.fromEntries(many((n) => [`/m${n}${n === 7 ? long : ""}`, mb(1, 2)]));
    const texts = {
      ...Object.fromEntries(sensors.flat()),
      "/proc/self/mountinfo": mounts.join("\n"),
      "/proc/net/dev": net,
    };
    const measured = await measureTwice(texts, () => {}, spaces);
    const counts = [measured.disk?.mounts, measured.network?.interfaces, measured.temperatures];
    assert.deepEqual(
      counts.map((list) => list?.length),
      [32, 32, 32],
    );
    const parsed = parseReport(JSON.stringify({ v: 1, intervalMs: 3_000, ...measured }), {
      collectedAt: START,
      now: START,
    });
    assert.ok(parsed.ok, JSON.stringify(parsed));
    assert.equal(parsed.report?.disk?.totalBytes, 600 * MB);
  });
});

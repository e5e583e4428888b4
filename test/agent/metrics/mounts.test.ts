import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFactReader } from "../../../src/agent/facts.ts";
import { parseMountinfo } from "../../../src/agent/metrics/mountinfo.ts";
import { pickDisks, readDiskSpace } from "../../../src/agent/metrics/mounts.ts";
import { parseNameFilter } from "../../../src/kit/text/name-filter.ts";
import { createSpaceReader } from "../../../src/agent/metrics/system-files.ts";
import type { MountUsage, Usage } from "../../../src/agent/payload.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createFixtureFiles } from "../support/system-files.ts";

function pathsOf(lines: readonly string[]): string[] {
  return pickDisks(parseMountinfo(lines.join("\n"))).map(({ path }) => path);
}

const MB = 1_000_000;
const mb = (used: number, total: number): Usage => ({ totalBytes: total * MB, usedBytes: used * MB });

/** What is reported of mounts, in MB as "PATH used/total", the sums first. */
async function spacesOf(
  lines: readonly string[],
  spaces: Readonly<Record<string, Usage>>,
  list?: string,
): Promise<string[]> {
  const files = createFixtureFiles({ "/proc/self/mountinfo": lines.join("\n") }, spaces);
  const choose = list === undefined ? undefined : parseNameFilter(list);
  const facts = createFactReader(silentLog);
  const disk = await readDiskSpace(files, choose === undefined ? { facts } : { facts, choose });
  const say = (name: string, { usedBytes = -MB, totalBytes = -MB }: Partial<MountUsage>): string =>
    `${name} ${usedBytes / MB}/${totalBytes / MB}`;
  return [say("sum", disk ?? {}), ...(disk?.mounts ?? []).map((mount) => say(mount.path, mount))];
}

describe("parseMountinfo", () => {
  it("reads optional fields and escaped paths, and passes over what is no mount", () => {
    const mounts = parseMountinfo(
      "36 35 98:0 / /mnt/my\\040disk rw shared:1 master:2 - ext4 /dev/sdb1 rw\n\nnonsense\n36 35 - \n",
    );
    assert.deepEqual(mounts, [
      { device: "98:0", root: "/", path: "/mnt/my disk", type: "ext4", source: "/dev/sdb1" },
    ]);
  });
});

describe("pickDisks", () => {
  it("takes disks and leaves memory, images and the kernel's own out", () => {
    const lines = [
      "22 27 0:21 / /proc rw - proc proc rw",
      "25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw",
      "27 1 254:0 / / rw - ext4 /dev/vda rw",
      "28 27 254:16 / /srv rw - xfs /dev/vdb rw",
      "29 27 7:1 / /snap/core/1 ro - squashfs /dev/loop1 ro",
      "30 27 7:2 / /mnt/image rw - ext4 /dev/loop2 rw",
      "31 27 0:50 / /mnt/nas rw - nfs4 nas:/export rw",
    ];
    assert.deepEqual(pathsOf(lines), ["/", "/srv"]);
  });

  it("counts a bind mount once, by the mount of the whole", () => {
    const lines = [
      "40 27 8:1 /sub /a rw - ext4 /dev/sda1 rw",
      "41 27 8:1 / /data/disk rw - ext4 /dev/sda1 rw",
    ];
    assert.deepEqual(pathsOf(lines), ["/data/disk"]);
  });

  it("counts subvolumes of btrfs and data sets of a pool once", () => {
    const lines = [
      "40 27 0:30 /@ / rw - btrfs /dev/sda2 rw,subvol=/@",
      "41 27 0:31 /@home /home rw - btrfs /dev/sda2 rw,subvol=/@home",
      "42 27 0:40 / /tank rw - zfs tank rw",
      "43 27 0:41 / /tank/media rw - zfs tank/media rw",
    ];
    assert.deepEqual(pathsOf(lines), ["/", "/tank"]);
  });

  it("takes the overlay for the disk in a container, not the files bound into it", () => {
    const lines = [
      "500 400 0:55 / / rw - overlay overlay rw,lowerdir=/x",
      "501 500 8:1 /var/lib/docker/containers/1/hosts /etc/hosts rw - ext4 /dev/sda1 rw",
      "502 500 8:1 /var/lib/docker/containers/1/resolv.conf /etc/resolv.conf rw - ext4 /dev/sda1 rw",
    ];
    assert.deepEqual(pathsOf(lines), ["/"]);
  });
});

describe("readDiskSpace", () => {
  it("sums what is known and leaves out what is not", async () => {
    const files = createFixtureFiles(
      {
        "/proc/self/mountinfo":
          "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 254:16 / /srv rw - xfs /dev/vdb rw\n29 27 254:32 / /gone rw - xfs /dev/vdc rw\n",
      },
      { "/": { totalBytes: 100, usedBytes: 40 }, "/srv": { totalBytes: 50, usedBytes: 5 } },
    );
    const space = await readDiskSpace(files, { facts: createFactReader(silentLog) });
    assert.deepEqual([space?.totalBytes, space?.usedBytes], [150, 45]);
    assert.deepEqual(
      space?.mounts?.map(({ path }) => path),
      ["/", "/srv"],
    );
  });

  it("reports nothing without data", async () => {
    const files = createFixtureFiles({ "/proc/self/mountinfo": "22 27 0:21 / /proc rw - proc proc rw\n" });
    assert.equal(await readDiskSpace(files, { facts: createFactReader(silentLog) }), undefined);
  });
});

describe("pools of ZFS", () => {
  it("are full when their data sets are, whatever the pool's own mount says", async () => {
    const lines = ["42 27 0:40 / /tank rw - zfs tank rw", "43 27 0:41 / /tank/data rw - zfs tank/data rw"];
    assert.deepEqual(await spacesOf(lines, { "/tank": mb(0, 100), "/tank/data": mb(900, 1_000) }), [
      "sum 900/1000",
      "/tank 900/1000",
    ]);
  });

  it("count each data set once, however often and wherever it is mounted, and no snapshot", async () => {
    const lines = [
      "40 27 0:40 / / rw - zfs rpool/ROOT/debian rw",
      "41 27 0:41 / /home rw - zfs rpool/home rw",
      "42 27 0:41 /ann /srv/ann rw - zfs rpool/home rw",
      "43 27 0:42 / /home/.zfs/snapshot/daily ro - zfs rpool/home@daily ro",
      "44 27 0:43 / /backup rw - zfs slow rw",
    ];
    const spaces = {
      "/": mb(10, 110),
      "/home": mb(50, 150),
      "/srv/ann": mb(50, 150),
      "/home/.zfs/snapshot/daily": mb(45, 145),
      "/backup": mb(1, 10),
    };
    assert.deepEqual(await spacesOf(lines, spaces), ["sum 61/170", "/ 60/160", "/backup 1/10"]);
  });

  it("show a data set that its quota limits beside the pool, nested ones too", async () => {
    const lines = [
      "42 27 0:40 / /tank rw - zfs tank rw",
      "43 27 0:41 / /tank/home rw - zfs tank/home rw",
      "44 27 0:42 / /tank/home/ann rw - zfs tank/home/ann rw",
      "45 27 0:43 / /tank/media rw - zfs tank/media rw",
    ];
    const spaces = {
      "/tank": mb(10, 510),
      "/tank/home": mb(5, 105),
      "/tank/home/ann": mb(19, 20),
      "/tank/media": mb(200, 700),
    };
    assert.deepEqual(await spacesOf(lines, spaces), [
      "sum 234/734",
      "/tank 234/734",
      "/tank/home 5/105",
      "/tank/home/ann 19/20",
    ]);
  });

  it("are, in an LXC container, the one data set that it sees", async () => {
    const lines = [
      "500 400 0:55 / / rw - zfs rpool/data/subvol-101-disk-0 rw,xattr,posixacl",
      "501 500 0:56 / /proc rw - proc proc rw",
      "502 500 0:57 / /proc/cpuinfo rw - fuse.lxcfs lxcfs rw",
    ];
    assert.deepEqual(await spacesOf(lines, { "/": mb(7, 8) }), ["sum 7/8", "/ 7/8"]);
  });
});

describe("mounts that the owner chooses", () => {
  const lines = [
    "27 1 254:0 / / rw - ext4 /dev/vda rw",
    "28 27 254:16 / /srv rw - xfs /dev/vdb rw",
    "29 27 0:50 / /mnt/nas rw - nfs4 nas:/export rw",
    "30 27 0:51 / /mnt/pool rw - fuse.mergerfs a:b rw",
    "31 27 7:2 / /mnt/image rw - ext4 /dev/loop2 rw",
    "32 27 0:52 / /mnt/share rw - cifs //nas/share rw",
    "33 27 0:53 / /tmp rw - tmpfs tmpfs rw",
  ];
  const spaces = {
    "/": mb(1, 10),
    "/srv": mb(9, 10),
    "/mnt/nas": mb(80, 100),
    "/mnt/pool": mb(90, 100),
    "/mnt/image": mb(97, 100),
    "/mnt/share": mb(5, 100),
    "/tmp": mb(0, 1),
  };

  it("are reported beside the disks and count in no sum, whatever they are", async () => {
    assert.deepEqual(await spacesOf(lines, spaces), ["sum 10/20", "/ 1/10", "/srv 9/10"]);
    assert.deepEqual(await spacesOf(lines, spaces, "/mnt/nas,/mnt/pool,/mnt/image,/tmp"), [
      "sum 10/20",
      "/ 1/10",
      "/srv 9/10",
      "/mnt/image 97/100",
      "/mnt/nas 80/100",
      "/mnt/pool 90/100",
      "/tmp 0/1",
    ]);
  });

  it("are left out of list and sums, by patterns of which the last that fits decides", async () => {
    assert.deepEqual(await spacesOf(lines, spaces, "!/srv"), ["sum 1/10", "/ 1/10"]);
    assert.deepEqual(await spacesOf(lines, spaces, "/mnt/*,!/mnt/share"), [
      "sum 10/20",
      "/ 1/10",
      "/srv 9/10",
      "/mnt/image 97/100",
      "/mnt/nas 80/100",
      "/mnt/pool 90/100",
    ]);
    assert.deepEqual(await spacesOf(lines, spaces, "!*,/srv"), ["sum 9/10", "/srv 9/10"]);
    assert.deepEqual(await spacesOf(lines, spaces, "!*,/mnt/nas"), ["sum 80/100", "/mnt/nas 80/100"]);
  });

  it("may be a part of a disk, such as a data set or a subvolume", async () => {
    const parts = [
      "40 27 0:30 /@ / rw - btrfs /dev/sda2 rw,subvol=/@",
      "41 27 0:31 /@home /home rw - btrfs /dev/sda2 rw,subvol=/@home",
    ];
    assert.deepEqual(await spacesOf(parts, { "/": mb(1, 10), "/home": mb(1, 10) }, "/home"), [
      "sum 1/10",
      "/ 1/10",
      "/home 1/10",
    ]);
  });

  it("see the disks of an Unraid-like machine, and its union only when it is named", async () => {
    const unraid = [
      "1 0 0:2 / / rw - rootfs rootfs rw",
      "20 1 8:1 / /boot rw - vfat /dev/sda1 rw",
      "21 1 9:1 / /mnt/disk1 rw - xfs /dev/md1p1 rw",
      "22 1 9:2 / /mnt/disk2 rw - btrfs /dev/md2p1 rw",
      "23 1 0:44 / /mnt/cache rw - zfs cache rw",
      "24 1 0:45 / /mnt/cache/appdata rw - zfs cache/appdata rw",
      "25 1 0:60 / /mnt/user rw - fuse.shfs shfs rw",
      "26 1 0:61 / /mnt/user0 rw - fuse.shfs shfs rw",
      "27 1 0:62 / /var/lib/docker rw - btrfs /dev/loop2 rw",
    ];
    const full = {
      "/boot": mb(1, 4),
      "/mnt/disk1": mb(90, 100),
      "/mnt/disk2": mb(10, 100),
      "/mnt/cache": mb(0, 20),
      "/mnt/cache/appdata": mb(30, 50),
      "/mnt/user": mb(130, 250),
    };
    const disks = ["/boot 1/4", "/mnt/cache 30/50", "/mnt/disk1 90/100", "/mnt/disk2 10/100"];
    assert.deepEqual(await spacesOf(unraid, full), ["sum 131/254", ...disks]);
    assert.deepEqual(await spacesOf(unraid, full, "/mnt/user"), [
      "sum 131/254",
      ...disks,
      "/mnt/user 130/250",
    ]);
  });
});

describe("a file system that does not answer", () => {
  const size = { bsize: 1, blocks: 10, bfree: 5, bavail: 5 };
  const remote = { isLocal: false };
  const local = { isLocal: true };

  it("is left out after a moment, is not read again until it responds, and leaves threads for others", async () => {
    const asked: string[] = [];
    const answers = new Map<string, () => void>();
    const space = createSpaceReader((path) => {
      asked.push(path);
      if (!path.startsWith("/dead")) return Promise.resolve(size);
      return new Promise((resolve) => {
        answers.set(path, () => resolve(size));
      });
    }, 1);
    await assert.rejects(space("/dead1", remote), /"\/dead1" does not respond/u);
    await assert.rejects(space("/dead1", remote), /"\/dead1" does not respond/u);
    assert.deepEqual(await space("/", local), { totalBytes: 10, usedBytes: 5 });
    await assert.rejects(space("/dead2", remote), /does not respond/u);
    await assert.rejects(
      space("/dead3", remote),
      /Not read, because "\/dead1" and "\/dead2" do not respond/u,
    );
    assert.deepEqual(asked, ["/dead1", "/", "/dead2"]);
    answers.get("/dead1")?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await space("/dead1", remote).catch(() => "asked again"), "asked again");
    assert.equal(asked.at(-1), "/dead1");
  });
});

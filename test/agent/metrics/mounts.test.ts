import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseMountinfo, pickDiskMounts, readDiskSpace } from "../../../src/agent/metrics/mounts.ts";
import { createFixtureFiles } from "../support/system-files.ts";

function pathsOf(lines: readonly string[]): string[] {
  return pickDiskMounts(parseMountinfo(lines.join("\n"))).map(({ path }) => path);
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

describe("pickDiskMounts", () => {
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
  it("sums what can be told and leaves out what cannot", async () => {
    const files = createFixtureFiles(
      {
        "/proc/self/mountinfo":
          "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 254:16 / /srv rw - xfs /dev/vdb rw\n29 27 254:32 / /gone rw - xfs /dev/vdc rw\n",
      },
      { "/": { totalBytes: 100, usedBytes: 40 }, "/srv": { totalBytes: 50, usedBytes: 5 } },
    );
    const space = await readDiskSpace(files);
    assert.deepEqual([space?.totalBytes, space?.usedBytes], [150, 45]);
    assert.deepEqual(
      space?.mounts?.map(({ path }) => path),
      ["/", "/srv"],
    );
  });

  it("tells nothing where nothing can be told", async () => {
    assert.equal(await readDiskSpace(createFixtureFiles({})), undefined);
  });
});

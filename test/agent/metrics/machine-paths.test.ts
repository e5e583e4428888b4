/** Where an agent in a container finds the files of its machine, with all of "/" and with parts of it. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  createMachinePaths,
  findSpacePlace,
  sharesNetwork,
} from "../../../src/agent/metrics/machine-paths.ts";
import { parseMountinfo } from "../../../src/agent/metrics/mountinfo.ts";
import { readMachineName } from "../../../src/agent/metrics/this-machine.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-machine-paths-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function place(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

describe("createMachinePaths", () => {
  const places = [
    "/proc/stat",
    "/proc/net/dev",
    "/proc/self/mountinfo",
    "/proc",
    "/sys/class/hwmon",
    "/etc/os-release",
    "/procedures",
  ];

  it("changes nothing outside of a container", () => {
    const { toPlace, toSpacePlace } = createMachinePaths("");
    assert.deepEqual(places.map(toPlace), places);
    assert.equal(toSpacePlace("/srv", "8:1"), "/srv");
  });

  it("reads the machine's own /proc where it is mounted, with the network and the mounts of its first process", async () => {
    const root = await place("whole", { "proc/stat": "", "proc/1/net/dev": "", "proc/1/mountinfo": "" });
    assert.deepEqual(places.map(createMachinePaths(root).toPlace), [
      `${root}/proc/stat`,
      `${root}/proc/1/net/dev`,
      `${root}/proc/1/mountinfo`,
      `${root}/proc`,
      `${root}/sys/class/hwmon`,
      `${root}/etc/os-release`,
      `${root}/procedures`,
    ]);
  });

  it("reads what there is where the first process is hidden", async () => {
    const root = await place("hidden", { "proc/stat": "" });
    const { toPlace } = createMachinePaths(root);
    assert.deepEqual(
      [toPlace("/proc/net/dev"), toPlace("/proc/self/mountinfo")],
      [`${root}/proc/net/dev`, `${root}/proc/self/mountinfo`],
    );
  });

  it("reads the container's /proc where the machine's is not mounted, as with --pid host", async () => {
    const root = await place("parts", { "etc/hostname": "box\n" });
    const { toPlace } = createMachinePaths(root);
    assert.deepEqual(
      [toPlace("/proc/stat"), toPlace("/sys/class/net"), toPlace("/etc/hostname")],
      ["/proc/stat", "/sys/class/net", `${root}/etc/hostname`],
    );
  });
});

describe("findSpacePlace", () => {
  const mounts = parseMountinfo(
    [
      "1 0 0:50 / / rw - overlay overlay rw",
      "2 1 8:1 /etc/hostname /host/etc/hostname ro - ext4 /dev/sda1 ro",
      "3 1 8:17 / /host/srv ro - xfs /dev/sdb1 ro",
      "4 1 8:33 /some/folder /host/mnt/data ro - ext4 /dev/sdc1 ro",
      "5 1 0:22 / /host/proc ro - proc proc ro",
    ].join("\n"),
  );
  const find = (path: string, device: string | undefined, among = mounts) =>
    findSpacePlace(among, { root: "/host", path, device });

  it("takes the mount itself, or any part of the same file system", () => {
    assert.equal(find("/srv", "8:17"), "/host/srv");
    assert.equal(find("/mnt/data", "8:33"), "/host/mnt/data");
    assert.equal(find("/", "8:1"), "/host/etc/hostname");
    assert.equal(find("/var/log", "8:33"), "/host/mnt/data");
  });

  it("never takes the disk of the container for one of the machine", () => {
    assert.throws(
      () => find("/home", "8:49"),
      /"\/home" is not mounted into the container\. Mount it, or one of its folders, below \/host/u,
    );
    // Another file system lies at that path in the container.
    assert.throws(() => find("/srv", "8:18"), /not mounted/u);
  });

  it("takes the path as it is where nothing is mounted below the folder", () => {
    assert.equal(find("/home", "8:49", mounts.slice(0, 1)), "/host/home");
    assert.equal(find("/", "8:49", mounts.slice(0, 1)), "/host");
  });
});

describe("a container's view", () => {
  it("has the machine's addresses only in the machine's network", () => {
    const lines = (...names: string[]) => names.map((name) => `  ${name}: 1 0 0 0 0 0 0 0 2 0\n`).join("");
    const machine = `Inter-|  Receive\n face |bytes\n${lines("lo", "eth0")}`;
    assert.equal(sharesNetwork(machine, machine.replaceAll(": 1", ": 3")), true);
    assert.equal(sharesNetwork(machine, lines("lo", "tap0")), false);
    assert.equal(sharesNetwork(undefined, machine), false);
  });

  it("has the machine's name in its file, not in its own host name", async () => {
    const root = await place("named", { "etc/hostname": "box-7\n" });
    assert.equal(readMachineName(root), "box-7");
    assert.equal(readMachineName(join(folder, "nothing")), readMachineName(undefined));
  });
});

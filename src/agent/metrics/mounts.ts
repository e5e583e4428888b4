/** Which file systems count as the machine's disks, from /proc/self/mountinfo. */
import type { DiskUsage, MountUsage } from "../payload.ts";
import type { SystemFiles } from "./system-files.ts";

/** One line of mountinfo, as far as it matters here. */
export interface Mount {
  readonly device: string;
  /** Which part of the file system is mounted; "/" is the whole. */
  readonly root: string;
  readonly path: string;
  readonly type: string;
  readonly source: string;
}

// Only what lies on a local disk. Network file systems are left out because a dead server makes statfs hang.
const diskTypes = new Set(
  "ext2 ext3 ext4 xfs btrfs zfs bcachefs f2fs jfs reiserfs nilfs2 ntfs ntfs3 fuseblk exfat vfat hfsplus ufs apfs".split(
    " ",
  ),
);

// Container engines bind these from the host's disk into every container.
const boundFiles = new Set(["/etc/hosts", "/etc/hostname", "/etc/resolv.conf"]);
const foreignFolders = [
  "/snap/",
  "/var/snap/",
  "/var/lib/docker/",
  "/var/lib/containers/",
  "/var/lib/kubelet/",
];
/** The service takes 64 of up to 1,024 characters. */
const MOST_MOUNTS = 32;
const LONGEST_PATH = 1024;

function unescapePath(text: string): string {
  // Space, tab, newline and backslash stand as octal: proc_pid_mountinfo(5).
  return text.replace(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Reads the text of /proc/self/mountinfo; lines that are not of its form are passed over. */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split("\n")) {
    const [left, right] = line.split(" - ");
    const [, , device, root, path] = (left ?? "").split(" ");
    const [type, source] = (right ?? "").split(" ");
    if (device === undefined || root === undefined || path === undefined || type === undefined) continue;
    mounts.push({ device, root, path: unescapePath(path), type, source: source ?? "" });
  }
  return mounts;
}

/** What two mounts share when they lie on the same space. */
function spaceOf(mount: Mount): string {
  // Subvolumes of btrfs have device numbers of their own, data sets of ZFS share their pool.
  if (mount.type === "btrfs") return `btrfs ${mount.source}`;
  if (mount.type === "zfs") return `zfs ${mount.source.split("/")[0] ?? ""}`;
  return mount.device;
}

function isBetter(mount: Mount, than: Mount): boolean {
  if ((mount.root === "/") !== (than.root === "/")) return mount.root === "/";
  return mount.path.length < than.path.length;
}

/** The mounts to count: one for each space, the whole before a part, the shortest path. Sorted by path. */
export function pickDiskMounts(mounts: readonly Mount[]): Mount[] {
  const bySpace = new Map<string, Mount>();
  for (const mount of mounts) {
    if (!diskTypes.has(mount.type) || boundFiles.has(mount.path)) continue;
    if (
      mount.source.startsWith("/dev/loop") ||
      foreignFolders.some((folder) => mount.path.startsWith(folder))
    )
      continue;
    const key = spaceOf(mount);
    const known = bySpace.get(key);
    if (known === undefined || isBetter(mount, known)) bySpace.set(key, mount);
  }
  if (bySpace.size === 0) {
    // In a container "/" is an overlay whose space is that of the host's disk.
    const rootMount = mounts.findLast((mount) => mount.path === "/" && mount.type === "overlay");
    if (rootMount !== undefined) return [rootMount];
  }
  return [...bySpace.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Space over the machine's disks; undefined when none is known. */
export async function readDiskSpace(files: SystemFiles): Promise<DiskUsage | undefined> {
  const mounts: MountUsage[] = [];
  for (const { path } of pickDiskMounts(parseMountinfo(files.text("/proc/self/mountinfo") ?? ""))) {
    const space = await files.space(path);
    if (space !== undefined) mounts.push({ path, ...space });
  }
  if (mounts.length === 0) return undefined;
  return {
    totalBytes: mounts.reduce((sum, mount) => sum + mount.totalBytes, 0),
    usedBytes: mounts.reduce((sum, mount) => sum + mount.usedBytes, 0),
    mounts: mounts.filter(({ path }) => path.length <= LONGEST_PATH).slice(0, MOST_MOUNTS),
  };
}

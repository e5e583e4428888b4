/** Which file systems count as the machine's disks, from /proc/self/mountinfo. */
import type { FactReader } from "../facts.ts";
import type { DiskUsage, MountUsage, SilentMount, Usage } from "../payload.ts";
import type { NameFilter } from "../../kit/text/name-filter.ts";
import { chooseNothing } from "../name-filter.ts";
import { type Mount, parseMountinfo } from "./mountinfo.ts";
import { type SystemFiles, Unresponsive } from "./system-files.ts";

// Only what lies on a local disk. Network file systems, unions such as mergerfs and images of disks are reported when
// the owner of the machine names them.
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

/** What two mounts share when they lie on the same space. */
function spaceOf(mount: Mount): string {
  // Subvolumes of btrfs have device numbers of their own, data sets of ZFS share their pool.
  if (mount.type === "btrfs") return `btrfs ${mount.source}`;
  if (mount.type === "zfs") return `zfs ${mount.source.split("/")[0] ?? ""}`;
  return mount.device;
}

function isUsual({ type, path, source }: Mount): boolean {
  return (
    diskTypes.has(type) &&
    !boundFiles.has(path) &&
    !source.startsWith("/dev/loop") &&
    !foreignFolders.some((folder) => path.startsWith(folder)) &&
    // A snapshot of ZFS holds nothing of its own.
    !(type === "zfs" && source.includes("@"))
  );
}

function isBetter(mount: Mount, than: Mount): boolean {
  if ((mount.root === "/") !== (than.root === "/")) return mount.root === "/";
  return mount.path.length < than.path.length;
}

export interface DiskSpace {
  /** Where it is shown. */
  readonly path: string;
  /** The mounts to add up: one, or the data sets of a pool. */
  readonly parts: readonly Mount[];
  /** Whether it is part of the sums over all disks. What the owner names besides may lie on a disk that is counted. */
  readonly isCounted: boolean;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** The mounts of each space that counts as a disk, the best one first. */
function groupUsual(mounts: readonly Mount[]): readonly (readonly [Mount, ...Mount[]])[] {
  const bySpace = new Map<string, [Mount, ...Mount[]]>();
  for (const mount of mounts.filter(isUsual)) {
    const known = bySpace.get(spaceOf(mount));
    if (known === undefined) bySpace.set(spaceOf(mount), [mount]);
    else if (isBetter(mount, known[0])) known.unshift(mount);
    else known.push(mount);
  }
  if (bySpace.size > 0) return [...bySpace.values()];
  // In a container "/" is an overlay whose space is that of the host's disk.
  const rootMount = mounts.findLast((mount) => mount.path === "/" && mount.type === "overlay");
  return rootMount === undefined ? [] : [[rootMount]];
}

/** Of each data set one mount. */
function toParts(group: readonly [Mount, ...Mount[]]): readonly Mount[] {
  const [best] = group;
  if (best.type !== "zfs") return [best];
  return [...new Map(group.toReversed().map((mount) => [mount.source, mount])).values()].toReversed();
}

/**
 * The spaces to report, sorted by path: of each disk the mount of the whole before that of a part, with the shortest
 * path; then those that `choose` includes. What it leaves out is named by the path that is shown.
 */
export function pickDisks(mounts: readonly Mount[], choose: NameFilter = chooseNothing): DiskSpace[] {
  const usual = groupUsual(mounts)
    .map((group) => ({ path: group[0].path, parts: toParts(group), isCounted: true }))
    .toSorted(byPath);
  const shown = new Set(usual.map(({ path }) => path));
  const named = mounts.filter(({ path }) => choose(path) === true && !shown.has(path));
  const extra = new Map(
    named.map((mount) => [mount.path, { path: mount.path, parts: [mount], isCounted: false }]),
  );
  return [...usual.filter(({ path }) => choose(path) !== false), ...[...extra.values()].toSorted(byPath)];
}

/** A data set has a limit of its own when it has this much less to give than its pool. */
const LIMITED_SHARE = 0.9;

interface PartUsage extends MountUsage {
  readonly availableBytes: number;
}

/** All data sets of a pool: what they use, and what is free, which every one without a limit of its own says alike. */
function toPoolUsage(parts: readonly PartUsage[]): { pool: Usage; limited: MountUsage[] } {
  const usedBytes = parts.reduce((sum, part) => sum + part.usedBytes, 0);
  const availableBytes = Math.max(...parts.map((part) => part.availableBytes));
  const limited = parts
    .filter((part) => part.availableBytes < availableBytes * LIMITED_SHARE)
    .map(({ path, totalBytes, usedBytes: used }) => ({ path, totalBytes, usedBytes: used }));
  return { pool: { totalBytes: usedBytes + availableBytes, usedBytes }, limited };
}

export interface DiskSpaceOptions {
  readonly facts: FactReader;
  /** Which mounts to report beyond or below the usual. */
  readonly choose?: NameFilter;
  /** Called with the disks of the machine before network file systems are read. */
  readonly onLocal?: (disk: DiskUsage | undefined) => void;
}

const SPACE_FACT = "The space of ";

function toFact({ path }: Mount): string {
  return `${SPACE_FACT}${path}`;
}

/** What the data sets of a pool, or the one mount of another disk, say; and those that do not answer. */
async function readParts(
  files: SystemFiles,
  parts: readonly Mount[],
  facts: FactReader,
): Promise<{ read: PartUsage[]; silent: SilentMount[] }> {
  const read: PartUsage[] = [];
  const silent: SilentMount[] = [];
  for (const part of parts) {
    const space = await facts.readLater(toFact(part), async () => {
      try {
        return await files.space(part.path, { isLocal: isLocalType(part), device: part.device });
      } catch (error) {
        if (error instanceof Unresponsive) silent.push({ path: part.path, state: "unresponsive" });
        throw error;
      }
    });
    if (space !== undefined)
      read.push({ path: part.path, ...space, availableBytes: space.totalBytes - space.usedBytes });
  }
  return { read, silent };
}

/** A pool of several data sets makes its inodes as it needs them. */
function toMount(path: string, read: readonly PartUsage[], pool: Usage): MountUsage {
  const [only] = read;
  if (read.length !== 1 || only?.inodesTotal === undefined) return { path, ...pool };
  return { path, ...pool, inodesTotal: only.inodesTotal, inodesUsed: only.inodesUsed };
}

/** The sums of what counts, and every mount. */
function toDiskUsage(
  counted: readonly MountUsage[],
  beside: readonly MountUsage[],
  silent: readonly SilentMount[],
): DiskUsage | undefined {
  const mounts = [...counted, ...[...beside, ...silent].toSorted(byPath)]
    .filter(({ path }) => path.length <= LONGEST_PATH)
    .slice(0, MOST_MOUNTS);
  if (mounts.length === 0) return undefined;
  const summed = counted.length > 0 ? counted : beside;
  if (summed.length === 0) return { mounts };
  return {
    totalBytes: summed.reduce((sum, mount) => sum + mount.totalBytes, 0),
    usedBytes: summed.reduce((sum, mount) => sum + mount.usedBytes, 0),
    mounts,
  };
}

/** What answers without a disk. */
const memoryTypes = new Set(["tmpfs", "ramfs", "overlay", "squashfs"]);

function isLocalType({ type }: Mount): boolean {
  return diskTypes.has(type) || memoryTypes.has(type);
}

function isLocal({ parts }: DiskSpace): boolean {
  return parts.every(isLocalType);
}

/**
 * Space over the machine's disks; undefined when none is known. A mount that does not respond is reported and not
 * counted.
 */
export async function readDiskSpace(
  files: SystemFiles,
  { facts, choose = chooseNothing, onLocal }: DiskSpaceOptions,
): Promise<DiskUsage | undefined> {
  const disks = pickDisks(parseMountinfo(files.need("/proc/self/mountinfo")), choose);
  const counted: MountUsage[] = [];
  const beside: MountUsage[] = [];
  const unresponsive: SilentMount[] = [];
  facts.keep(SPACE_FACT, new Set(disks.flatMap(({ parts }) => parts.map(toFact))));
  const read = async ({ path, parts, isCounted }: DiskSpace): Promise<void> => {
    const { read: known, silent } = await readParts(files, parts, facts);
    unresponsive.push(...silent);
    if (known.length === 0) return;
    const { pool, limited } = toPoolUsage(known);
    (isCounted ? counted : beside).push(toMount(path, known, pool));
    beside.push(...limited.filter((part) => part.path !== path && choose(part.path) !== false));
  };
  // One after the other: each that hangs holds a thread.
  for (const disk of disks.filter(isLocal)) await read(disk);
  onLocal?.(toDiskUsage(counted, beside, unresponsive));
  for (const disk of disks.filter((each) => !isLocal(each))) await read(disk);
  return toDiskUsage(counted, beside, unresponsive);
}

/** How long a report waits for the disks; what they say later comes with the next one. */
const PATIENCE_MS = 250;

/** Reads the disks beside the measurements: one that hangs delays no report. Call it as often as you like. */
export function createDiskSpaceReader(
  files: SystemFiles,
  options: DiskSpaceOptions & { readonly everyMs: number },
): (atMs: number) => Promise<DiskUsage | undefined> {
  const { facts, everyMs } = options;
  let known: DiskUsage | undefined;
  let running: Promise<void> | undefined;
  let startedMs = -Infinity;

  async function read(): Promise<void> {
    // Until there is more, the disks alone are better than nothing.
    const onLocal = (disk: DiskUsage | undefined): void => {
      known ??= disk;
    };
    known = await facts.readLater("Disk space", () => readDiskSpace(files, { ...options, onLocal }));
    running = undefined;
  }

  return async (atMs) => {
    if (running === undefined && atMs - startedMs >= everyMs) {
      startedMs = atMs;
      running = read();
    }
    if (running !== undefined) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS);
      });
      await Promise.race([running, late]);
      clearTimeout(timer);
    }
    return known;
  };
}

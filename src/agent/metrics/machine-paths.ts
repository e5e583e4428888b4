/**
 * Where a container that runs the agent finds the machine's files: below the folder where it has the machine's "/", or
 * only parts of "/", such as /proc, /sys and one file of each disk.
 */
import { existsSync, readFileSync } from "node:fs";
import { type Mount, parseMountinfo } from "./mountinfo.ts";
import { parseNetDev } from "./network.ts";

export interface MachinePaths {
  /** Where the machine's file lies. */
  toPlace(path: string): string;
  /**
   * A path on the file system that the machine has at `path`; `device` is its number in mountinfo.
   * @throws Error when the container has no part of that file system
   */
  toSpacePlace(path: string, device: string | undefined): string;
}

function isBelow({ path }: Mount, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** @throws Error when none of the container's mounts below `root` is of that device */
export function findSpacePlace(
  mounts: readonly Mount[],
  { root, path, device }: { root: string; path: string; device: string | undefined },
): string {
  const place = path === "/" ? root : `${root}${path}`;
  const below = mounts.filter((mount) => isBelow(mount, root));
  // A folder that only looks like a machine, as in trials.
  if (below.length === 0 || device === undefined) return place;
  // Without a mount of its own, `place` would be on the disk of the container.
  const same = below.filter((mount) => mount.device === device);
  const found = same.find((mount) => mount.path === place) ?? same[0];
  if (found === undefined)
    throw new Error(
      `"${path}" is not mounted into the container. Mount it, or one of its folders, below ${root}`,
    );
  return found.path;
}

const direct: MachinePaths = { toPlace: (path) => path, toSpacePlace: (path) => path };

/** @param root Where the container has the machine's "/"; "" outside of a container */
export function createMachinePaths(root: string): MachinePaths {
  if (root === "") return direct;
  // The machine's own /proc knows its processes and network whatever namespaces the container has.
  const isGiven = existsSync(`${root}/proc/stat`);
  const proc = isGiven ? `${root}/proc` : "/proc";
  const sys = isGiven ? `${root}/sys` : "/sys";
  const net = existsSync(`${proc}/1/net/dev`) ? `${proc}/1/net` : `${proc}/net`;
  const mountinfo = existsSync(`${proc}/1/mountinfo`) ? `${proc}/1/mountinfo` : `${proc}/self/mountinfo`;
  return {
    toPlace: (path) => {
      // "self" and "net" would be the container's.
      if (path === "/proc/self/mountinfo") return mountinfo;
      if (path.startsWith("/proc/net/")) return `${net}${path.slice("/proc/net".length)}`;
      if (path === "/proc" || path.startsWith("/proc/")) return `${proc}${path.slice("/proc".length)}`;
      if (path.startsWith("/sys/")) return `${sys}${path.slice("/sys".length)}`;
      return `${root}${path}`;
    },
    toSpacePlace: (path, device) =>
      findSpacePlace(parseMountinfo(readFileSync("/proc/self/mountinfo", "utf8")), { root, path, device }),
  };
}

/** Whether this process is in the machine's own network, so that its addresses are the machine's. */
export function sharesNetwork(ofMachine: string | undefined, own: string): boolean {
  const toNames = (text: string): string =>
    parseNetDev(text)
      .map(({ name }) => name)
      .join();
  return ofMachine !== undefined && toNames(ofMachine) === toNames(own);
}

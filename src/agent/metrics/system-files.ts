/**
 * What the readers see of /proc and /sys, as a port, so that tests can put fixture texts in its place. What cannot be
 * read is absent: containers and hardened kernels hide files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Usage } from "../payload.ts";

/** Files of the kernel. Reads are synchronous because they never wait for a disk. */
export interface SystemFiles {
  /** The text, or undefined when it cannot be read. */
  text(path: string): string | undefined;
  /** Names in a folder; empty when it cannot be read. */
  names(path: string): readonly string[];
  /** Space of the file system at `path` as `df` shows it, or undefined. */
  space(path: string): Promise<Usage | undefined>;
}

async function readSpace(path: string): Promise<Usage | undefined> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(path);
    if (blocks === 0) return undefined;
    // As df: what is reserved for root counts neither as used nor as available to others.
    const usedBytes = (blocks - bfree) * bsize;
    return { totalBytes: usedBytes + bavail * bsize, usedBytes };
  } catch {
    return undefined;
  }
}

/** Where a path of the machine lies for a process in a container that has the machine's disk at `root`. */
function toPlace(path: string, root: string): string {
  if (root === "") return path;
  // Process 1 is the machine's own: the container shares its processes.
  if (path === "/proc/self/mountinfo") return "/proc/1/mountinfo";
  return /^\/(?:proc|sys)\//u.test(path) ? path : `${root}${path}`;
}

/** The machine's own files. `root` is where a container sees the machine's "/"; "" outside of one. */
export function createSystemFiles(root = ""): SystemFiles {
  return {
    text: (path) => {
      try {
        return readFileSync(toPlace(path, root), "utf8");
      } catch {
        return undefined;
      }
    },
    names: (path) => {
      try {
        return readdirSync(toPlace(path, root));
      } catch {
        return [];
      }
    },
    space: (path) => readSpace(toPlace(path, root)),
  };
}

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

/** The machine's own files. */
export const systemFiles: SystemFiles = {
  text: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
  names: (path) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
  space: readSpace,
};

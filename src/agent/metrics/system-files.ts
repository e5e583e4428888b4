/**
 * What the readers see of /proc and /sys, as a port, so that tests can put fixture texts in its place. What cannot be
 * read is absent: containers and hardened kernels hide files.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { basename } from "node:path";
import type { SpaceUsage } from "../payload.ts";
import { createMachinePaths } from "./machine-paths.ts";

/** Files of the kernel. Reads are synchronous because they never wait for a disk. */
export interface SystemFiles {
  /** The text, or undefined when it cannot be read: for what many machines do not have. */
  text(path: string): string | undefined;
  /** The text of a file that every machine has. @throws Error with the reason */
  need(path: string): string;
  /** Names in a folder; empty when it cannot be read. */
  names(path: string): readonly string[];
  /** The last part of where a symbolic link leads, or undefined. */
  target(path: string): string | undefined;
  /** Space of the file system at `path` as `df` shows it; undefined when it has none. @throws Error with the reason */
  space(path: string, options: SpaceOptions): Promise<SpaceUsage | undefined>;
}

export interface SpaceOptions {
  /** Whether it is on a disk of this machine. Such disks are read whether or not network file systems respond. */
  readonly isLocal: boolean;
  /** Its number in mountinfo, by which a container finds the file system. */
  readonly device?: string;
}

/** A disk that answers later than this is taken for one that does not answer. */
const SPACE_MS = 2_000;
/** Each call that does not come back holds a thread of the four that also look up names and write files. */
const MOST_HANGING = 2;
const MOST_HANGING_WITH_LOCAL = 3;

/** Thrown of a file system that did not answer in time. */
export class Unresponsive extends Error {
  override readonly name = "Unresponsive";
}

type StatSpace = (path: string) => Promise<{
  readonly bsize: number;
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
  readonly files?: number;
  readonly ffree?: number;
}>;

/**
 * Creates the reader of spaces. A network file system whose server is gone, or a dying disk, may never answer: it is
 * not read again before it has, and while two hang, no other of the network is read either.
 */
export function createSpaceReader(stat: StatSpace = statfs, waitMs = SPACE_MS): SystemFiles["space"] {
  const hanging = new Set<string>();
  return async (path, { isLocal }) => {
    if (hanging.has(path)) throw new Unresponsive(`"${path}" does not respond`);
    if (hanging.size >= (isLocal ? MOST_HANGING_WITH_LOCAL : MOST_HANGING))
      throw new Error(
        `Not read, because ${[...hanging].map((each) => `"${each}"`).join(" and ")} do not respond`,
      );
    const answer = stat(path);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        hanging.add(path);
        const free = (): void => void hanging.delete(path);
        answer.then(free, free);
        reject(new Unresponsive(`"${path}" does not respond`));
      }, waitMs);
    });
    const {
      bsize,
      blocks,
      bfree,
      bavail,
      files = 0,
      ffree = 0,
    } = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
    if (blocks === 0) return undefined;
    // As df: what is reserved for root counts neither as used nor as available to others.
    const usedBytes = (blocks - bfree) * bsize;
    const space = { totalBytes: usedBytes + bavail * bsize, usedBytes };
    // File systems that make inodes as they need them say 0, or their free space in other words.
    return files > 0 && ffree <= files ? { ...space, inodesTotal: files, inodesUsed: files - ffree } : space;
  };
}

/** The machine's own files. `root` is where a container sees the machine's "/"; "" outside of one. */
export function createSystemFiles(root = ""): SystemFiles {
  const space = createSpaceReader();
  const { toPlace, toSpacePlace } = createMachinePaths(root);
  return {
    need: (path) => readFileSync(toPlace(path), "utf8"),
    target: (path) => {
      try {
        return basename(readlinkSync(toPlace(path)));
      } catch {
        return undefined;
      }
    },
    text: (path) => {
      try {
        return readFileSync(toPlace(path), "utf8");
      } catch {
        return undefined;
      }
    },
    names: (path) => {
      try {
        return readdirSync(toPlace(path));
      } catch {
        return [];
      }
    },
    space: async (path, options) => await space(toSpacePlace(path, options.device), options),
  };
}

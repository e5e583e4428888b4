/** In place of `node:fs/promises`: paths below /simulated are on the simulated disk, and files of the program are read. */
import { Buffer } from "node:buffer";
import * as real from "node:fs";
import { findProgramWorld, getWorld } from "../kernel/current.ts";
import { SimulationError } from "../kernel/kernel.ts";
import { type OpenFile, type Operation, toSystemError } from "../disk/disk.ts";
import { readSystemFile } from "../disk/system-files.ts";
import { SIMULATED, toText } from "./paths.ts";

type Path = string | URL;

/** Runs an operation on the simulated disk. */
function onDisk<T>(operation: Operation, path: string, work: () => T): Promise<T> {
  if (findProgramWorld() === undefined) throw new SimulationError(`The harness touched "${path}"`);
  return getWorld().disk().step(operation, path, work);
}

const isSimulated = (path: string): boolean => path.startsWith(SIMULATED);

class Stats {
  readonly size: number;
  readonly #kind: "file" | "folder";
  readonly mtimeMs = 0;

  constructor(kind: "file" | "folder", size: number) {
    this.#kind = kind;
    this.size = size;
  }

  isFile(): boolean {
    return this.#kind === "file";
  }

  isDirectory(): boolean {
    return this.#kind === "folder";
  }
}

class Handle {
  readonly #file: OpenFile;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  async write(bytes: Uint8Array, offset = 0, length = bytes.length - offset, position?: number | null) {
    const file = this.#file;
    const part = bytes.slice(offset, offset + length);
    const disk = getWorld().disk();
    const { count, settle } = await onDisk("write", file.path, () =>
      disk.write(file, part, position ?? undefined),
    );
    // Between the two the disk may have any part of it.
    if (file.isDurable) await onDisk("commit", file.path, settle);
    return { bytesWritten: count, buffer: bytes };
  }

  async read(into: Uint8Array, offset: number, length: number, position: number | null) {
    const file = this.#file;
    const bytesRead = await onDisk("read", file.path, () => {
      if (file.inode.kind !== "file") throw toSystemError("EISDIR", "read", file.path);
      const count = file.inode.read(into.subarray(offset, offset + length), position ?? file.position);
      if (position === null) file.position += count;
      return count;
    });
    return { bytesRead, buffer: into };
  }

  #sync(): Promise<void> {
    return onDisk("sync", this.#file.path, () => this.#file.inode.sync());
  }

  datasync(): Promise<void> {
    return this.#sync();
  }

  sync(): Promise<void> {
    return this.#sync();
  }

  stat(): Promise<Stats> {
    const { inode, path } = this.#file;
    return onDisk("stat", path, () => new Stats(inode.kind, inode.kind === "file" ? inode.size : 0));
  }

  truncate(size: number): Promise<void> {
    return onDisk("write", this.#file.path, () => {
      if (this.#file.inode.kind === "file") this.#file.inode.truncate(size);
    });
  }

  close(): Promise<void> {
    return onDisk("close", this.#file.path, () => undefined);
  }
}

export type FileHandle = Handle;

const flagBits: Readonly<Record<string, number>> = {
  r: real.constants.O_RDONLY,
  w: real.constants.O_WRONLY | real.constants.O_CREAT | real.constants.O_TRUNC,
  wx: real.constants.O_WRONLY | real.constants.O_CREAT | real.constants.O_EXCL,
  a: real.constants.O_WRONLY | real.constants.O_CREAT | real.constants.O_APPEND,
};

export function open(given: Path, flags: number | string = "r", mode = 0o600): Promise<Handle> {
  const path = toText(given);
  const bits = typeof flags === "number" ? flags : flagBits[flags];
  if (bits === undefined) throw new SimulationError(`Opening with "${flags}" is not simulated`);
  const operation = (bits & real.constants.O_CREAT) === 0 ? "open" : "create";
  return onDisk(operation, path, () => new Handle(getWorld().disk().open(path, bits, mode)));
}

export async function readFile(
  given: Path,
  encoding?: string | { encoding?: string },
): Promise<string | Buffer> {
  const path = toText(given);
  const bytes = isSimulated(path)
    ? await onDisk("read", path, () => {
        const inode = getWorld().disk().get(path, "open");
        if (inode.kind !== "file") throw toSystemError("EISDIR", "read", path);
        return Buffer.from(inode.readAll());
      })
    : readSystemFile(path);
  const name = typeof encoding === "string" ? encoding : encoding?.encoding;
  return name === undefined ? bytes : bytes.toString("utf8");
}

export async function readlink(path: string): Promise<string> {
  return readSystemFile(path).toString("utf8");
}

export async function writeFile(given: Path, content: string | Uint8Array): Promise<void> {
  const handle = await open(given, "w");
  await handle.write(typeof content === "string" ? Buffer.from(content) : content);
  await handle.close();
}

interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

export async function readdir(
  given: Path,
  options?: { withFileTypes?: boolean },
): Promise<string[] | Entry[]> {
  const path = toText(given);
  const entries = isSimulated(path)
    ? await onDisk("list", path, () => {
        const folder = getWorld().disk().get(path, "scandir");
        if (folder.kind !== "folder") throw toSystemError("ENOTDIR", "scandir", path);
        return [...folder.names].map(([name, { kind }]): Entry => ({
          name,
          isFile: () => kind === "file",
          isDirectory: () => kind === "folder",
        }));
      })
    : real.readdirSync(path, { withFileTypes: true });
  return options?.withFileTypes === true ? entries : entries.map(({ name }) => name);
}

export async function stat(given: Path): Promise<Stats | real.Stats> {
  const path = toText(given);
  if (!isSimulated(path)) return real.statSync(path);
  return onDisk("stat", path, () => {
    const inode = getWorld().disk().get(path, "stat");
    return new Stats(inode.kind, inode.kind === "file" ? inode.size : 0);
  });
}

export const access = async (path: Path): Promise<void> => void (await stat(path));

export const mkdir = (path: string): Promise<void> =>
  onDisk("create", path, () => getWorld().disk().makeFolder(path));

export const chmod = (path: string, mode: number): Promise<void> =>
  onDisk("chmod", path, () => void (getWorld().disk().get(path, "chmod").mode = mode));

export const rename = (from: string, to: string): Promise<void> =>
  onDisk("rename", from, () => getWorld().disk().rename(from, to));

export const rm = (path: string, options?: { force?: boolean; recursive?: boolean }): Promise<void> =>
  onDisk("remove", path, () => {
    const disk = getWorld().disk();
    if (options?.force === true && disk.find(path) === undefined) return;
    disk.remove(path);
  });

export const rmdir = (path: string): Promise<void> => rm(path);

const BLOCK = 4_096;
const BLOCKS = 1_000_000;

export const statfs = (path: string): Promise<{ bavail: number; blocks: number; bsize: number }> =>
  onDisk("stat", path, () => {
    const isFull = getWorld().disk().trouble.isFull;
    return { bavail: isFull ? 0 : BLOCKS / 2, blocks: BLOCKS, bsize: BLOCK };
  });

export const constants = real.constants;

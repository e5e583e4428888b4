/**
 * The few file operations that the store's durability rests on, as a port, so that tests can make a disk full, a
 * write short or an fsync fail.
 */
import { closeSync, constants, openSync, readSync } from "node:fs";
import { type FileHandle, chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { codeOf } from "../thrown.ts";

export interface FileRange {
  readonly offset: number;
  readonly sizeBytes: number;
}

export interface ReadFile {
  readonly path: string;
  /** Fills the beginning of `into`, at once. @throws Error when the file ends before */
  read(into: Uint8Array, range: FileRange): void;
  close(): void;
}

export interface FileLayer {
  /** Opens or creates (0600) a file for appending. `truncate` empties it, `exclusive` refuses an existing one. */
  openAppend(path: string, options?: { truncate?: boolean; exclusive?: boolean }): Promise<AppendFile>;
  /** The whole file in chunks, or undefined when there is none. */
  readChunks(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Opens a file to read parts of it; undefined when there is none. What is opened stays as it is when the name goes to another file. */
  openRead(path: string): Promise<ReadFile | undefined>;
  /** A part of a file: fewer bytes when it ends before, undefined when there is none. */
  readRange(path: string, range: FileRange): Promise<Uint8Array | undefined>;
  /** Size in bytes, or undefined when there is none. */
  sizeBytes(path: string): Promise<number | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; nothing happens when there is none. */
  remove(path: string): Promise<void>;
  /** Names in a folder, sorted; empty when there is no folder. */
  list(folder: string): Promise<string[]>;
  /** Creates the folder (0700) and those above it, and narrows an existing one to 0700. */
  makeFolder(path: string): Promise<void>;
  /** Makes sure that renames and new names in the folder survive a power cut. */
  syncFolder(path: string): Promise<void>;
}

const CHUNK_BYTES = 1024 * 1024;
/** Where a file can be opened so that each write is synced by itself; elsewhere a sync does more than that (macOS). */
const syncedWrites = process.platform === "linux" ? constants.O_DSYNC : undefined;

async function openNodeAppend(path: string, options: { truncate?: boolean; exclusive?: boolean } = {}) {
  const flags =
    constants.O_RDWR |
    constants.O_CREAT |
    constants.O_APPEND |
    (options.exclusive === true ? constants.O_EXCL : 0);
  const handle = await open(path, flags, 0o600);
  // Deno refuses O_TRUNC together with O_APPEND (EINVAL), so that the file is emptied once it is open.
  if (options.truncate === true) await handle.truncate(0);
  const named = (error: unknown): never => {
    // System errors of an open file do not name the file.
    if (error instanceof Error && !error.message.includes(path)) error.message += ` "${path}"`;
    throw error;
  };
  const write = async (to: FileHandle, bytes: Uint8Array): Promise<void> => {
    let offset = 0;
    while (offset < bytes.byteLength) {
      const { bytesWritten } = await to.write(bytes, offset, bytes.byteLength - offset).catch(named);
      if (bytesWritten === 0) throw new Error(`Short write to "${path}"`);
      offset += bytesWritten;
    }
  };
  let synced: FileHandle | undefined;
  return {
    path,
    /** Writes all bytes at the end; throws when not all could be written. */
    append: (bytes: Uint8Array): Promise<void> => write(handle, bytes),
    /** Resolves when all that was appended survives a power cut (fdatasync). */
    datasync: (): Promise<void> => handle.datasync().catch(named),
    /**
     * Appends bytes that survive a power cut when it resolves: one call of the system where it has such (O_DSYNC). What
     * was appended before stays as durable as it was. For a file that keeps its name.
     */
    appendDurably: async (bytes: Uint8Array): Promise<void> => {
      if (syncedWrites === undefined) {
        await write(handle, bytes);
        await handle.datasync().catch(named);
        return;
      }
      synced ??= await open(path, constants.O_WRONLY | constants.O_APPEND | syncedWrites);
      await write(synced, bytes);
    },
    sizeBytes: async (): Promise<number> => (await handle.stat()).size,
    /** Cuts the file to `sizeBytes`. */
    truncate: (sizeBytes: number): Promise<void> => handle.truncate(sizeBytes).catch(named),
    close: async (): Promise<void> => {
      try {
        await synced?.close();
      } finally {
        await handle.close();
      }
    },
  };
}

/** A file that only grows. */
export type AppendFile = Awaited<ReturnType<typeof openNodeAppend>>;

function openNodeRead(path: string): ReadFile {
  const descriptor = openSync(path, "r");
  return {
    path,
    read: (into, { offset, sizeBytes }) => {
      let length = 0;
      while (length < sizeBytes) {
        const bytesRead = readSync(descriptor, into, length, sizeBytes - length, offset + length);
        if (bytesRead === 0) throw new Error(`"${path}" ends before byte ${offset + sizeBytes}`);
        length += bytesRead;
      }
    },
    close: () => closeSync(descriptor),
  };
}

async function* readHandle(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, "r");
  try {
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function readNodeRange(path: string, range: FileRange): Promise<Uint8Array> {
  const handle = await open(path, "r");
  try {
    const bytes = new Uint8Array(range.sizeBytes);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, range.offset + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder and those above it. Not by mkdir's own `recursive`, which never returns where a folder
 * exists but reports ENOENT when a folder is created in it, as /proc does.
 */
async function makeMissing(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const parent = dirname(path);
    // Another process may have created it since.
    if ((await nodeFileLayer.sizeBytes(parent)) === undefined) await makeMissing(parent);
    await makeOne(path);
  }
}

/** Also when another process creates it at the same moment. */
async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncParent(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
}

/** Without its name in the folder above, a power cut would take a new folder with everything that was synced in it. */
async function syncParent(path: string): Promise<void> {
  // A folder above may allow this process to enter, and not to read.
  const handle = await open(dirname(path), "r").catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** Runs work on a file; undefined when it does not exist. */
async function ifThere<R>(work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The real disk. */
export const nodeFileLayer: FileLayer = {
  openAppend: openNodeAppend,
  readChunks: async (path) => {
    const size = await nodeFileLayer.sizeBytes(path);
    return size === undefined ? undefined : readHandle(path);
  },
  openRead: (path) => ifThere(async () => openNodeRead(path)),
  readRange: (path, range) => ifThere(() => readNodeRange(path, range)),
  sizeBytes: (path) => ifThere(async () => (await stat(path)).size),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  list: async (folder) => {
    try {
      return (await readdir(folder)).sort();
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  },
  makeFolder: async (path) => {
    await makeMissing(resolve(path));
    await chmod(path, 0o700);
  },
  syncFolder: async (path) => {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

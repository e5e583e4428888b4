/**
 * A disk in memory for tests of the sample log: operations can be made to fail or wait, and a power cut
 * keeps what was synced and, of the rest, any 512-byte sectors.
 */
import type { AppendFile, FileLayer } from "../../../../src/kit/files/file-layer.ts";
import { withDurableAppend } from "../../faulty-files.ts";

type Operation = "open" | "append" | "datasync" | "truncate" | "rename" | "remove" | "syncFolder";

interface Content {
  bytes: Uint8Array;
  synced: Uint8Array;
}

export interface TestDisk {
  readonly files: FileLayer;
  /** How often each operation was called. */
  readonly counts: Record<Operation, number>;
  /** Makes operations fail from now on while `match` returns true; undefined ends that. */
  fail(match: ((operation: Operation, path: string) => boolean) | undefined): void;
  /** Every datasync waits for this. */
  holdSync(until: Promise<void> | undefined): void;
  /** A disk as it is after a power cut; `keepSector` decides of each sector that was not synced. */
  cutPower(keepSector: () => boolean): TestDisk;
  names(): string[];
  read(name: string): Uint8Array;
  write(name: string, bytes: Uint8Array): void;
}

const SECTOR_BYTES = 512;

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}

function afterPowerCut({ bytes, synced }: Content, keepSector: () => boolean): Uint8Array {
  const result = bytes.slice();
  let end = synced.length;
  for (let start = synced.length; start < result.length; start += SECTOR_BYTES) {
    const sector = result.subarray(start, start + SECTOR_BYTES);
    if (keepSector()) end = start + sector.length;
    else sector.fill(0);
  }
  result.set(synced.subarray(0, Math.min(synced.length, result.length)));
  return result.slice(0, Math.max(end, synced.length));
}

/** Creates a disk with `initial` files, all synced. */
export function createTestDisk(initial: ReadonlyMap<string, Uint8Array> = new Map()): TestDisk {
  const present = new Map<string, Content>(
    [...initial].map(([path, bytes]) => [path, { bytes, synced: bytes }]),
  );
  /** Which names survive a power cut. */
  let durableNames = new Map(present);
  let failing: ((operation: Operation, path: string) => boolean) | undefined;
  let held: Promise<void> | undefined;
  const counts = { open: 0, append: 0, datasync: 0, truncate: 0, rename: 0, remove: 0, syncFolder: 0 };

  function enter(operation: Operation, path: string): void {
    counts[operation] += 1;
    if (failing?.(operation, path) === true) throw new Error(`ENOSPC: ${operation} "${path}"`);
  }

  function openFile(path: string, content: Content): AppendFile {
    return withDurableAppend({
      path,
      append: async (bytes) => {
        const whole = bytes.slice();
        try {
          enter("append", path);
        } catch (error) {
          // A full disk takes a part.
          content.bytes = join(content.bytes, whole.subarray(0, whole.length >> 1));
          throw error;
        }
        content.bytes = join(content.bytes, whole);
      },
      datasync: async () => {
        const seen = content.bytes;
        await held;
        enter("datasync", path);
        content.synced = seen;
      },
      sizeBytes: async () => content.bytes.length,
      truncate: async (sizeBytes) => {
        enter("truncate", path);
        content.bytes = content.bytes.slice(0, sizeBytes);
        content.synced = content.synced.slice(0, sizeBytes);
      },
      close: async () => undefined,
    });
  }

  const files: FileLayer = {
    openAppend: async (path, options = {}) => {
      enter("open", path);
      const known = present.get(path);
      if (known !== undefined && options.exclusive === true) throw new Error(`EEXIST: "${path}"`);
      const content =
        known !== undefined && options.truncate !== true
          ? known
          : { bytes: new Uint8Array(0), synced: new Uint8Array(0) };
      present.set(path, content);
      return openFile(path, content);
    },
    readChunks: async (path) => {
      const content = present.get(path);
      if (content === undefined) return undefined;
      return (async function* () {
        // Odd pieces, so that frames lie across them.
        for (let start = 0; start < content.bytes.length; start += 1_021)
          yield content.bytes.slice(start, start + 1_021);
      })();
    },
    openRead: async (path) => {
      throw new Error(`samples are read by ranges: "${path}"`);
    },
    readRange: async (path, { offset, sizeBytes }) =>
      present.get(path)?.bytes.slice(offset, offset + sizeBytes),
    sizeBytes: async (path) => present.get(path)?.bytes.length,
    rename: async (from, to) => {
      enter("rename", from);
      const content = present.get(from);
      if (content === undefined) throw new Error(`ENOENT: "${from}"`);
      present.delete(from);
      present.set(to, content);
    },
    remove: async (path) => {
      enter("remove", path);
      present.delete(path);
    },
    list: async (folder) =>
      [...present.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1))
        .sort(),
    makeFolder: async () => undefined,
    syncFolder: async (path) => {
      enter("syncFolder", path);
      durableNames = new Map(present);
    },
  };

  function find(name: string): Content {
    for (const [path, content] of present) if (path.endsWith(name)) return content;
    throw new Error(`No file "${name}"`);
  }

  return {
    files,
    counts,
    fail: (match) => {
      failing = match;
    },
    holdSync: (until) => {
      held = until;
    },
    cutPower: (keepSector) =>
      createTestDisk(
        new Map([...durableNames].map(([path, content]) => [path, afterPowerCut(content, keepSector)])),
      ),
    names: () => [...present.keys()].map((path) => path.slice(path.lastIndexOf("/") + 1)).sort(),
    read: (name) => find(name).bytes,
    write: (name, bytes) => {
      const content = find(name);
      content.bytes = bytes;
      content.synced = bytes;
    },
  };
}

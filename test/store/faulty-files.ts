/**
 * A disk in memory that fails on demand and knows what a power cut forgets: bytes that were not synced,
 * and names whose folder was not synced. Implements the store's FileLayer.
 */
import type { AppendFile, FileLayer, FileRange, ReadFile } from "../../src/kit/files/file-layer.ts";

export type FileOperation = "open" | "append" | "datasync" | "truncate" | "rename" | "remove" | "syncFolder";

/** What one operation shall do instead of working. */
export interface Fault {
  readonly operation: FileOperation;
  /** Only for paths that contain this. */
  readonly path?: string;
  /** Error code; default EIO. */
  readonly code?: string;
  /** For "append": bytes that are written before it fails. */
  readonly shortBy?: "all" | "half";
  /** How often; default once. */
  readonly times?: number;
}

interface Inode {
  data: Buffer;
  /** Bytes that survive a power cut. */
  syncedBytes: number;
  /** From here on a sync failed: the system takes these bytes for written, and no later sync writes them. */
  lostFrom?: number | undefined;
}

/** A change of names that is not yet synced. */
interface NameChange {
  readonly path: string;
  readonly inode: Inode | undefined;
}

/** Thrown by every operation once the power is cut. */
export class PowerCut extends Error {
  override readonly name = "PowerCut";
}

/** A file whose durable append is an append and a sync, each of which can fail. */
export function withDurableAppend(file: Omit<AppendFile, "appendDurably">): AppendFile {
  return {
    ...file,
    appendDurably: async (bytes) => {
      await file.append(bytes);
      await file.datasync();
    },
  };
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, "${path}"`), { code });
}

/** A small generator of repeatable random numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** See the module's header. */
export class FaultyFiles implements FileLayer {
  /** Operations so far that change the disk. */
  operations = 0;
  /** Whether what is open for reading cannot be read. */
  failReads = false;
  /** Files that are open for reading. */
  openReads = 0;
  /** The operation after which the power is gone. */
  powerCutAfter = Number.POSITIVE_INFINITY;
  readonly #names = new Map<string, Inode>();
  readonly #durableNames = new Map<string, Inode>();
  #nameChanges: NameChange[] = [];
  #faults: (Fault & { left: number })[] = [];
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;

  /** The next operations that fit shall fail. */
  fail(...faults: Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ ...fault, left: fault.times ?? 1 })));
  }

  /** Ends all failures. */
  repair(): void {
    this.#faults = [];
  }

  /** Syncs take until `releaseSyncs`. */
  holdSyncs(): void {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { opened, open };
  }

  releaseSyncs(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** The file's bytes as a process sees them. */
  content(path: string): Buffer | undefined {
    return this.#names.get(path)?.data;
  }

  /** Puts a file there, synced but for what is behind `syncedBytes`. */
  place(path: string, data: Buffer, syncedBytes = data.byteLength, lostFrom?: number): void {
    const inode = { data, syncedBytes, lostFrom };
    this.#names.set(path, inode);
    this.#durableNames.set(path, inode);
  }

  /** The system could not write what is not synced, and has told a process that is dead: it takes these bytes for written. */
  loseUnsynced(): void {
    for (const inode of this.#names.values())
      if (inode.syncedBytes < inode.data.byteLength) inode.lostFrom ??= inode.syncedBytes;
  }

  paths(): string[] {
    return [...this.#names.keys()].sort();
  }

  /** The disk that a killed process leaves: the kernel still has everything, until the power is cut as well. */
  afterKill(): FaultyFiles {
    const disk = new FaultyFiles();
    for (const [path, { data, syncedBytes, lostFrom }] of this.#names)
      disk.place(path, Buffer.from(data), syncedBytes, lostFrom);
    return disk;
  }

  /**
   * The disk after a power cut: synced bytes, and of the rest what `random` leaves: of each file a part of
   * the unsynced bytes (sometimes with a page of zeros in it), of the unsynced names the first few.
   */
  afterPowerCut(random: () => number = () => 0): FaultyFiles {
    const disk = new FaultyFiles();
    const names = new Map(this.#durableNames);
    const survive = Math.floor(random() * (this.#nameChanges.length + 1));
    for (const { path, inode } of this.#nameChanges.slice(0, survive)) {
      if (inode === undefined) names.delete(path);
      else names.set(path, inode);
    }
    for (const [path, { data, syncedBytes }] of names) {
      const kept = syncedBytes + Math.floor(random() * (data.byteLength - syncedBytes + 1));
      const copy = Buffer.from(data.subarray(0, kept));
      if (kept - syncedBytes > 8 && random() < 0.3) {
        const hole = syncedBytes + Math.floor(random() * (kept - syncedBytes - 4));
        copy.fill(0, hole, Math.min(kept, hole + 1 + Math.floor(random() * 200)));
      }
      disk.place(path, copy);
    }
    return disk;
  }

  /** For a disk that decides itself what fails. */
  protected onOperation(_operation: FileOperation): void {
    // Nothing by itself.
  }

  #begin(operation: FileOperation, path: string): Fault | undefined {
    this.operations += 1;
    this.onOperation(operation);
    if (this.operations > this.powerCutAfter) throw new PowerCut(`the power is off: ${operation} "${path}"`);
    const fault = this.#faults.find((one) => one.operation === operation && path.includes(one.path ?? ""));
    if (fault === undefined) return undefined;
    fault.left -= 1;
    if (fault.left <= 0) this.#faults = this.#faults.filter((one) => one !== fault);
    return fault;
  }

  #run(operation: FileOperation, path: string): void {
    const fault = this.#begin(operation, path);
    if (fault !== undefined) throw failure(fault.code ?? "EIO", path);
  }

  #name(path: string, inode: Inode | undefined): void {
    if (inode === undefined) this.#names.delete(path);
    else this.#names.set(path, inode);
    this.#nameChanges.push({ path, inode });
  }

  async openAppend(
    path: string,
    options: { truncate?: boolean; exclusive?: boolean } = {},
  ): Promise<AppendFile> {
    this.#run("open", path);
    let inode = this.#names.get(path);
    if (inode !== undefined && options.exclusive === true) throw failure("EEXIST", path);
    if (inode === undefined || options.truncate === true) {
      inode = { data: Buffer.alloc(0), syncedBytes: 0 };
      this.#name(path, inode);
    }
    return this.#handle(path, inode);
  }

  #handle(path: string, inode: Inode): AppendFile {
    return withDurableAppend({
      path,
      append: async (bytes) => {
        const fault = this.#begin("append", path);
        const part = fault?.shortBy === "half" ? bytes.byteLength >> 1 : 0;
        inode.data = Buffer.concat([inode.data, fault === undefined ? bytes : bytes.subarray(0, part)]);
        if (fault !== undefined) throw failure(fault.code ?? "EIO", path);
      },
      datasync: async () => {
        try {
          this.#run("datasync", path);
        } catch (error) {
          inode.lostFrom ??= inode.syncedBytes;
          throw error;
        }
        const size = inode.data.byteLength;
        await this.#gate?.opened;
        inode.syncedBytes = Math.min(size, inode.lostFrom ?? size);
      },
      sizeBytes: async () => inode.data.byteLength,
      truncate: async (sizeBytes) => {
        this.#run("truncate", path);
        inode.data = Buffer.from(inode.data.subarray(0, sizeBytes));
        inode.syncedBytes = Math.min(inode.syncedBytes, sizeBytes);
        if (sizeBytes <= (inode.lostFrom ?? 0)) inode.lostFrom = undefined;
      },
      close: async () => undefined,
    });
  }

  async readChunks(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const data = this.#names.get(path)?.data;
    return data && inPieces(data);
  }

  async openRead(path: string): Promise<ReadFile | undefined> {
    const inode = this.#names.get(path);
    if (inode === undefined) return undefined;
    this.openReads += 1;
    const close = (): void => {
      this.openReads -= 1;
    };
    return {
      path,
      close,
      read: (into, { offset, sizeBytes }) => {
        const part = inode.data.subarray(offset, offset + sizeBytes);
        if (this.failReads || part.byteLength < sizeBytes) throw failure("EIO", path);
        into.set(part);
      },
    };
  }

  async readRange(path: string, { offset, sizeBytes }: FileRange): Promise<Uint8Array | undefined> {
    return this.#names.get(path)?.data.subarray(offset, offset + sizeBytes);
  }

  async sizeBytes(path: string): Promise<number | undefined> {
    return this.#names.get(path)?.data.byteLength;
  }

  async rename(from: string, to: string): Promise<void> {
    this.#run("rename", to);
    const inode = this.#names.get(from);
    if (inode === undefined) throw failure("ENOENT", from);
    this.#name(to, inode);
    this.#name(from, undefined);
  }

  async remove(path: string): Promise<void> {
    this.#run("remove", path);
    if (this.#names.has(path)) this.#name(path, undefined);
  }

  async list(folder: string): Promise<string[]> {
    const start = `${folder}/`;
    return this.paths()
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length));
  }

  async makeFolder(): Promise<void> {
    // Folders are only the beginnings of paths here.
  }

  async syncFolder(path: string): Promise<void> {
    this.#run("syncFolder", path);
    for (const change of this.#nameChanges) {
      if (change.inode === undefined) this.#durableNames.delete(change.path);
      else this.#durableNames.set(change.path, change.inode);
    }
    this.#nameChanges = [];
  }
}

/** Small pieces, so that lines cross their borders. */
async function* inPieces(data: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < data.byteLength; start += 1000) yield data.subarray(start, start + 1000);
}

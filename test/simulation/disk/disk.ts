/** A simulated disk: paths, open files, and faults that a test sets. */
import { constants } from "node:fs";
import { normalize } from "node:path/posix";
import type { Kernel } from "../kernel/kernel.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import { Folder, type Inode } from "./folder.ts";
import { FileInode } from "./inode.ts";
import { type Rot, rot } from "./rot.ts";

/** Faults that last until they are taken back. */
export interface DiskTrouble {
  /** No room: writes fail with ENOSPC. */
  isFull: boolean;
  /** Probability that a sync fails with EIO. */
  failsSync: number;
  /** Probability that a write, an open or a rename fails with EIO. */
  failsWrite: number;
  /** How much slower everything is. */
  slowness: number;
}

const noTrouble = (): DiskTrouble => ({ isFull: false, failsSync: 0, failsWrite: 0, slowness: 1 });

/** What a program does with a disk. */
export type Operation =
  | "open"
  | "create"
  | "read"
  | "write"
  | "sync"
  /** The end of a write that is durable by itself. */
  | "commit"
  | "stat"
  | "list"
  | "chmod"
  | "rename"
  | "remove"
  | "close";

const isSyncing = (operation: Operation): boolean => operation === "sync" || operation === "commit";

/** An error as the system gives it. */
export function toSystemError(code: string, operation: string, path: string): Error {
  // Most say that a file is not there, and no one reads where they were created.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: simulated, ${operation} "${path}"`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: operation, path });
}

export interface OpenFile {
  readonly path: string;
  readonly inode: Inode;
  readonly isDurable: boolean;
  readonly appends: boolean;
  position: number;
}

function split(path: string): string[] {
  return normalize(path)
    .split("/")
    .filter((part) => part !== "" && part !== ".");
}

export class Disk {
  readonly root = new Folder();
  trouble = noTrouble();
  readonly #kernel: Kernel;
  readonly #random: Random;
  /** Called after so many further operations, for a cut in the middle of something. */
  #alarm: { left: number; readonly of: Operation | undefined; readonly ring: () => void } | undefined;
  #rot: Rot | undefined;
  operations = 0;
  syncs = 0;

  constructor(kernel: Kernel, name: string) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, `disk ${name}`);
  }

  /** Rings when so many further operations have begun, of any kind or of one. */
  alarmAfter(operations: number, ring: () => void, of?: Operation): void {
    this.#alarm = { left: operations, of, ring };
  }

  /** What every operation takes: time, in which others go on. Its effect is at the end. */
  async step<T>(operation: Operation, path: string, work: () => T): Promise<T> {
    this.operations += 1;
    const { paceRandom } = this.#kernel;
    const isSync = isSyncing(operation);
    if (isSync) this.syncs += 1;
    const usualMs = isSync ? 0.4 + paceRandom.wait(1) : 0.02 + paceRandom.wait(0.05);
    const alarm = this.#alarm;
    const counts = alarm !== undefined && (alarm.of === undefined || alarm.of === operation);
    if (counts && (alarm.left -= 1) <= 0) {
      this.#alarm = undefined;
      this.#kernel.after(paceRandom.next() * usualMs, alarm.ring, { owner: this.#kernel.world });
    }
    return await new Promise<T>((resolve, reject) => {
      this.#kernel.after(usualMs * this.trouble.slowness, () => {
        try {
          this.#maybeFail(operation, path);
          resolve(work());
        } catch (error) {
          this.#kernel.trace(`disk ${operation} ${path}: ${String(Reflect.get(Object(error), "code"))}`);
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  #maybeFail(operation: Operation, path: string): void {
    const { failsWrite, failsSync } = this.trouble;
    const changes = operation === "write" || operation === "create" || operation === "rename";
    if (changes && failsWrite > 0 && this.#random.chance(failsWrite))
      throw toSystemError("EIO", operation, path);
    if (isSyncing(operation) && failsSync > 0 && this.#random.chance(failsSync)) {
      const inode = this.find(path);
      if (inode?.kind === "file") inode.failSync(this.#random);
      throw toSystemError("EIO", operation, path);
    }
  }

  find(path: string): Inode | undefined {
    let inode: Inode | undefined = this.root;
    for (const part of split(path)) {
      if (inode?.kind !== "folder") return undefined;
      inode = inode.names.get(part);
    }
    return inode;
  }

  get(path: string, operation: string): Inode {
    const inode = this.find(path);
    if (inode === undefined) throw toSystemError("ENOENT", operation, path);
    return inode;
  }

  #parentOf(path: string, operation: string): { folder: Folder; name: string } {
    const parts = split(path);
    const name = parts.pop() ?? "";
    const folder = this.get(parts.join("/"), operation);
    if (folder.kind !== "folder") throw toSystemError("ENOTDIR", operation, path);
    return { folder, name };
  }

  open(path: string, flags: number, mode: number): OpenFile {
    const known = this.find(path);
    if (known !== undefined && (flags & constants.O_EXCL) !== 0) throw toSystemError("EEXIST", "open", path);
    let inode = known;
    if (inode === undefined) {
      if ((flags & constants.O_CREAT) === 0) throw toSystemError("ENOENT", "open", path);
      if (this.trouble.isFull) throw toSystemError("ENOSPC", "open", path);
      const { folder, name } = this.#parentOf(path, "open");
      inode = new FileInode(mode);
      folder.change([{ name, inode }]);
    }
    if ((flags & constants.O_TRUNC) !== 0 && inode.kind === "file") inode.truncate(0);
    const isDurable = (flags & constants.O_DSYNC) === constants.O_DSYNC;
    return { path, inode, isDurable, appends: (flags & constants.O_APPEND) !== 0, position: 0 };
  }

  /** Writes what fits; a full disk takes a part at first. What was written is durable once it is settled. */
  write(
    file: OpenFile,
    bytes: Uint8Array,
    position: number | undefined,
  ): { readonly count: number; readonly settle: () => void } {
    const { inode, path } = file;
    if (inode.kind !== "file") throw toSystemError("EISDIR", "write", path);
    let length = bytes.length;
    if (this.trouble.isFull) {
      length = this.#random.chance(0.3) ? this.#random.below(bytes.length) : 0;
      if (length === 0) throw toSystemError("ENOSPC", "write", path);
    }
    const offset = file.appends ? inode.size : (position ?? file.position);
    const settle = inode.write(offset, bytes.subarray(0, length));
    if (position === undefined) file.position = offset + length;
    return { count: length, settle };
  }

  rename(from: string, to: string): void {
    const inode = this.get(from, "rename");
    const source = this.#parentOf(from, "rename");
    const target = this.#parentOf(to, "rename");
    if (source.folder === target.folder)
      target.folder.change([
        { name: source.name, inode: undefined },
        { name: target.name, inode },
      ]);
    else {
      target.folder.change([{ name: target.name, inode }]);
      source.folder.change([{ name: source.name, inode: undefined }]);
    }
  }

  remove(path: string): void {
    this.get(path, "unlink");
    const { folder, name } = this.#parentOf(path, "unlink");
    folder.change([{ name, inode: undefined }]);
  }

  makeFolder(path: string): void {
    if (this.find(path) !== undefined) throw toSystemError("EEXIST", "mkdir", path);
    const { folder, name } = this.#parentOf(path, "mkdir");
    folder.change([{ name, inode: new Folder() }]);
  }

  /** Whether operations neither fail nor are refused. */
  get isCalm(): boolean {
    const { isFull, failsSync, failsWrite } = this.trouble;
    return !isFull && failsSync === 0 && failsWrite === 0;
  }

  /** As after a power cut: only what was durable is there. */
  cutPower(): void {
    this.#alarm = undefined;
    this.root.cutPower(this.#random);
  }

  /** Changes a bit of a file of a store, until {@link repair} is called. Returns where. */
  decay(): string | undefined {
    this.repair();
    this.#rot = rot(this.root, this.#random);
    return this.#rot?.path;
  }

  /** Where a changed bit is. */
  get rotten(): string | undefined {
    return this.#rot?.path;
  }

  repair(): void {
    this.#rot?.repair();
    this.#rot = undefined;
  }

  calm(): void {
    this.#alarm = undefined;
    this.trouble = noTrouble();
  }
}

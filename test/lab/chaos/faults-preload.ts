/**
 * Loaded before a program by `--import` (Node) or `--preload` (Deno): moves its wall clock and harms its disk, as the
 * file of CHAOS_FAULTS says, which may change while the program runs. The program itself knows nothing of it.
 */
import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import zlib from "node:zlib";

export interface Faults {
  /** Added to the wall clock, in milliseconds. */
  readonly clockMs?: number;
  /** Each sync takes so long, in milliseconds. */
  readonly syncMs?: number;
  /** Each sync fails with this code, such as EIO. */
  readonly syncError?: string;
  /** Each rename fails with this code. */
  readonly renameError?: string;
  /** What waits for ten minutes or longer waits no more. */
  readonly isHurried?: boolean;
  /** Every CRC-32 is 0 (Node only): what a program is without checksums. */
  readonly isUnsummed?: boolean;
}

const LOOK_MS = 20;
const LONG_MS = 600_000;

let faults: Faults = {};

function look(): void {
  try {
    // `as`: written by the cases of this folder alone, as a whole.
    faults = JSON.parse(readFileSync(process.env["CHAOS_FAULTS"] ?? "", "utf8")) as Faults;
  } catch {
    // There is none, or it is being written: what held goes on to hold.
  }
}

function failure(code: string, operation: string): Error {
  return Object.assign(new Error(`${code}: chaos, ${operation}`), { code });
}

function harmClock(): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() + (faults.clockMs ?? 0);
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args: unknown[], newTarget): object => {
      const made: unknown = Reflect.construct(target, args.length === 0 ? [Real.now()] : args, newTarget);
      return Object(made) as object; // an object is given back as it is
    },
  });
}

/** Timers for long, such as that of the pass over all files: end when their time or {@link Faults.isHurried} comes. */
function harmTimers(): void {
  const real = globalThis.setTimeout;
  const harmed = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown => {
    if (ms < LONG_MS) return real(callback, ms, ...args);
    const dueMs = performance.now() + ms;
    const timer = setInterval(() => {
      if (faults.isHurried !== true && performance.now() < dueMs) return;
      clearInterval(timer);
      callback(...args);
    }, LOOK_MS);
    return timer;
  };
  globalThis.setTimeout = Object.assign(harmed, real) as typeof setTimeout; // the same to its callers
}

/** Both kinds of syncs are methods of file handles, whose class is not exported; a write may be synced by itself. */
async function harmSyncs(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-faults-"));
  const handle = await fs.open(join(folder, "probe"), "w");
  const prototype = Object.getPrototypeOf(handle) as object; // never null: it is a class's
  await handle.close();
  rmSync(folder, { recursive: true });
  for (const name of ["datasync", "sync", "write"]) {
    const real: unknown = Reflect.get(prototype, name);
    if (typeof real !== "function") continue;
    const harmed = async function harmed(this: unknown, ...args: unknown[]): Promise<unknown> {
      const { syncMs = 0, syncError } = faults;
      if (syncMs > 0) await new Promise((resolve) => setTimeout(resolve, syncMs));
      if (syncError !== undefined) throw failure(syncError, name);
      return Reflect.apply(real, this, args);
    };
    Reflect.set(prototype, name, harmed);
  }
}

function harmRenames(): void {
  const { rename } = fs;
  fs.rename = async (from, to) => {
    if (faults.renameError !== undefined) throw failure(faults.renameError, "rename");
    await rename(from, to);
  };
  // So that what was imported by name is harmed as well; Deno knows no such thing.
  syncBuiltinESMExports();
}

function harmSums(): void {
  const { crc32 } = zlib;
  zlib.crc32 = (data, value) => (faults.isUnsummed === true ? 0 : crc32(data, value));
  syncBuiltinESMExports();
}

look();
setInterval(look, LOOK_MS).unref();
harmClock();
harmTimers();
await harmSyncs();
harmRenames();
harmSums();

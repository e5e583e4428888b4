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

export interface Faults {
  /** Added to the wall clock, in milliseconds. */
  readonly clockMs?: number;
  /** Each sync takes so long, in milliseconds. */
  readonly syncMs?: number;
  /** Each sync fails with this code, such as EIO. */
  readonly syncError?: string;
  /** Each rename fails with this code. */
  readonly renameError?: string;
}

const LOOK_MS = 20;

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

/** Both kinds of syncs are methods of file handles, whose class nobody exports; a write may be synced by itself. */
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

look();
setInterval(look, LOOK_MS).unref();
harmClock();
await harmSyncs();
harmRenames();

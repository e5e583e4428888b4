/** In place of `node:fs`: what is done at once takes no time on the simulated disk. */
import * as real from "node:fs";
import { findProgramWorld, getWorld } from "../kernel/current.ts";
import { SimulationError } from "../kernel/kernel.ts";
import { type OpenFile, toSystemError } from "../disk/disk.ts";
import { SIMULATED, toText } from "./paths.ts";

export const constants = real.constants;
export const existsSync = real.existsSync;
export const statSync = real.statSync;
export const readFileSync = real.readFileSync;

/** Above those of the system. */
const FIRST = 1_000_000;

export function openSync(given: string | URL): number {
  const path = toText(given);
  const world = findProgramWorld();
  if (world === undefined || !path.startsWith(SIMULATED)) throw new SimulationError(`"${path}" was opened`);
  const descriptors = world.descriptors;
  const number = FIRST + descriptors.next;
  descriptors.next += 1;
  descriptors.open.set(number, world.disk().open(path, real.constants.O_RDONLY, 0));
  return number;
}

function find(descriptor: number): OpenFile {
  const file = getWorld().descriptors.open.get(descriptor);
  if (file === undefined) throw toSystemError("EBADF", "read", String(descriptor));
  return file;
}

export function readSync(
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number,
): number {
  const { inode } = find(descriptor);
  return inode.kind === "file" ? inode.read(into.subarray(offset, offset + length), position) : 0;
}

export function closeSync(descriptor: number): void {
  find(descriptor);
  getWorld().descriptors.open.delete(descriptor);
}

export function readdirSync(path: string): string[] {
  throw toSystemError("ENOENT", "scandir", path);
}

export function fstatSync(descriptor: number): never {
  throw toSystemError("EBADF", "fstat", String(descriptor));
}

export function createReadStream(path: string): never {
  throw new SimulationError(`"${path}" was read as a stream`);
}

/** In place of `node:crypto`: what is random comes from the seed, and what runs on threads runs at once. */
import * as real from "node:crypto";
import { findProgramWorld } from "../kernel/current.ts";
import { newUuid } from "./globals.ts";

type Callback<T> = (error: Error | null, value: T) => void;

function toRandomBytes(size: number): Buffer {
  const world = findProgramWorld();
  if (world === undefined) return real.randomBytes(size);
  const bytes = Buffer.alloc(size);
  world.kernel.programRandom.fill(bytes);
  return bytes;
}

export function randomBytes(size: number, callback?: Callback<Buffer>): Buffer | undefined {
  const bytes = toRandomBytes(size);
  if (callback === undefined) return bytes;
  queueMicrotask(() => callback(null, bytes));
  return undefined;
}

export function randomFillSync<T extends NodeJS.ArrayBufferView>(view: T): T {
  toRandomBytes(view.byteLength).copy(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return view;
}

export function randomInt(low: number, high?: number): number {
  const [from, to] = high === undefined ? [0, low] : [low, high];
  const world = findProgramWorld();
  return world === undefined ? real.randomInt(from, to) : from + world.kernel.programRandom.below(to - from);
}

export function randomUUID(): string {
  return findProgramWorld() === undefined ? real.randomUUID() : newUuid();
}

export function scrypt(
  password: real.BinaryLike,
  salt: real.BinaryLike,
  ...rest:
    | [size: number, callback: Callback<Buffer>]
    | [size: number, options: real.ScryptOptions, callback: Callback<Buffer>]
): void {
  const [size, second, third] = rest;
  const callback = typeof second === "function" ? second : third;
  const options = typeof second === "function" ? undefined : second;
  const key = real.scryptSync(password, salt, size, options);
  queueMicrotask(() => callback?.(null, key));
}

export function pbkdf2(
  password: real.BinaryLike,
  salt: real.BinaryLike,
  iterations: number,
  ...[size, digest, callback]: [size: number, digest: string, callback: Callback<Buffer>]
): void {
  const key = real.pbkdf2Sync(password, salt, iterations, size, digest);
  queueMicrotask(() => callback(null, key));
}

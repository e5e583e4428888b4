/** In place of the program's pool of random bytes: they come from the seed. */
import { Buffer } from "node:buffer";
import { getWorld } from "../kernel/current.ts";

export function takeRandomBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  getWorld().kernel.programRandom.fill(bytes);
  return bytes;
}

/** What the program reads of the system and of its own files. */
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { getWorld } from "../kernel/current.ts";
import { toSystemError } from "./disk.ts";

/** Of the program's own files, which do not change. */
const known = new Map<string, Buffer>();

function readOwn(path: string): Buffer {
  const kept = known.get(path);
  if (kept !== undefined) return kept;
  const bytes = readFileSync(path);
  known.set(path, bytes);
  return bytes;
}

/** /proc/<pid>/stat: the program's processes have the pid 1 and start at the time that their owner's name has. */
function readProcess(path: string): string {
  const { owner } = getWorld().kernel;
  if (path === "/proc/self/stat" || /^\/proc\/\d+\/stat$/u.test(path))
    return `1 (node) S ${"0 ".repeat(18)}${owner.startTicks} 0`;
  if (path === "/proc/sys/kernel/random/boot_id") return `boot-${owner.boot}\n`;
  if (path === "/proc/self/ns/pid") return "pid:[1]";
  throw toSystemError("ENOENT", "open", path);
}

/** @throws Error with the code ENOENT */
export function readSystemFile(path: string): Buffer {
  return path.startsWith("/proc/") ? Buffer.from(readProcess(path)) : readOwn(path);
}

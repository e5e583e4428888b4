/** Entry point of a single executable: it unpacks the program's files, and runs the bundle among them. */
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { listRoots, unpackFiles } from "./unpack.ts";

/** https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html; Deno has no such module to import. */
interface Assets {
  getAsset(name: string, encoding: "utf8"): string;
  getRawAsset(name: string): ArrayBuffer;
}

function findHome(): string {
  try {
    return homedir();
  } catch {
    return "/nonexistent"; // a user without an entry
  }
}

function start(): void {
  const { getAsset, getRawAsset } = process.getBuiltinModule("node:sea") as Assets;
  // Written by scripts/release/build-single.ts.
  const hashes = JSON.parse(getAsset("hashes.json", "utf8")) as Record<string, string>;
  const files = { hashes, read: (path: string) => new Uint8Array(getRawAsset(path)) };
  const own = { home: findHome(), temporary: tmpdir(), user: process.getuid?.() ?? 0 };
  const folder = unpackFiles(files, listRoots(process.env, own));
  const require = createRequire(join(folder, "start.cjs"));
  // An executable cannot import files by itself; what it requires can.
  require("./start.cjs");
}

try {
  start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * The files of a program that is one file: written once to a private folder, because the system loads native add-ons
 * from files alone, and compared with their hashes at each start, because others may write where they lie.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** Files inside an executable. */
export interface PackedFiles {
  /** Path below the folder, with "/" → SHA-256 as hex. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly read: (path: string) => Uint8Array;
}

/** Versions that stay, by their last start: one that still runs reads some of its files late. */
const KEPT = 3;

const hashOf = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Creates a folder that only this user can access. @throws Error if someone else could write to it */
function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new Error(`"${path}" is not a folder`);
  if (process.getuid !== undefined && found.uid !== process.getuid())
    throw new Error(`"${path}" belongs to another user`);
  chmodSync(path, 0o700);
}

function isWhole(folder: string, { hashes }: PackedFiles): boolean {
  try {
    return Object.entries(hashes).every(([path, hash]) => {
      const file = join(folder, path);
      return lstatSync(file).isFile() && hashOf(readFileSync(file)) === hash;
    });
  } catch {
    return false;
  }
}

function write(folder: string, { hashes, read }: PackedFiles): void {
  for (const path of Object.keys(hashes)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, read(path), { mode: 0o600 });
  }
}

function removeOlder(root: string): void {
  const versions = readdirSync(root)
    .filter((name) => /^[\da-f]{64}$/u.test(name))
    .map((name) => ({ name, usedMs: lstatSync(join(root, name)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs);
  for (const { name } of versions.slice(KEPT)) rmSync(join(root, name), { recursive: true, force: true });
}

/** Under its name only when it is whole: several may start at once. */
function place(root: string, files: PackedFiles): string {
  makePrivate(root);
  const folder = join(root, hashOf(JSON.stringify(files.hashes)));
  if (!isWhole(folder, files)) {
    const made = mkdtempSync(join(root, "making-"));
    try {
      write(made, files);
      if (!isWhole(folder, files)) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(made, folder);
      }
    } catch (error) {
      if (!isWhole(folder, files)) throw error;
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }
  const now = new Date();
  utimesSync(folder, now, now);
  removeOlder(root);
  return folder;
}

/**
 * Writes the files to the first of these folders that takes them; resolves with where they are.
 * @throws Error when none does
 */
export function unpackFiles(files: PackedFiles, roots: readonly string[]): string {
  const faults: string[] = [];
  for (const root of roots) {
    try {
      return place(root, files);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `No folder is available for the program's files. Set CACHE_DIRECTORY: ${faults.join("; ")}`,
  );
}

/** Where the files may go, the best first: as systemd says it, the user's folder for what can be made again, the temporary one. */
export function listRoots(
  env: Readonly<Record<string, string | undefined>>,
  own: { readonly home: string; readonly temporary: string; readonly user: number },
): readonly string[] {
  const { CACHE_DIRECTORY: named, XDG_CACHE_HOME: cache } = env;
  return [
    ...(named ? [join(named.split(":", 1)[0] ?? "", "program")] : []),
    join(cache?.startsWith("/") ? cache : join(own.home, ".cache"), "trivet"),
    join(own.temporary, `trivet-${own.user}`),
  ];
}

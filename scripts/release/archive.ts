/** Archives that are equal, byte for byte, at any time and on any machine. Needs GNU tar. */
import { createHash } from "node:crypto";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { compress } from "./executable.ts";
import { must } from "./packages.ts";

/** Writes `folder` as the only entry of the archive `file` (.tar.gz); all entries belong to root and have the time `at`. */
export async function archiveFolder(folder: string, file: string, at: Date): Promise<void> {
  const plain = `${file}.plain`;
  const seconds = Math.floor(at.getTime() / 1_000);
  const equal = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
  const mode = ["--mode=u=rwX,go=rX", `--mtime=@${seconds}`];
  await must("tar", [...equal, ...mode, "-cf", plain, basename(folder)], dirname(folder));
  await writeFile(file, await compress(await readFile(plain)));
  await rm(plain);
}

/** Checksums of the files of an unpacked release, which `scripts/install` verifies. */
const FILE_SUMS = "files.sums";

/** Writes the checksums of all files in `folder`, as sha256sum reads them. */
export async function writeFileSums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lines: string[] = [];
  for (const file of files.sort()) {
    const hash = createHash("sha256").update(await readFile(file));
    lines.push(`${hash.digest("hex")}  ${relative(folder, file)}\n`);
  }
  await writeFile(join(folder, FILE_SUMS), lines.join(""));
}

/** Archives that are equal, byte for byte, at any time and on any machine. Needs GNU tar. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
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

/** A small Debian in a folder, with curl and without Node. */
import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../support/process.ts";

const SUITE = "bookworm";
const MAKE_MS = 900_000;

async function must(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProcess({ command, args, timeoutMs: MAKE_MS });
  if (code !== 0) throw new Error(`"${command} ${args.join(" ")}" failed: ${output.slice(-600)}`);
}

/**
 * The Debian in `folder`, made by debootstrap when there is none. On another processor nothing is configured: packages
 * are unpacked, which is enough for a shell and curl.
 * @throws Error when debootstrap is missing or fails
 */
export async function makeBase(folder: string, arch: "amd64" | "arm64"): Promise<string> {
  const isThere = await stat(join(folder, "usr/bin/curl")).catch(() => undefined);
  if (isThere !== undefined) return folder;
  await mkdir(folder, { recursive: true });
  const common = ["--variant=minbase", "--include=curl,ca-certificates"];
  if (arch === "amd64") {
    await must("debootstrap", [...common, SUITE, folder]);
    return folder;
  }
  await must("debootstrap", ["--arch=arm64", "--foreign", ...common, SUITE, folder]);
  const archives = join(folder, "var/cache/apt/archives");
  for (const name of await readdir(archives))
    if (name.endsWith(".deb")) await must("dpkg-deb", ["-x", join(archives, name), folder]);
  for (const name of ["passwd", "group"])
    await copyFile(join(folder, "usr/share/base-passwd", `${name}.master`), join(folder, "etc", name));
  return folder;
}

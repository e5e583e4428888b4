/** Packages of Debian, for scripts that need a program which npm does not bring. */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { runProcess } from "./process.ts";

const APT_MS = 600_000;

/** Whether this is Debian itself: on Ubuntu "chromium" is a snap, which a container cannot run. */
export async function isDebian(): Promise<boolean> {
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^ID=debian$/mu.test(text);
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const result = await runProcess({
    command,
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { DEBIAN_FRONTEND: "noninteractive" },
    timeoutMs: APT_MS,
  });
  if (result.code === 0) return;
  const end = result.output.trimEnd().split("\n").slice(-8).join("\n");
  throw new Error(`"${command} ${args.join(" ")}" ${result.timedOut ? "took too long" : "failed"}:\n${end}`);
}

/**
 * Installs packages with what they need, and nothing that they merely recommend.
 * @throws Error when this is not Debian, not root, or apt fails
 */
export async function installPackages(names: readonly string[]): Promise<void> {
  if (!(await isDebian()) || process.getuid?.() !== 0)
    throw new Error(`${names.join(", ")}: only root on Debian can have this installed by a script`);
  await run("apt-get", ["update", "-qq"]);
  await run("apt-get", ["install", "-y", "--no-install-recommends", ...names]);
}

/**
 * Fetches a package and unpacks it below `folder` without installing it: nothing is configured and no
 * service is started.
 * @throws Error when this is not Debian, or apt fails
 */
export async function unpackPackage(name: string, folder: string): Promise<void> {
  if (!(await isDebian())) throw new Error(`${name}: a script can fetch this on Debian only`);
  // The lists may be missing or old; who is not root has to live with what is there.
  if (process.getuid?.() === 0) await run("apt-get", ["update", "-qq"]);
  await run("apt-get", ["download", "-qq", name], folder);
  await run("sh", ["-c", `dpkg-deb -x ${name}_*.deb .`], folder);
}

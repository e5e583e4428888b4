/** A Debian with a systemd of its own, booted by systemd-nspawn over a folder that it never changes. */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { runProcess } from "../../support/process.ts";

/** Debian releases that a world can boot. */
export const suites = { "debian-12": "bookworm", "debian-13": "trixie" } as const;
export type Release = keyof typeof suites;
// libnss-systemd comes with every full Debian: without it the system bus knows no user that systemd makes up.
const PACKAGES = "systemd-sysv,libnss-systemd,dbus,libpam-systemd,curl,ca-certificates,openssl,procps";
const MAKE_MS = 900_000;
const BOOT_MS = 60_000;
const RUN_MS = 180_000;
const PAUSE_MS = 250;
/** With this systemd-nspawn ends when the machine wants to restart. */
const REBOOT = 133;

/** What a command said, and its exit code. */
export interface Ran {
  readonly code: number | undefined;
  readonly output: string;
}

export interface Machine {
  /** Runs a command of its shell, whatever comes of it. */
  attempt(command: string, timeoutMs?: number): Promise<Ran>;
  /** The same. @throws Error with the output unless it succeeds */
  run(command: string, timeoutMs?: number): Promise<string>;
  /** Restarts it as "systemctl reboot" does, and waits until it is up. */
  reboot(): Promise<void>;
  /** Files that are new, or not as they were. */
  listChanges(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface MachineOptions {
  /** A Debian as {@link makeBase} makes it. */
  readonly base: string;
  /** Where the machine keeps what differs. */
  readonly folder: string;
  /** The program that the machine gets as /usr/local/bin/node. */
  readonly node: string;
  /** Folders of this machine, by their paths in that one, where nothing can change them. */
  readonly binds: Readonly<Record<string, string>>;
  /** The same, where the machine may write. Then it has every right, as a machine of its own: containers run in it. */
  readonly stores?: Readonly<Record<string, string>>;
}

/**
 * The Debian in `folder`, made by debootstrap when there is none, with these packages as well.
 * @throws Error when that fails
 */
export async function makeBase(
  folder: string,
  release: Release,
  packages: readonly string[] = [],
): Promise<string> {
  const made = `${folder}.made`;
  if ((await stat(made).catch(() => undefined)) !== undefined) return folder;
  await mkdir(folder, { recursive: true });
  const args = ["--variant=minbase", `--include=${PACKAGES}`, suites[release], folder];
  const steps: (readonly [command: string, args: readonly string[]])[] = [["debootstrap", args]];
  if (packages.length > 0)
    steps.push(
      ["chroot", [folder, "apt-get", "install", "-qy", "--no-install-recommends", ...packages]],
      ["chroot", [folder, "apt-get", "clean"]],
    );
  for (const [command, each] of steps) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const { code, output } = await runProcess({ command, args: each, env, timeoutMs: MAKE_MS });
    if (code !== 0) throw new Error(`${command} failed: ${output.slice(-600)}`);
  }
  await writeFile(made, "");
  return folder;
}

/** systemd-nspawn wants a /run/systemd of its own where no systemd runs, and registers the machine nowhere. */
function toScript({ base, folder, binds, stores }: MachineOptions): string {
  const root = join(folder, "root");
  const places = Object.entries(binds).map(([inside, outside]) => `--bind-ro=${outside}:${inside}`);
  for (const [inside, outside] of Object.entries(stores ?? {})) places.push(`--bind=${outside}:${inside}`);
  if (stores !== undefined) places.push("--capability=all", '--system-call-filter="@keyring bpf"');
  const layers = `lowerdir=${base},upperdir=${folder}/upper,workdir=${folder}/work`;
  return [
    "set -eu",
    `mount -t overlay overlay -o ${layers} ${root}`,
    "mkdir -p /run/systemd",
    "mount -t tmpfs tmpfs /run/systemd",
    ...(stores === undefined ? [] : ["export SYSTEMD_NSPAWN_API_VFS_WRITABLE=yes"]),
    "exec systemd-nspawn --boot --register=no --keep-unit --private-network --quiet --machine=world " +
      `--console=pipe ${places.join(" ")} -D ${root}`,
  ].join("\n");
}

/** The machine's first process, as this machine numbers it. */
async function findInit(child: ChildProcess): Promise<number | undefined> {
  const path = `/proc/${child.pid}/task/${child.pid}/children`;
  const children = (await readFile(path, "utf8").catch(() => "")).trim().split(" ");
  for (const pid of children) {
    const line = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (/^NSpid:\s+\d+\s+1$/mu.test(line)) return Number(pid);
  }
  return undefined;
}

/** Boots the machine. @throws Error when it does not start */
export async function bootMachine(options: MachineOptions): Promise<Machine> {
  const { base, folder, node } = options;
  for (const part of ["upper/usr/local/bin", "work", "root"])
    await mkdir(join(folder, part), { recursive: true });
  await copyFile(node, join(folder, "upper/usr/local/bin/node"));
  const script = join(folder, "boot.sh");
  await writeFile(script, toScript(options));
  const boot = (): ChildProcess =>
    spawn("unshare", ["--mount", "--propagation", "private", "sh", script], { stdio: "ignore" });
  let child = boot();
  let init = 0;

  async function attempt(command: string, timeoutMs = RUN_MS): Promise<Ran> {
    const args = ["--target", String(init), "--all", "setsid", "--wait", "sh", "-c", command];
    const env = { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", LANG: "C.UTF-8" };
    const { code, output } = await runProcess({ command: "nsenter", args, env, timeoutMs });
    return { code, output };
  }
  async function run(command: string, timeoutMs?: number): Promise<string> {
    const { code, output } = await attempt(command, timeoutMs);
    if (code !== 0) throw new Error(`"${command}" ended with ${code ?? "a signal"}: ${output}`);
    return output;
  }
  async function untilUp(): Promise<void> {
    const endMs = performance.now() + BOOT_MS;
    while (performance.now() < endMs) {
      if (child.exitCode !== null) throw new Error(`systemd-nspawn ended with ${child.exitCode}`);
      const found = await findInit(child);
      if (found !== undefined) {
        init = found;
        const { output } = await attempt("systemctl is-system-running");
        if (/running|degraded/u.test(output)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Error("The machine does not come up");
  }

  await untilUp();
  return {
    attempt,
    run,
    async reboot() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await attempt("systemctl reboot");
      // systemd-nspawn exited for a restart; its caller starts it again.
      const code = await ended;
      if (code !== REBOOT) throw new Error(`The machine ended with ${String(code)} in place of a reboot`);
      child = boot();
      await untilUp();
    },
    async listChanges() {
      const upper = join(folder, "upper");
      const entries = await readdir(upper, { recursive: true, withFileTypes: true });
      const changed: string[] = [];
      for (const entry of entries.filter((each) => each.isFile() || each.isSymbolicLink())) {
        const path = join(entry.parentPath, entry.name).slice(upper.length);
        const [now, before] = await Promise.all(
          [upper, base].map((root) => readFile(join(root, path)).catch(() => undefined)),
        );
        if (now === undefined || before === undefined || !now.equals(before)) changed.push(path);
      }
      return changed.sort();
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(init, "SIGKILL");
      await ended;
    },
  };
}

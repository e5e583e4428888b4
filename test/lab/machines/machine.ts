/** Machines that are none: a Debian of its own in namespaces, over a folder that no machine changes. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { runProcess } from "../../support/process.ts";

export interface Machine {
  /** Runs a command of its shell. @throws Error with the output when it fails */
  run(command: string, timeoutMs?: number): Promise<string>;
  /** Files that are not, or not as they are, in the folder that it began with. */
  listChanges(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface MachineOptions {
  readonly name: string;
  /** A Debian as debootstrap makes it. */
  readonly base: string;
  /** Where it keeps what differs. */
  readonly folder: string;
  /** For arm64 on another processor, by qemu-user, which only this machine's namespace knows. */
  readonly foreign: boolean;
}

const QEMU = "/usr/bin/qemu-aarch64-static";
/** https://docs.kernel.org/admin-guide/binfmt-misc.html, as Debian's qemu-user-static registers it. */
const arm64 = String.raw`:qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:${QEMU}:F`;

const START_MS = 30_000;
const RUN_MS = 300_000;

/** What makes the machine, inside of its namespaces; its first process collects those that end. */
function toScript({ name, base, folder, foreign }: MachineOptions): string {
  const root = join(folder, "root");
  return [
    "set -eu",
    ...(foreign
      ? [
          "mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc",
          `printf '%s' '${arm64}' >/proc/sys/fs/binfmt_misc/register`,
        ]
      : []),
    `mount -t overlay overlay -o lowerdir=${base},upperdir=${folder}/upper,workdir=${folder}/work${foreign ? ",userxattr" : ""} ${root}`,
    `mount --rbind /dev ${root}/dev`,
    `mount --rbind /sys ${root}/sys`,
    `mount -t proc proc ${root}/proc`,
    `hostname ${name}`,
    `exec chroot ${root} /bin/sh -c 'echo ready; while :; do sleep 3600; done'`,
  ].join("\n");
}

async function findChild(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(text.trim().split(" ")[0]);
}

async function waitFor(child: ChildProcess, word: string): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(word)) resolve();
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.once("exit", () => reject(new Error(`The machine did not start: ${output}`)));
    setTimeout(() => reject(new Error(`The machine takes too long: ${output}`)), START_MS).unref();
  });
}

/** Starts a machine. @throws Error when the system refuses one */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { base, folder, foreign } = options;
  for (const part of ["upper", "work", "root"]) await mkdir(join(folder, part), { recursive: true });
  const script = join(folder, "start.sh");
  await writeFile(script, toScript(options));
  const spaces = ["--mount", "--pid", "--uts", "--fork", "--kill-child", ...(foreign ? ["--user"] : [])];
  // A new user namespace has no users until the map is written; the second shell is its root.
  const child = spawn("unshare", [...spaces, "sh", "-c", `echo open; read go; exec sh ${script}`]);
  await waitFor(child, "open");
  const pid = await findChild(child.pid);
  if (foreign)
    for (const map of ["uid_map", "gid_map"]) await writeFile(`/proc/${pid}/${map}`, "0 0 65536\n");
  child.stdin.write("go\n");
  await waitFor(child, "ready");
  const enter = ["--target", String(pid), "--mount", "--pid", "--uts", "--root", "--wd"];
  return {
    async run(command, timeoutMs = RUN_MS) {
      // A session of its own: what it starts lives on.
      const args = [...enter, ...(foreign ? ["--user"] : []), "setsid", "--wait", "sh", "-c", command];
      const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
      const { code, output } = await runProcess({ command: "nsenter", args, env, timeoutMs });
      if (code !== 0) throw new Error(`"${command}" ended with ${code ?? "a signal"}: ${output}`);
      return output;
    },
    async listChanges() {
      const upper = join(folder, "upper");
      const entries = await readdir(upper, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => !entry.isDirectory());
      const changed: string[] = [];
      for (const { parentPath, name } of files) {
        const path = join(parentPath, name).slice(upper.length);
        const [now, before] = await Promise.all(
          [upper, base].map((root) => readFile(join(root, path), "utf8").catch(() => undefined)),
        );
        if (now === undefined || now !== before) changed.push(path);
      }
      return changed.sort();
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(pid, "SIGKILL");
      await ended;
    },
  };
}

/**
 * An ext4 file system in a file whose power can be cut: FS_IOC_SHUTDOWN without a flush of the log ends it as a power
 * cut does, and what the kernel had not written is gone.
 */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runProcess } from "../../support/process.ts";
import { isStopped, usersOf } from "../../support/processes.ts";
import { NotPossible, type Surroundings, waitFor } from "./case.ts";

/** A file system whose power can be cut. */
export interface FragileDisk {
  readonly folder: string;
  /** Writes what waits: what a machine had long before the power goes. */
  sync(): Promise<void>;
  /**
   * From here on nothing reaches the disk, not even pending writes. Programs with files there are suspended for that
   * moment: a sync that the ioctl overtakes may be acknowledged, which no power cut does. (Of a program that only
   * appends and syncs, with Node and Deno, fdatasync and O_DSYNC, 12 of 260 cuts lost an append that was acknowledged
   * at that moment, and 0 of 150 this way.)
   */
  cut(): Promise<void>;
  /** As after a boot: the file system replays its journal. The folder must not be in use. */
  reboot(): Promise<void>;
}

/** FS_IOC_SHUTDOWN with FS_SHUTDOWN_FLAGS_NOLOGFLUSH, from linux/fs.h; every Debian has perl. */
const SHUTDOWN =
  'my $flags = pack("L", 2); open(F, "<", $ARGV[0]) or die; ioctl(F, 0x8004587d, $flags) or die $!';

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Runs work while the processes with files in a folder are suspended, each thread outside of system calls. */
async function whileStopped(folder: string, work: () => Promise<void>): Promise<void> {
  const users = usersOf(folder);
  try {
    for (const pid of users) signal(pid, "SIGSTOP");
    const stopped = await waitFor(() => users.every(isStopped), { limitMs: 30_000, everyMs: 5 });
    if (stopped === undefined) throw new Error(`Not all of ${users.join(", ")} stand still`);
    await work();
  } finally {
    for (const pid of users) signal(pid, "SIGCONT");
  }
}

async function must(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runProcess({ command, args, timeoutMs: 30_000 });
  if (code !== 0) throw new NotPossible(`${command}: ${output.trim().slice(0, 200)}`);
}

/** Creates one; it is removed with the part. @throws NotPossible without root, loop devices or ext4 */
export async function createFragileDisk(around: Pick<Surroundings, "onEnd">): Promise<FragileDisk> {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    throw new NotPossible("only root on Linux can mount a file system of its own");
  const parent = await mkdtemp(join(tmpdir(), "trivet-power-"));
  around.onEnd(() => rm(parent, { recursive: true, force: true }));
  const image = join(parent, "image");
  const folder = join(parent, "disk");
  // PostgreSQL runs as a user of its own.
  await chmod(parent, 0o755);
  await mkdir(folder);
  await must("truncate", ["-s", "1G", image]);
  await must("mkfs.ext4", ["-q", image]);
  // Without a sync the file system's own journal would be written only each five minutes.
  const mount = (): Promise<void> => must("mount", ["-o", "loop,commit=300", image, folder]);
  await mount();
  around.onEnd(() => runProcess({ command: "umount", args: ["-l", folder] }));
  return {
    folder,
    sync: () => must("sync", ["-f", folder]),
    cut: () => whileStopped(folder, () => must("perl", ["-e", SHUTDOWN, folder])),
    reboot: async () => {
      await must("umount", [folder]);
      await mount();
    },
  };
}

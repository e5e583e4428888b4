/**
 * The backups of a running program: on a schedule and on demand, each in its own process, because verifying a
 * large store would slow down requests. The oldest are removed only after a new one was verified.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../kit/errors.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import type { Log } from "../../kit/observe/log.ts";
import { textOf } from "../../kit/thrown.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { StoreError } from "../../store/store.ts";
import { takeLock } from "../../store/journal/lock.ts";
import { type FoundBackup, openBackupFolder } from "./backup-folder.ts";
import { toBackupName } from "./manifest.ts";
import { SEALED } from "./sealed-name.ts";

const HOUR_MS = 3_600_000;

export interface BackupsOptions {
  readonly data: string;
  /** Where they go. */
  readonly folder: string;
  /** 0: only when asked for. */
  readonly everyHours: number;
  /** How many stay. */
  readonly keep: number;
  /** Whether they have the sealing keys too. */
  readonly keys: boolean;
  /** age recipients that they are sealed to; empty: not sealed. */
  readonly recipients: readonly string[];
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Runs this program with other arguments. */
  readonly runSelf: (
    args: readonly string[],
  ) => Promise<{ readonly code: number | undefined; readonly output: string }>;
}

export type Backups = ReturnType<typeof createBackups>;

/** The command's error message, or the end of its output. */
function toReason(output: string): string {
  return (
    /^Backup failed: (.+)$/mu.exec(output)?.[1] ??
    `The backup process ended with: ${output.trim().slice(-500)}`
  );
}

/** Creates a backup in a separate process, then deletes surplus ones. */
async function makeOne(
  { data, folder, keep, keys, recipients, log, runSelf }: BackupsOptions,
  kept: ReturnType<typeof openBackupFolder>,
  now: number,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Of several processes on one folder, one makes a backup at a time.
  const lock = await takeLock({ files: nodeFileLayer, folder, name: "backup" });
  try {
    await kept.removePartial();
    const isSealed = recipients.length > 0;
    const path = join(folder, toBackupName(now) + (isSealed ? SEALED : ""));
    const args = ["backup", "--data", data, "--to", path];
    if (isSealed) args.push(...recipients.flatMap((recipient) => ["--seal", recipient]));
    else if (keys) args.push("--keys");
    const { code, output } = await runSelf(args);
    // Where the records need what is not there, the newest copy of them stays until there is a complete one.
    await kept.removeIncomplete(code === 0 ? 0 : 1);
    if (code !== 0) throw new Error(toReason(output));
    for (const old of (await kept.list()).slice(keep)) await kept.remove(old.name);
    log.info("Backup created and verified", { folder: path });
  } finally {
    await lock.release();
  }
}

/** Creates what keeps the backups of a data folder. */
export function createBackups(options: BackupsOptions) {
  const { folder, everyHours, keep, clock, log } = options;
  const kept = openBackupFolder(folder);
  let runningSince: number | undefined;
  let failure: { at: number; message: string } | undefined;

  function fail(error: unknown): void {
    const message = textOf(error);
    if (failure?.message !== message)
      log.error("The backup failed; older backups are kept", { folder, reason: message });
    failure = { at: clock.now(), message };
  }

  /** A folder that cannot be read is a failure like another. */
  async function look(): Promise<FoundBackup[]> {
    try {
      return await kept.list();
    } catch (error) {
      fail(error);
      return [];
    }
  }

  async function run({ isAsked }: { isAsked: boolean }): Promise<void> {
    const now = clock.now();
    runningSince = now;
    try {
      await makeOne(options, kept, now);
      failure = undefined;
    } catch (error) {
      // The folder's lock: another process on it makes the one that is due.
      if (!isAsked && error instanceof StoreError) return;
      fail(error);
    } finally {
      runningSince = undefined;
    }
  }

  /** When the next one is due; a failed one is tried again after an hour. */
  function findNext(newest: FoundBackup | undefined): number | undefined {
    if (everyHours === 0) return undefined;
    const due = newest === undefined ? 0 : newest.createdAt + everyHours * HOUR_MS;
    return failure === undefined ? due : Math.max(due, failure.at + HOUR_MS);
  }

  return {
    /** The existing backups, newest first, and the next one. */
    async overview() {
      const found = await look();
      const next = findNext(found[0]);
      const nextAt = next === undefined ? undefined : Math.max(next, clock.now());
      return { folder, everyHours, keep, runningSince, failure, nextAt, found };
    },
    /** Begins one now. @throws AppError `conflict` while one is made */
    start(): void {
      if (runningSince !== undefined) throw new AppError("conflict", "A backup is already running");
      void run({ isAsked: true });
    },
    /** Creates a backup when one is due. */
    async tick(): Promise<void> {
      const next = runningSince === undefined ? findNext((await look())[0]) : undefined;
      if (next !== undefined && next <= clock.now() && runningSince === undefined)
        await run({ isAsked: false });
    },
    /** @throws Error when the last one failed */
    async check(): Promise<void> {
      if (failure !== undefined) throw new Error(failure.message);
    },
  };
}

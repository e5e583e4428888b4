/** Puts a backup in place of what a data folder holds, which is kept beside it. */
import { mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { takeLock } from "../../store/journal/lock.ts";
import { RESTORE_FOLDER } from "./content.ts";
import { copyFileSafely } from "./copy.ts";
import { type KeyPlaces, type RestoredKey, bringKeys } from "../keys/backup-keys.ts";
import { type Manifest, readManifest, verifyContent } from "./manifest.ts";
import { describeMissing, findMissing, findShop } from "./references.ts";

export interface RestoreOptions {
  readonly backup: string;
  readonly data: string;
  /** Epoch milliseconds; names the folder that keeps what was there. */
  readonly now: number;
  /** Also one whose records need what it lacks. */
  readonly takesIncomplete?: boolean;
  /** Sealing keys that variables give. */
  readonly given?: KeyPlaces["given"];
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where what was there before is kept, or undefined when there was nothing. */
  readonly keptIn: string | undefined;
  /** Those that the backup leaves out. */
  readonly keys: readonly RestoredKey[];
}

/** @throws StoreError when a service runs on the folder */
async function assertUnused(data: string): Promise<void> {
  for (const { folder, name } of await listLocks(data)) {
    // Taking a lock tells a live owner from one that was killed.
    const lock = await takeLock({ files: nodeFileLayer, folder: join(data, folder), name });
    await lock.release();
  }
}

async function listLocks(data: string): Promise<{ folder: string; name: string }[]> {
  const locks: { folder: string; name: string }[] = [];
  const folders = await readdir(data, { withFileTypes: true });
  for (const folder of ["", ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)]) {
    for (const file of await nodeFileLayer.list(join(data, folder))) {
      if (file.endsWith(".lock")) locks.push({ folder, name: file.slice(0, -".lock".length) });
    }
  }
  return locks;
}

async function stage(options: RestoreOptions, manifest: Manifest, staged: string): Promise<void> {
  await mkdir(staged, { recursive: true, mode: 0o700 });
  for (const { path } of manifest.files) await copyFileSafely(join(options.backup, path), join(staged, path));
  await verifyContent(staged, manifest);
}

async function moveEntries(from: string, to: string): Promise<number> {
  const entries = (await readdir(from)).filter((name) => name !== ".gitignore" && !RESTORE_FOLDER.test(name));
  if (entries.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of entries) await rename(join(from, entry), join(to, entry));
  return entries.length;
}

/** @throws Error when the records need what the backup lacks, as in those that earlier versions made beside uploads */
async function assertComplete(
  { backup, takesIncomplete }: RestoreOptions,
  manifest: Manifest,
): Promise<void> {
  const shop = findShop(manifest.stores);
  if (shop === undefined || takesIncomplete === true) return;
  const problem = describeMissing(await findMissing(backup, shop), []);
  if (problem === undefined) return;
  throw new Error(
    `"${backup}" is incomplete: ${problem}. Choose another backup, or add --incomplete to restore it without the missing parts`,
  );
}

/**
 * Restores a backup. The folder itself stays (it may be a mount); what was in it moves to
 * `.before-restore-<time>` inside it, after the copy has been made and read back.
 * @throws Error when the backup is incomplete or damaged, or the folder is in use; then nothing was changed
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { data } = options;
  const manifest = await readManifest(options.backup);
  await verifyContent(options.backup, manifest);
  await assertComplete(options, manifest);
  await nodeFileLayer.makeFolder(data);
  await assertUnused(data);
  const stamp = new Date(options.now).toISOString().replaceAll(/[:.]/gu, "-");
  const staged = join(data, `.restoring-${stamp}`);
  const kept = join(data, `.before-restore-${stamp}`);
  await stage(options, manifest, staged);
  await assertUnused(data);
  const moved = await moveEntries(data, kept);
  await moveEntries(staged, data);
  await rmdir(staged);
  await nodeFileLayer.syncFolder(data);
  await verifyContent(data, manifest);
  const keptIn = moved === 0 ? undefined : kept;
  const keys = await bringKeys(manifest.withoutKeys ?? [], { data, keptIn, given: options.given ?? {} });
  return { manifest, keptIn, keys };
}

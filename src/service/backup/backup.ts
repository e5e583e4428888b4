/** A consistent copy of everything in a data folder, also while the services run. */
import { mkdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { codeOf } from "../../kit/thrown.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { HELD, type Hold, holdBlobs } from "../../shop/images/held-blobs.ts";
import {
  type FoundStore,
  RESTORE_FOLDER,
  type StoreSummary,
  belongsTo,
  findStores,
  listFiles,
  summarize,
} from "./content.ts";
import { copyFileSafely } from "./copy.ts";
import { type Manifest, MANIFEST, verifyContent } from "./manifest.ts";
import { isKeyFile } from "../keys/key-files.ts";
import { describeMissing, findMissing, findPromisedHash, findShop, toBlobPath } from "./references.ts";

const TRIES = 8;
/** Suffix of the folder until it is complete and verified. */
export const PARTIAL = ".partial";
/** Suffix of the folder when the records need something that it lacks. */
export const INCOMPLETE = ".incomplete";

export interface BackupOptions {
  readonly data: string;
  /** A folder that does not exist yet. */
  readonly to: string;
  /** Epoch milliseconds; part of the manifest. */
  readonly now: number;
  /** Includes the sealing keys, which open the sealed values. */
  readonly withKeys?: boolean;
  /** For tests: called after each step. */
  readonly onStep?: (step: BackupStep) => Promise<void>;
}

/** "begun": nothing is copied yet; "stores": the records are; "files": so is all else that was there by then. */
export type BackupStep = "begun" | "stores" | "files";

type FileEntry = Manifest["files"][number];

async function copyAll(
  options: Pick<BackupOptions, "data" | "to">,
  paths: readonly string[],
): Promise<FileEntry[]> {
  const copied: FileEntry[] = [];
  for (const path of paths) {
    const copy = await copyFileSafely(join(options.data, path), join(options.to, path));
    // A segment whose window has passed may be removed while we copy.
    if (copy !== undefined) copied.push({ path, ...copy });
  }
  return copied;
}

/**
 * Journals first, oldest first, then the snapshot. A compaction in between puts all that the journals
 * held into the snapshot; if a copied journal then lacks its end, reading the copy finds the gap, and the
 * store is copied again.
 */
export async function copyStore(
  options: Pick<BackupOptions, "data" | "to">,
  store: FoundStore,
): Promise<{ files: FileEntry[]; summary: StoreSummary }> {
  for (let tries = 1; ; tries += 1) {
    const own = (await listFiles(options.data)).filter((file) => belongsTo(store, file));
    const journals = own.filter((file) => file.endsWith(".journal"));
    const files = await copyAll(options, [...journals, ...own.filter((file) => file.endsWith(".json"))]);
    try {
      return { files, summary: await summarize(options.to, store) };
    } catch (error) {
      if (tries === TRIES) throw error;
      for (const { path } of files) await rm(join(options.to, path));
    }
  }
}

/** The history of servers and of their parts: runs, which are written once but merged and removed, and commits that say which count. */
const HISTORY_FILE = /(?:^|\/)(?:history|parts)\/(?:[^/]+\.run|commit)$/u;

/**
 * Copies until the runs are the same before and after: then the commit, which is copied last, fits them. What
 * was copied in a try before is not copied again.
 */
async function copyHistory(options: BackupOptions): Promise<FileEntry[]> {
  const list = async (): Promise<string[]> =>
    (await listFiles(options.data)).filter((file) => HISTORY_FILE.test(file));
  const runs = new Map<string, FileEntry>();
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const before = await list();
    for (const path of [...runs.keys()].filter((path) => !before.includes(path))) {
      runs.delete(path);
      await rm(join(options.to, path));
    }
    const [commits, others] = [
      before.filter((path) => path.endsWith("/commit")),
      before.filter((path) => path.endsWith(".run") && !runs.has(path)),
    ];
    for (const entry of await copyAll(options, others)) runs.set(entry.path, entry);
    for (const path of commits) await rm(join(options.to, path), { force: true });
    const copied = [...runs.values(), ...(await copyAll(options, commits))];
    if (copied.length === before.length && isDeepStrictEqual(before, await list())) return copied;
  }
  throw new Error("The history kept changing while it was copied. Try again");
}

/** Compares a copy with its source, unless the source has moved on. */
async function compareWithSource(data: string, copy: StoreSummary): Promise<void> {
  const source = await summarize(data, copy).catch(() => undefined);
  if (source?.lsn === copy.lsn && !isDeepStrictEqual(source, copy)) {
    throw new Error(`The copy of the store "${copy.name}" differs from its source`);
  }
}

/**
 * Creates a backup and reads it back before it gets its final name. One whose records need what is not there is left as
 * "<to>.incomplete", so that the records have a copy and nothing takes it for a whole one.
 * @throws Error when anything could not be copied, differs or is missing
 */
export async function createBackup(options: BackupOptions): Promise<Manifest> {
  const exists = await stat(options.to).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`"${options.to}" already exists. Choose a new folder`);
  // A backup that is to be sealed is made on the disk of the data, where its content is anyway.
  const isStaged = RESTORE_FOLDER.test(relative(options.data, options.to));
  if (!isStaged && `${resolve(options.to)}/`.startsWith(`${resolve(options.data)}/`)) {
    throw new Error("The backup folder must not be inside the data folder itself");
  }
  const all = await listFiles(options.data).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  if (all.length === 0) throw new Error(`"${options.data}" does not contain data`);
  const partial = { ...options, to: `${options.to}${PARTIAL}` };
  await rm(partial.to, { recursive: true, force: true });
  try {
    const manifest = await fill(partial, all);
    const { missing } = manifest;
    const to = missing === undefined ? options.to : `${options.to}${INCOMPLETE}`;
    if (missing !== undefined) await rm(to, { recursive: true, force: true });
    await rename(partial.to, to);
    await nodeFileLayer.syncFolder(dirname(to));
    if (missing !== undefined)
      throw new Error(`${missing}. The complete parts were copied to "${to}". ${REMEDY}`);
    return manifest;
  } catch (error) {
    // On a full disk the room is needed, and half a backup is none.
    await rm(partial.to, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Fails before the first byte if there is too little space: on the disk of the data, a copy that fills it would stop
 * the services from writing.
 */
async function assertRoom({ data, to }: BackupOptions, paths: readonly string[]): Promise<void> {
  let neededBytes = 0;
  // Files may go meanwhile.
  for (const path of paths)
    neededBytes += await stat(join(data, path)).then(
      ({ size }) => size,
      () => 0,
    );
  const { bavail, bsize } = await statfs(to);
  const toMb = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
  if (bavail * bsize < neededBytes)
    throw new Error(
      `The disk of the backup has ${toMb(bavail * bsize)} free, but the data needs ${toMb(neededBytes)}`,
    );
}

const REMEDY =
  "Restore the missing parts from an older backup, or upload or remove them in the shop. Then back up again";

/** Holds back what a running shop removes; no shop runs on a folder that cannot be written. */
async function hold(data: string, shop: FoundStore | undefined): Promise<Hold | undefined> {
  if (shop === undefined) return undefined;
  try {
    return await holdBlobs(nodeFileLayer, join(data, shop.folder, "blobs"));
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** Copies the blobs that were removed since the records were copied, under the names by which these need them. */
async function copyHeld(partial: BackupOptions, shop: FoundStore): Promise<FileEntry[]> {
  const copied: FileEntry[] = [];
  const { blobs } = await findMissing(partial.to, shop);
  for (const path of new Set(blobs.map(({ hash }) => toBlobPath(shop, hash)))) {
    const copy = await copyFileSafely(join(partial.data, path + HELD), join(partial.to, path));
    if (copy !== undefined) copied.push({ path, ...copy });
  }
  return copied;
}

/** Everything beside stores and history, which came before: the records name no blob that was not there by then. */
async function copyOthers(partial: BackupOptions, stores: readonly FoundStore[]): Promise<FileEntry[]> {
  const others = (await listFiles(partial.data)).filter(
    (file) =>
      !HISTORY_FILE.test(file) &&
      !stores.some((store) => belongsTo(store, file)) &&
      (partial.withKeys === true || !isKeyFile(file)),
  );
  const files = await copyAll(partial, others);
  await partial.onStep?.("files");
  const shop = findShop(stores);
  return shop === undefined ? files : [...files, ...(await copyHeld(partial, shop))];
}

/** Missing parts of the copied records; undefined if it is complete. */
async function findProblem(folder: string, manifest: Manifest): Promise<string | undefined> {
  const shop = findShop(manifest.stores);
  if (shop === undefined) return undefined;
  const damaged = manifest.files.filter(({ path, sha256 }) => (findPromisedHash(path) ?? sha256) !== sha256);
  return describeMissing(
    await findMissing(folder, shop),
    damaged.map(({ path }) => path),
  );
}

async function copyEverything(
  partial: BackupOptions,
  stores: readonly FoundStore[],
): Promise<Omit<Manifest, "missing" | "withoutKeys">> {
  await partial.onStep?.("begun");
  const copies = [];
  for (const store of stores) copies.push(await copyStore(partial, store));
  await partial.onStep?.("stores");
  // The history before the sample log, which still has what the history lacks.
  const history = await copyHistory(partial);
  const others = await copyOthers(partial, stores);
  return {
    format: "trivet-backup/1",
    createdAt: new Date(partial.now).toISOString(),
    files: [...copies.flatMap((copy) => copy.files), ...history, ...others],
    stores: copies.map(({ summary }) => summary),
  };
}

/** Copies everything, reads it back and writes the list of it. */
async function fill(partial: BackupOptions, all: readonly string[]): Promise<Manifest> {
  await mkdir(partial.to, { recursive: true, mode: 0o700 });
  await assertRoom(partial, all);
  const stores = await findStores(partial.data, all);
  const held = await hold(partial.data, findShop(stores));
  let copied: Omit<Manifest, "missing" | "withoutKeys">;
  try {
    copied = await copyEverything(partial, stores);
  } finally {
    await held?.release();
  }
  const keys = partial.withKeys === true ? [] : all.filter(isKeyFile);
  const manifest: Manifest = {
    ...copied,
    missing: await findProblem(partial.to, copied),
    ...(keys.length === 0 ? {} : { withoutKeys: keys }),
  };
  await verifyContent(partial.to, manifest);
  for (const store of manifest.stores) await compareWithSource(partial.data, store);
  await writeFile(join(partial.to, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  return manifest;
}

/** Stores in a data folder. */
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../kit/time/clock.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { openJournalStore } from "../../store/journal/journal-store.ts";
import { takeLock } from "../../store/journal/lock.ts";
import { writeSnapshotText } from "../../store/journal/snapshot-adapter.ts";
import { belongsTo } from "../backup/content.ts";
import { type Content, toContent } from "./content.ts";
import type { Place, StoreName } from "./place.ts";

/** The snapshot and the journals of a store, relative to its folder. */
async function listOwn(folder: string, name: string): Promise<string[]> {
  return (await nodeFileLayer.list(folder)).filter((file) => belongsTo({ folder: "", name }, file));
}

/** Files of one folder that give way to others. */
export interface Swap {
  readonly folder: string;
  /** The new files, by now safely on disk. */
  readonly staged: string;
  readonly kept: string;
  readonly former: readonly string[];
  readonly made: readonly string[];
}

/** Puts the new files in the place of the former ones, which come back when that fails. */
export async function swapFiles({ folder, staged, kept, former, made }: Swap): Promise<void> {
  const done: [from: string, to: string][] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to);
    done.push([from, to]);
  };
  try {
    if (former.length > 0) await mkdir(kept, { mode: 0o700 });
    for (const file of former) await move(join(folder, file), join(kept, file));
    if (former.length > 0) await nodeFileLayer.syncFolder(kept);
    for (const file of made) await move(join(staged, file), join(folder, file));
    await nodeFileLayer.syncFolder(folder);
  } catch (error) {
    for (const [from, to] of done.reverse()) await rename(to, from);
    await rmdir(kept).catch(() => undefined);
    throw error;
  }
}

async function replaceStore(
  folder: string,
  store: StoreName,
  { content, stamp }: { readonly content: Content; readonly stamp: string },
): Promise<string | undefined> {
  const staged = join(folder, `.migrating-${stamp}`);
  const kept = join(folder, `.before-migrate-${stamp}`);
  try {
    await mkdir(staged, { mode: 0o700 });
    await writeSnapshotText(
      { files: nodeFileLayer, folder: staged, name: store.name, clock: systemClock },
      store.collections.map((collection) => ({ ...collection, pages: content.pages(collection) })),
    );
    const former = await listOwn(folder, store.name);
    await swapFiles({ folder, staged, kept, former, made: await listOwn(staged, store.name) });
    return former.length > 0 ? kept : undefined;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** The stores below `data`; `now` (epoch milliseconds) names the folder that keeps what is replaced. */
export function createFolderPlace(data: string, now: number): Place {
  return {
    label: `the folder "${data}"`,
    open: async ({ name, collections }) => {
      const folder = join(data, name);
      if ((await listOwn(folder, name)).length === 0) return undefined;
      return toContent(await openJournalStore({ folder, name, collections, compactOnClose: false }));
    },
    write: async (store, content) => {
      await nodeFileLayer.makeFolder(data);
      const folder = join(data, store.name);
      await nodeFileLayer.makeFolder(folder);
      const lock = await takeLock({ files: nodeFileLayer, folder, name: store.name });
      try {
        const stamp = new Date(now).toISOString().replaceAll(/[:.]/gu, "-");
        return await replaceStore(folder, store, { content, stamp });
      } finally {
        await lock.release();
      }
    },
  };
}

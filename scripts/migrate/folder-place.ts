/** Stores in a data folder. Hidden here: lock, snapshot, and keeping the files that are replaced. */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/kit/clock.ts";
import { nodeFileLayer } from "../../src/store/file-layer.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { takeLock } from "../../src/store/journal/lock.ts";
import { createSnapshotFile } from "../../src/store/journal/snapshot-adapter.ts";
import { belongsTo } from "../store/content.ts";
import type { Content } from "./content.ts";
import { readContent } from "./content.ts";
import type { Place, StoreName } from "./place.ts";

/** The snapshot and the journals of a store, relative to its folder. */
async function listOwn(folder: string, name: string): Promise<string[]> {
  await nodeFileLayer.makeFolder(folder);
  return (await nodeFileLayer.list(folder)).filter((file) => belongsTo({ folder: "", name }, file));
}

async function writeSnapshot(
  folder: string,
  { name, collections }: StoreName,
  content: Content,
): Promise<void> {
  await createSnapshotFile({ files: nodeFileLayer, folder, name, clock: systemClock }).write({
    service: name,
    lsn: 1,
    edited: false,
    collections: new Map(
      collections.map(({ name: collection, revision }) => [
        collection,
        { revision, documents: content.get(collection) ?? [] },
      ]),
    ),
  });
}

/** The stores below `data`; `now` (epoch milliseconds) names the folder that keeps what is replaced. */
export function createFolderPlace(data: string, now: number): Place {
  return {
    label: `the folder "${data}"`,
    read: async ({ name, collections }) => {
      const folder = join(data, name);
      if (
        (await nodeFileLayer.list(folder).catch(() => [])).every(
          (file) => !belongsTo({ folder: "", name }, file),
        )
      )
        return undefined;
      const store = await openJournalStore({ folder, name, collections, compactOnClose: false });
      try {
        return await readContent(store, collections);
      } finally {
        await store.close();
      }
    },
    write: async (store, content) => {
      await nodeFileLayer.makeFolder(data);
      const folder = join(data, store.name);
      const former = await listOwn(folder, store.name);
      const lock = await takeLock({ files: nodeFileLayer, folder, name: store.name });
      try {
        const kept = join(folder, `.before-migrate-${new Date(now).toISOString().replaceAll(/[:.]/gu, "-")}`);
        if (former.length > 0) await mkdir(kept, { mode: 0o700 });
        for (const file of former) await rename(join(folder, file), join(kept, file));
        await writeSnapshot(folder, store, content);
        return former.length > 0 ? kept : undefined;
      } finally {
        await lock.release();
      }
    },
  };
}

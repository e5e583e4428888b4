/** Writes the snapshot and its index file, as an adapter for lowdb's `Low`; opens both. */
import type { Adapter } from "lowdb";
import type { Clock } from "../../kit/time/clock.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import type { Doc } from "../keys.ts";
import { formatChecksum } from "../checksum.ts";
import {
  type Base,
  type BasePlace,
  type Contents,
  type Prepared,
  openBase,
  readContents,
  writeContents,
} from "../btree/base.ts";
import { type BlockSums, sumUpFile } from "../btree/block-sums.ts";
import { ByteSink } from "../btree/byte-sink.ts";
import type { Part, Sinks } from "../tables/write-table.ts";
import { type StorePlace, listGenerations, toGenerationPath, toSnapshotPath, toWorkPaths } from "./place.ts";
import { FORMAT, toSnapshotEnd } from "./snapshot.ts";

/** Everything a store holds after the transaction `lsn`, to be written. */
export interface Image {
  readonly service: string;
  readonly lsn: number;
  /** Generation of the journal that goes on after it, and has to be there; absent before the first one. */
  readonly journal?: number | undefined;
  readonly parts: ReadonlyMap<string, Part>;
}

export interface SnapshotFileOptions extends StorePlace {
  readonly clock: Clock;
}

export interface SnapshotFile extends Adapter<Image> {
  readonly path: string;
  /** Puts what was prepared in the place of the snapshot. */
  adopt(prepared: Prepared): Promise<void>;
  /** Opens the latest snapshot. @throws Error if it was deleted */
  open(): Promise<Base>;
}

/** The sums of the snapshot; undefined unless it is, byte by byte, the one that an index file was made of. */
async function readWholeSums(
  files: FileLayer,
  path: string,
  { sizeBytes, checksum }: Contents["snapshot"],
): Promise<BlockSums | undefined> {
  const end = toSnapshotEnd(checksum);
  const range = { offset: sizeBytes - end.length, sizeBytes: end.length };
  if ((await files.sizeBytes(path)) !== sizeBytes) return undefined;
  if (Buffer.from((await files.readRange(path, range)) ?? []).toString() !== end) return undefined;
  const { checksum: found, sums } = await sumUpFile(files, path, range.offset);
  return formatChecksum(found) === checksum ? sums : undefined;
}

function toBasePlace(place: StorePlace, index: string): BasePlace {
  return { files: place.files, onDamage: place.onDamage, snapshot: toSnapshotPath(place), index };
}

/** Opens a snapshot with its index file; undefined when there are not both, or they are not each other's. */
export async function findBase(place: StorePlace): Promise<Base | undefined> {
  const { files, name } = place;
  for (const { path, generation } of (await listGenerations(place, "index")).reverse()) {
    const found = await readContents(files, path);
    if (found?.contents.service !== name || found.contents.journal !== generation) continue;
    const { contents, sums: index } = found;
    const snapshot = await readWholeSums(files, toSnapshotPath(place), contents.snapshot);
    if (snapshot !== undefined)
      return openBase(toBasePlace(place, path), { contents, sums: { snapshot, index } });
  }
  return undefined;
}

/** Writes the text around the documents of a snapshot; `write` writes the documents of each collection. */
async function writeText<P extends { readonly revision: number }>(
  snapshot: ByteSink,
  { service, lsn, journal, parts }: Omit<Image, "parts"> & { readonly parts: ReadonlyMap<string, P> },
  { writtenAt, write }: { writtenAt: number; write: (name: string, part: P) => Promise<void> },
): Promise<{ readonly checksum: string; readonly sums: BlockSums }> {
  const revisions = Object.fromEntries([...parts].map(([name, { revision }]) => [name, revision]));
  snapshot.write(
    `{\n"format": ${JSON.stringify(FORMAT)},\n"service": ${JSON.stringify(service)},\n"lsn": ${lsn},\n`,
  );
  if (journal !== undefined) snapshot.write(`"journal": ${journal},\n`);
  snapshot.write(`"writtenAt": ${JSON.stringify(new Date(writtenAt).toISOString())},\n`);
  snapshot.write(`"revisions": ${JSON.stringify(revisions)},\n"collections": {`);
  let before = "\n";
  for (const [name, part] of parts) {
    snapshot.write(`${before}${JSON.stringify(name)}: [`);
    await write(name, part);
    snapshot.write("\n]");
    before = ",\n";
  }
  snapshot.write("\n}\n");
  await snapshot.flush();
  const { checksum } = snapshot;
  snapshot.write(toSnapshotEnd(checksum));
  return { checksum, sums: await snapshot.end() };
}

async function writeBoth(image: Image, sinks: Sinks, writtenAt: number): Promise<Prepared> {
  const { snapshot, index } = sinks;
  const { service, lsn, journal } = image;
  const collections: Contents["collections"] = {};
  const { checksum, sums } = await writeText(snapshot, image, {
    writtenAt,
    write: async (name, part) => {
      collections[name] = await part.write(sinks);
    },
  });
  const of = { sizeBytes: snapshot.offset, checksum };
  const contents: Contents = { format: "trivet-index/1", service, snapshot: of, lsn, journal, collections };
  return { contents, sums: { snapshot: sums, index: await writeContents(index, contents) } };
}

/** A collection whose documents come from elsewhere. */
export interface Incoming {
  readonly name: string;
  readonly revision: number;
  readonly pages: AsyncIterable<readonly Doc[]>;
}

/** Writes the first snapshot of a store into an empty folder; its index file is made at the first start. */
export async function writeSnapshotText(
  place: SnapshotFileOptions,
  collections: readonly Incoming[],
): Promise<void> {
  const { files, folder, name: service, clock } = place;
  const snapshot = await ByteSink.open(files, toSnapshotPath(place));
  try {
    const parts = new Map(collections.map((collection) => [collection.name, collection]));
    await writeText(
      snapshot,
      { service, lsn: 1, parts },
      {
        writtenAt: clock.now(),
        write: async (_name, { pages }) => {
          let before = "\n";
          for await (const docs of pages)
            for (const doc of docs) {
              snapshot.write(`${before}${JSON.stringify(doc)}`);
              before = ",\n";
              await snapshot.drain();
            }
        },
      },
    );
  } finally {
    await snapshot.close();
  }
  await files.syncFolder(folder);
}

function toIndexPath(place: StorePlace, journal: number | undefined): string {
  return toGenerationPath(place, { generation: journal ?? 0, kind: "index" });
}

async function removeBoth(place: StorePlace, journal: number | undefined): Promise<void> {
  // When this fails too, the next start removes what is left.
  for (const file of [toWorkPaths(place)[0], toIndexPath(place, journal)])
    await place.files.remove(file).catch(() => undefined);
}

/** Writes a snapshot and its index file, which count for nothing before `adopt`. Nothing is left when it fails. */
export async function prepareSnapshot(options: SnapshotFileOptions, image: Image): Promise<Prepared> {
  const opened: ByteSink[] = [];
  const open = async (file: string): Promise<ByteSink> => {
    const sink = await ByteSink.open(options.files, file);
    opened.push(sink);
    return sink;
  };
  try {
    const sinks = {
      snapshot: await open(toWorkPaths(options)[0]),
      index: await open(toIndexPath(options, image.journal)),
    };
    const prepared = await writeBoth(image, sinks, options.clock.now());
    for (const sink of opened.splice(0)) await sink.close();
    return prepared;
  } catch (error) {
    for (const sink of opened) await sink.close().catch(() => undefined);
    await removeBoth(options, image.journal);
    throw error;
  }
}

/** The adapter for `<folder>/<name>.json`. Reading is `recover`'s, since a snapshot is nothing without its journals. */
export function createSnapshotFile(options: SnapshotFileOptions): SnapshotFile {
  const { files, folder } = options;
  const path = toSnapshotPath(options);
  let written: Prepared | undefined;
  const adopt = async (prepared: Prepared): Promise<void> => {
    const { journal } = prepared.contents;
    try {
      await files.rename(toWorkPaths(options)[0], path);
    } catch (error) {
      await removeBoth(options, journal);
      throw error;
    }
    written = prepared;
    await files.syncFolder(folder);
  };
  return {
    path,
    read: async () => null,
    write: async (image) => adopt(await prepareSnapshot(options, image)),
    adopt,
    async open() {
      const index = toIndexPath(options, written?.contents.journal);
      const base = written && (await openBase(toBasePlace(options, index), written));
      if (base === undefined) throw new Error(`"${path}" or its index file is missing`);
      return base;
    },
  };
}

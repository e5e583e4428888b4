/** Writes the snapshot and its index file, as an adapter for lowdb's `Low`; opens both. */
import type { Adapter } from "lowdb";
import type { Clock } from "../../kit/time/clock.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import {
  type Base,
  type BasePaths,
  type Contents,
  openBase,
  readChecksum,
  readContents,
  writeContents,
} from "../pages/base.ts";
import { ByteSink } from "../pages/byte-sink.ts";
import type { Table } from "../tables/table.ts";
import { type Sinks, writeTable } from "../tables/write-table.ts";
import { toChecksum } from "./line.ts";
import { type StorePlace, listGenerations, toGenerationPath, toSnapshotPath } from "./place.ts";
import { FORMAT, toSnapshotEnd } from "./snapshot.ts";

/** Everything a store holds after the transaction `lsn`, to be written. */
export interface Image {
  readonly service: string;
  readonly lsn: number;
  /** Generation of the journal that goes on after it, and has to be there; absent before the first one. */
  readonly journal?: number | undefined;
  readonly tables: ReadonlyMap<string, Table>;
}

export interface SnapshotFileOptions extends StorePlace {
  readonly clock: Clock;
}

export interface SnapshotFile extends Adapter<Image> {
  readonly path: string;
  /** Opens what was written last. @throws Error when it is not there any more */
  open(): Promise<Base>;
}

/** Whether the snapshot is, byte by byte, the one that an index file was made of. */
async function isWhole(
  files: FileLayer,
  path: string,
  { sizeBytes, checksum }: Contents["snapshot"],
): Promise<boolean> {
  const end = toSnapshotEnd(checksum);
  const range = { offset: sizeBytes - end.length, sizeBytes: end.length };
  return (
    (await files.sizeBytes(path)) === sizeBytes &&
    Buffer.from((await files.readRange(path, range)) ?? []).toString() === end &&
    (await readChecksum(files, path, range.offset)) === checksum
  );
}

/** Opens a snapshot with its index file; undefined when there are not both, or they are not each other's. */
export async function findBase(place: StorePlace): Promise<Base | undefined> {
  const { files, name } = place;
  const snapshot = toSnapshotPath(place);
  for (const { path, generation } of (await listGenerations(place, "index")).reverse()) {
    const contents = await readContents(files, path);
    const fits = contents?.service === name && contents.journal === generation;
    if (fits && (await isWhole(files, snapshot, contents.snapshot)))
      return openBase(files, { snapshot, index: path }, contents);
  }
  return undefined;
}

async function writeBoth(image: Image, sinks: Sinks, writtenAt: number): Promise<Contents> {
  const { snapshot, index } = sinks;
  const { service, lsn, journal, tables } = image;
  const revisions = Object.fromEntries(
    [...tables].map(([name, { collection }]) => [name, collection.revision]),
  );
  snapshot.write(
    `{\n"format": ${JSON.stringify(FORMAT)},\n"service": ${JSON.stringify(service)},\n"lsn": ${lsn},\n`,
  );
  if (journal !== undefined) snapshot.write(`"journal": ${journal},\n`);
  snapshot.write(`"writtenAt": ${JSON.stringify(new Date(writtenAt).toISOString())},\n`);
  snapshot.write(`"revisions": ${JSON.stringify(revisions)},\n"collections": {`);
  const collections: Contents["collections"] = {};
  let before = "\n";
  for (const [name, table] of tables) {
    snapshot.write(`${before}${JSON.stringify(name)}: [`);
    collections[name] = await writeTable(table, sinks);
    snapshot.write("\n]");
    before = ",\n";
  }
  snapshot.write("\n}\n");
  await snapshot.flush();
  const { checksum } = snapshot;
  snapshot.write(toSnapshotEnd(checksum));
  await snapshot.end();
  const of = { sizeBytes: snapshot.offset, checksum };
  const contents: Contents = { format: "trivet-index/1", service, snapshot: of, lsn, journal, collections };
  await writeContents(index, contents);
  return contents;
}

/** The adapter for `<folder>/<name>.json`. Reading is `recover`'s, since a snapshot is nothing without its journals. */
export function createSnapshotFile(options: SnapshotFileOptions): SnapshotFile {
  const { files, folder, clock } = options;
  const path = toSnapshotPath(options);
  const temporary = `${path}.tmp`;
  let written: { readonly paths: BasePaths; readonly contents: Contents } | undefined;
  return {
    path,
    read: async () => null,
    async write(image) {
      const index = toGenerationPath(options, { generation: image.journal ?? 0, kind: "index" });
      const opened: ByteSink[] = [];
      const open = async (file: string): Promise<ByteSink> => {
        const sink = await ByteSink.open(files, file);
        opened.push(sink);
        return sink;
      };
      try {
        const sinks = { snapshot: await open(temporary), index: await open(index) };
        const contents = await writeBoth(image, sinks, clock.now());
        for (const sink of opened.splice(0)) await sink.close();
        await files.rename(temporary, path);
        written = { paths: { snapshot: path, index }, contents };
      } catch (error) {
        for (const sink of opened) await sink.close().catch(() => undefined);
        // What is left of them would only fill the disk; when this fails too, the next start removes it.
        for (const file of [temporary, index]) await files.remove(file).catch(() => undefined);
        throw error;
      }
      await files.syncFolder(folder);
    },
    async open() {
      const base = written && (await openBase(files, written.paths, written.contents));
      if (base === undefined) throw new Error(`"${path}" or its index file is gone`);
      return base;
    },
  };
}

/** A checksum of content alone (not of when it was written), to compare copies. */
export function toContentHash(documents: Iterable<{ readonly id: string }>): string {
  const texts = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1)).map((doc) => JSON.stringify(doc));
  return toChecksum(texts.join("\n"));
}

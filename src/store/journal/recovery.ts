/** Reads a store's files back: the snapshot, then every journal line after it. */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import type { Doc } from "../keys.ts";
import type { Base } from "../pages/base.ts";
import { type Operation, damaged } from "./line.ts";
import {
  type FoundFile,
  type StorePlace,
  listGenerations,
  toGenerationPath,
  toSnapshotPath,
} from "./place.ts";
import { type Scan, scanJournal } from "./scan.ts";
import { type Snapshot, parseSnapshot } from "./snapshot.ts";

export interface JournalFile extends Scan, FoundFile {
  /** Good lines that change something. */
  readonly changes: number;
}

export interface RecoveredCollection {
  /** The revision that its documents were written with. */
  readonly revision: number;
  readonly documents: Map<string, Doc>;
}

/** What the files hold, before any schema has seen it. */
export interface Recovered {
  readonly lsn: number;
  readonly edited: boolean;
  readonly collections: ReadonlyMap<string, RecoveredCollection>;
  readonly journals: readonly JournalFile[];
}

function toCollections(path: string, snapshot: Snapshot): Map<string, RecoveredCollection> {
  const collections = new Map<string, RecoveredCollection>();
  for (const [name, { revision, documents }] of snapshot.collections) {
    const byId = new Map<string, Doc>();
    for (const doc of documents) {
      if (byId.has(doc.id))
        throw damaged(path, `holds two records "${doc.id}" in "${name}"`, "remove one of them");
      byId.set(doc.id, doc);
    }
    collections.set(name, { revision, documents: byId });
  }
  return collections;
}

function assertWhole(journals: readonly JournalFile[]): void {
  journals.forEach(({ path, tornBytes, lines }, index) => {
    const goesOn = journals.slice(index + 1).some(({ changes }) => changes > 0);
    if (tornBytes > 0 && goesOn)
      throw damaged(path, `is damaged at line ${lines + 1}, and a later journal goes on`);
  });
}

/** What the snapshot names is there, whole or not: only a loss takes it away. */
function assertPresent(
  place: StorePlace,
  { snapshotPath, named }: { readonly snapshotPath: string; readonly named: number | undefined },
  journals: readonly Pick<JournalFile, "generation" | "lines">[],
): void {
  if (named === undefined) return;
  const journal = journals.find(({ generation }) => generation === named);
  if (journal !== undefined && journal.lines > 0) return;
  throw damaged(
    toGenerationPath(place, { generation: named, kind: "journal" }),
    journal === undefined ? `is missing, and "${snapshotPath}" goes on in it` : "has lost its first line",
    `restore the folder from a backup; or, to go on without the changes in it, remove the lines "journal" and "checksum" from "${snapshotPath}"`,
  );
}

/** The whole file, or undefined when there is none. */
export async function readWhole(files: FileLayer, path: string): Promise<Buffer | undefined> {
  const chunks = await files.readChunks(path);
  if (chunks === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** What a snapshot says of where its journals go on. */
interface Start {
  readonly snapshotPath: string;
  readonly lsn: number;
  /** The journal that it names; absent in what older programs wrote. */
  readonly named: number | undefined;
}

/** Reads the journals after a snapshot. `apply` takes one change, and is false when it knows no such collection. */
async function readJournals(
  place: StorePlace,
  start: Start,
  apply: (operation: Operation) => boolean,
): Promise<Pick<Recovered, "lsn" | "journals">> {
  const journals: JournalFile[] = [];
  let { lsn } = start;
  for (const { path, generation } of await listGenerations(place, "journal")) {
    let changes = 0;
    const scan = await scanJournal(place.files, path, {
      expectedLsn: lsn + 1,
      apply: (entry, lineNumber) => {
        const isFirstLine = entry.operations.length === 0;
        changes += isFirstLine ? 0 : 1;
        // A compaction that was cut short leaves lines that the snapshot holds already.
        if (entry.lsn <= lsn) return;
        if (entry.lsn !== lsn + 1 || isFirstLine) {
          const last = isFirstLine ? entry.lsn : entry.lsn - 1;
          throw damaged(path, `lacks transactions ${lsn + 1} to ${last} before line ${lineNumber}`);
        }
        const unknown = entry.operations.find((operation) => !apply(operation))?.collection;
        if (unknown !== undefined)
          throw damaged(path, `names the unknown collection "${unknown}" at line ${lineNumber}`);
        lsn = entry.lsn;
      },
    });
    journals.push({ path, generation, changes, ...scan });
  }
  assertPresent(place, start, journals);
  assertWhole(journals);
  return { lsn, journals };
}

/**
 * Reads everything; undefined when there is no store yet.
 * @throws StoreError `store_unavailable` naming file, line and remedy when anything is damaged or missing
 */
export async function recover(place: StorePlace): Promise<Recovered | undefined> {
  const snapshotPath = toSnapshotPath(place);
  const bytes = await readWhole(place.files, snapshotPath);
  if (bytes === undefined) {
    if ((await listGenerations(place, "journal")).length === 0) return undefined;
    // The snapshot is written before the first journal, so one without the other is a loss.
    throw damaged(
      snapshotPath,
      "is missing, but there is a journal",
      `restore the folder from a backup; or, to begin with nothing, remove "${place.name}.*.journal" beside it`,
    );
  }
  const snapshot = parseSnapshot(snapshotPath, bytes);
  const { service, lsn, journal: named, edited } = snapshot;
  if (service !== place.name)
    throw damaged(snapshotPath, `belongs to the service "${service}"`, "put the right file there");
  const collections = toCollections(snapshotPath, snapshot);
  const read = await readJournals(place, { snapshotPath, lsn, named }, (operation) => {
    const documents = collections.get(operation.collection)?.documents;
    if (operation.kind === "put") documents?.set(operation.doc.id, operation.doc);
    else documents?.delete(operation.id);
    return documents !== undefined;
  });
  return { ...read, edited, collections };
}

/** What the journals say since a snapshot that is read from the disk when it is asked for. */
export interface Changed extends Pick<Recovered, "lsn" | "journals"> {
  /** The last state of each document, by collection and id; undefined when it is gone. */
  readonly changes: ReadonlyMap<string, ReadonlyMap<string, Doc | undefined>>;
}

/**
 * Reads the journals alone.
 * @throws StoreError as `recover` does
 */
export async function recoverChanges(place: StorePlace, base: Base): Promise<Changed> {
  const { contents } = base;
  const changes = new Map<string, Map<string, Doc | undefined>>(
    Object.keys(contents.collections).map((name) => [name, new Map()]),
  );
  const snapshotPath = toSnapshotPath(place);
  const start = { snapshotPath, lsn: contents.lsn, named: contents.journal };
  const read = await readJournals(place, start, (operation) => {
    const documents = changes.get(operation.collection);
    if (operation.kind === "put") documents?.set(operation.doc.id, operation.doc);
    else documents?.set(operation.id, undefined);
    return documents !== undefined;
  });
  return { ...read, changes };
}

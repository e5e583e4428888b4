/** Reads a store's files back: the snapshot, then every journal line after it. */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import type { Doc } from "../keys.ts";
import { type Entry, damaged } from "./line.ts";
import { type Scan, scanJournal } from "./scan.ts";
import type { Snapshot } from "./snapshot.ts";

/** Where a store's files are: `<folder>/<name>.json`, `<folder>/<name>.<generation>.journal`. */
export interface StorePlace {
  readonly files: FileLayer;
  readonly folder: string;
  readonly name: string;
}

export interface JournalFile extends Scan {
  readonly path: string;
  readonly generation: number;
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
  /** Whether the snapshot names the journal that belongs to it. */
  readonly namesJournal: boolean;
  readonly collections: ReadonlyMap<string, RecoveredCollection>;
  readonly journals: readonly JournalFile[];
}

/** The path of a journal. Each compaction starts the next generation. */
export function toJournalPath(place: StorePlace, generation: number): string {
  return `${place.folder}/${place.name}.${String(generation).padStart(6, "0")}.journal`;
}

/** The store's journals, oldest first. */
export async function listJournals(place: StorePlace): Promise<{ path: string; generation: number }[]> {
  const found: { path: string; generation: number }[] = [];
  for (const file of await place.files.list(place.folder)) {
    if (!file.startsWith(`${place.name}.`)) continue;
    const generation = /^(\d{6,})\.journal$/u.exec(file.slice(place.name.length + 1))?.[1];
    if (generation !== undefined)
      found.push({ path: `${place.folder}/${file}`, generation: Number(generation) });
  }
  return found.sort((a, b) => a.generation - b.generation);
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

function applyEntry(collections: ReadonlyMap<string, RecoveredCollection>, entry: Entry): string | undefined {
  for (const operation of entry.operations) {
    const documents = collections.get(operation.collection)?.documents;
    if (documents === undefined) return operation.collection;
    if (operation.kind === "put") documents.set(operation.doc.id, operation.doc);
    else documents.delete(operation.id);
  }
  return undefined;
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
    toJournalPath(place, named),
    journal === undefined ? `is missing, and "${snapshotPath}" goes on in it` : "has lost its first line",
    `restore the folder from a backup; or, to go on without the changes in it, remove the lines "journal" and "checksum" from "${snapshotPath}"`,
  );
}

/**
 * Reads everything; undefined when there is no store yet.
 * @throws StoreError `store_unavailable` naming file, line and remedy when anything is damaged or missing
 */
export async function recover(
  place: StorePlace,
  snapshotFile: { readonly path: string; readonly read: () => Promise<Snapshot | null> },
): Promise<Recovered | undefined> {
  const snapshot = await snapshotFile.read();
  const found = await listJournals(place);
  if (snapshot === null) {
    if (found.length === 0) return undefined;
    // The snapshot is written before the first journal, so one without the other is a loss.
    throw damaged(
      snapshotFile.path,
      "is missing, but there is a journal",
      `restore the folder from a backup; or, to begin with nothing, remove "${place.name}.*.journal" beside it`,
    );
  }
  if (snapshot.service !== place.name) {
    throw damaged(
      snapshotFile.path,
      `belongs to the service "${snapshot.service}"`,
      "put the right file there",
    );
  }
  const collections = toCollections(snapshotFile.path, snapshot);
  const journals: JournalFile[] = [];
  let { lsn } = snapshot;
  for (const { path, generation } of found) {
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
        const unknown = applyEntry(collections, entry);
        if (unknown !== undefined)
          throw damaged(path, `names the unknown collection "${unknown}" at line ${lineNumber}`);
        lsn = entry.lsn;
      },
    });
    journals.push({ path, generation, changes, ...scan });
  }
  assertPresent(place, { snapshotPath: snapshotFile.path, named: snapshot.journal }, journals);
  assertWhole(journals);
  const namesJournal = snapshot.journal !== undefined;
  return { lsn, edited: snapshot.edited, namesJournal, collections, journals };
}

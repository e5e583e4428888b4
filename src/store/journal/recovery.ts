/** Reads a store's files back: the snapshot, then every journal line after it. */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import type { Doc } from "../keys.ts";
import type { SpillFile } from "../btree/key-sorter.ts";
import { type Operation, damaged } from "./line.ts";
import {
  type FoundFile,
  type StorePlace,
  listGenerations,
  toGenerationPath,
  toSnapshotPath,
} from "./place.ts";
import { type Scan, scanJournal } from "./scan.ts";
import { type Snapshot, readSnapshot } from "./snapshot.ts";

export interface JournalFile extends Scan, FoundFile {
  /** Good lines that change something. */
  readonly changes: number;
}

/** Changes in the journals since a snapshot, before validation. */
export interface Changed {
  readonly lsn: number;
  readonly journals: readonly JournalFile[];
  /** The last state of each document, by collection and id; undefined when it is gone. */
  readonly changes: ReadonlyMap<string, ReadonlyMap<string, Doc | undefined>>;
}

/** The contents of the files, before validation. */
export interface Recovered extends Changed {
  readonly snapshot: Snapshot;
}

function assertWhole(journals: readonly JournalFile[]): void {
  journals.forEach(({ path, tornBytes, lines }, index) => {
    const goesOn = journals.slice(index + 1).some(({ changes }) => changes > 0);
    if (tornBytes > 0 && goesOn)
      throw damaged(path, `is damaged at line ${lines + 1}, and a later journal goes on`);
  });
}

/** A file that the snapshot names exists, complete or not: only a loss removes it. */
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

/** A snapshot's header. */
interface Start {
  readonly lsn: number;
  /** The journal that it names; absent in what older programs wrote. */
  readonly journal?: number | undefined;
  /** The names of its collections. */
  readonly names: Iterable<string>;
}

/**
 * Reads the journals after a snapshot.
 * @throws StoreError `store_unavailable` naming file, line and remedy when anything is damaged or missing
 */
export async function recoverChanges(place: StorePlace, start: Start): Promise<Changed> {
  const changes = new Map([...start.names].map((name) => [name, new Map<string, Doc | undefined>()]));
  const apply = (operation: Operation): boolean => {
    const documents = changes.get(operation.collection);
    if (operation.kind === "put") documents?.set(operation.doc.id, operation.doc);
    else documents?.set(operation.id, undefined);
    return documents !== undefined;
  };
  const journals: JournalFile[] = [];
  let { lsn } = start;
  for (const { path, generation } of await listGenerations(place, "journal")) {
    let count = 0;
    const scan = await scanJournal(place.files, path, {
      expectedLsn: lsn + 1,
      apply: (entry, lineNumber) => {
        const isFirstLine = entry.operations.length === 0;
        count += isFirstLine ? 0 : 1;
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
    journals.push({ path, generation, changes: count, ...scan });
  }
  assertPresent(place, { snapshotPath: toSnapshotPath(place), named: start.journal }, journals);
  assertWhole(journals);
  return { lsn, journals, changes };
}

/**
 * Reads everything, with what does not fit into memory in `spill`; undefined when there is no store yet.
 * @throws StoreError `store_unavailable` naming file, line and remedy when anything is damaged or missing
 */
export async function recover(place: StorePlace, spill?: SpillFile): Promise<Recovered | undefined> {
  const path = toSnapshotPath(place);
  const snapshot = await readSnapshot(place.files, { path, spill });
  if (snapshot === undefined) {
    if ((await listGenerations(place, "journal")).length === 0) return undefined;
    // The snapshot is written before the first journal, so one without the other is a loss.
    throw damaged(
      path,
      "is missing, but there is a journal",
      `restore the folder from a backup; or, to begin with nothing, remove "${place.name}.*.journal" beside it`,
    );
  }
  if (snapshot.service !== place.name)
    throw damaged(path, `belongs to the service "${snapshot.service}"`, "restore the right file");
  const { lsn, journal, collections } = snapshot;
  return { ...(await recoverChanges(place, { lsn, journal, names: collections.keys() })), snapshot };
}

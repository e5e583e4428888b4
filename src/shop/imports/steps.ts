/** What the steps of an import have in common: the import's record, its worker's lease, its file. */
import { type CsvRow, type CsvSource, openCsv } from "../../kit/files/csv.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { readChunks } from "../files/chunks.ts";
import { storedFiles } from "../files/records.ts";
import { readSite } from "../site/settings.ts";
import type { Fault } from "./faults.ts";
import type { ReadItem } from "./kind.ts";
import { importKinds } from "./kinds.ts";
import { importFaults, imports } from "./records.ts";
import { type ImportRecord, type ImportState, MAX_FAULTS } from "./schema.ts";

/** Longer than a step takes; after it another process goes on. */
export const LEASE_MS = 30_000;

export type ImportDeps = Pick<
  ShopDeps,
  "store" | "clock" | "log" | "box" | "blobs" | "fileBlobs" | "isShared"
> & {
  readonly pictureOutbound: ShopDeps["paymentOutbound"];
};

/** One run of the job over one import. */
export interface Step {
  readonly deps: ImportDeps;
  readonly worker: string;
  /** Whether the process is stopping. */
  readonly isOver: () => boolean;
}

/** The import while it is in this state and ours; undefined once someone stopped it or another process took over. */
export async function findOwn(
  tx: Tx,
  { deps, worker }: Pick<Step, "deps" | "worker">,
  { id, state }: { readonly id: string; readonly state: ImportState },
): Promise<ImportRecord | undefined> {
  const record = await tx.get(imports, id);
  if (record?.state !== state) return undefined;
  const isTaken =
    deps.isShared === true && record.worker !== worker && (record.leaseUntil ?? 0) > deps.clock.now();
  return isTaken ? undefined : { ...record, worker, leaseUntil: deps.clock.now() + LEASE_MS };
}

/** The bytes of a stored file, in parts. @throws Error if a part is missing */
export async function* readStored(
  { store, fileBlobs }: Pick<ImportDeps, "store" | "fileBlobs">,
  storedId: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const stored = await store.read((tx) => tx.get(storedFiles, storedId));
  if (stored === undefined) throw new Error(`The file "${storedId}" is missing`);
  yield* readChunks({ store, fileBlobs }, stored, { first: 0, last: stored.sizeBytes - 1 });
}

/** Opens the CSV of an import. @throws AppError `bad_request` for what is no CSV */
export function openFile(deps: ImportDeps, record: ImportRecord): Promise<CsvSource> {
  const { storedId, options, kind } = record;
  const { isHeader } = importKinds[kind].columns;
  return openCsv(() => readStored(deps, storedId), { encoding: options.encoding, isHeader });
}

/** The records of the file, from its start. */
export async function* readFile(
  deps: ImportDeps,
  { kind, options }: Pick<ImportRecord, "kind" | "options">,
  open: () => AsyncIterable<CsvRow>,
): AsyncGenerator<ReadItem, void> {
  const { currency, slugStyle, timeZone } = await deps.store.read(readSite);
  yield* importKinds[kind].read(open, { currency, slugStyle, timeZone, options });
}

/** Keeps faults of one record of the file, up to 1,000 of each phase. */
export async function keepFaults(
  tx: Tx,
  { id: importId }: Pick<ImportRecord, "id">,
  faults: {
    readonly phase: "trial" | "run";
    /** The record's place in the file. */
    readonly number: number;
    /** Records with faults before it. */
    readonly before: number;
    readonly title: string;
    readonly list: readonly Fault[];
    readonly level?: "error" | "note";
  },
): Promise<void> {
  if (faults.before >= MAX_FAULTS) return;
  const { phase, number, title, list, level = "error" } = faults;
  for (const [index, fault] of list.slice(0, 20).entries())
    await tx.insert(importFaults, {
      id: `${importId}:${phase}:${String(number).padStart(7, "0")}:${level}${String(index).padStart(2, "0")}`,
      importId,
      phase,
      line: fault.line,
      column: fault.column?.slice(0, 200),
      code: fault.code,
      message: fault.message.slice(0, 500),
      text: fault.text,
      level,
      title: title.slice(0, 200),
    });
}

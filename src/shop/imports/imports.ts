/** Imports as administrators start, stop and undo them; the job does the work. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import { UNUSED_MS } from "../files/upload-parts.ts";
import { claimUpload } from "../files/uploads.ts";
import { storedFiles } from "../files/records.ts";
import { retryFailed } from "./pictures.ts";
import { auditNouns } from "./kinds.ts";
import { importFaults, importItems, importPictures, imports } from "./records.ts";
import {
  type ImportFaultRecord,
  type ImportItemRecord,
  type ImportKindName,
  type ImportOptions,
  type ImportPictureRecord,
  type ImportRecord,
  defaultOptions,
  noCounts,
} from "./schema.ts";
import { removeImport, sweepImports } from "./removal.ts";
import { assertState, getImport } from "./states.ts";
import type { ImportDeps, Step } from "./steps.ts";
import { runImports } from "./work.ts";

/** Imports that wait for their file or their go-ahead at once. */
const MAX_OPEN = 20;

/** A file that is going to be sent. */
interface NewFile {
  readonly fileName: string;
  readonly sizeBytes: number;
}

export interface NewImport extends NewFile {
  readonly kind: ImportKindName;
  readonly archive?: NewFile | undefined;
}

async function announce(
  tx: Tx,
  importId: string,
  { fileName, sizeBytes }: NewFile,
  nowMs: number,
): Promise<string> {
  const id = newId("upl", nowMs);
  await tx.insert(storedFiles, {
    id,
    productId: importId,
    fileName,
    sizeBytes,
    keptChunks: 0,
    state: "sending",
    createdAt: nowMs,
    sweepAt: nowMs + UNUSED_MS,
  });
  return id;
}

async function assertFewOpen(tx: ReadTx): Promise<void> {
  let open = 0;
  for (const state of ["receiving", "checking", "checked"])
    open += await tx.count(imports, "byState", { prefix: [state] });
  if (open >= MAX_OPEN)
    throw new AppError("conflict", `Up to ${MAX_OPEN} imports can wait at once. Start or delete some first`);
}

function create(
  deps: ImportDeps,
  { kind, fileName, sizeBytes, archive }: NewImport,
  actor: AuditActor,
): Promise<ImportRecord> {
  return deps.store.transact(async (tx) => {
    await assertFewOpen(tx);
    const nowMs = deps.clock.now();
    const id = newId("imp", nowMs);
    const storedId = await announce(tx, id, { fileName, sizeBytes }, nowMs);
    const archiveId = archive && (await announce(tx, id, archive, nowMs));
    return tx.insert(imports, {
      id,
      kind,
      state: "receiving",
      fileName,
      storedId,
      sizeBytes,
      archiveName: archive?.fileName,
      archiveId,
      archiveBytes: archive?.sizeBytes,
      options: defaultOptions,
      columns: [],
      preview: [],
      trial: noCounts,
      counts: noCounts,
      cursor: 0,
      undone: 0,
      kept: 0,
      categoryIds: [],
      startedBy: actor.name,
      createdAt: nowMs,
    });
  });
}

/** Takes the complete uploads over, and lets the trial begin. */
async function check(tx: Tx, id: string, options: Partial<ImportOptions>): Promise<ImportRecord> {
  const record = await getImport(tx, id);
  assertState(record, ["receiving", "checked", "failed"], "checked");
  if (record.state === "receiving")
    for (const uploadId of [record.storedId, record.archiveId])
      if (uploadId !== undefined) await claimUpload(tx, { id: uploadId, productId: id });
  return tx.put(imports, {
    ...record,
    state: "checking",
    options: { ...record.options, ...options },
    failure: undefined,
    failureText: undefined,
    trial: noCounts,
    preview: [],
    leaseUntil: undefined,
  });
}

/** What an import found and stored. */
function createLists({ store }: Pick<ImportDeps, "store">) {
  return {
    faults: (id: string, phase: "trial" | "run", options: PageOptions): Promise<Page<ImportFaultRecord>> =>
      store.read(async (tx) => {
        await getImport(tx, id);
        return tx.list(importFaults, "byPhase", { ...options, prefix: [id, phase] });
      }),
    /** What the undo left, or all. */
    items: (
      id: string,
      undo: ImportItemRecord["undo"],
      options: PageOptions,
    ): Promise<Page<ImportItemRecord>> =>
      store.read(async (tx) => {
        await getImport(tx, id);
        return undo === undefined
          ? tx.list(importItems, "byImport", { ...options, prefix: [id] })
          : tx.list(importItems, "byUndo", { ...options, prefix: [id, undo] });
      }),
    pictures: (
      id: string,
      state: ImportPictureRecord["state"],
      options: PageOptions,
    ): Promise<Page<ImportPictureRecord>> =>
      store.read(async (tx) => {
        await getImport(tx, id);
        return tx.list(importPictures, "byState", { ...options, prefix: [id, state] });
      }),
  };
}

export type Imports = ReturnType<typeof createImports>;

/** Creates the imports of a shop. Each method throws `not_found`, and `conflict` in the wrong state. */
export function createImports(deps: ImportDeps) {
  const { store, clock } = deps;
  let isClosed = false;
  const step: Step = { deps, worker: newId("wrk", clock.now()), isOver: () => isClosed };

  function change(
    id: string,
    work: (tx: Tx, record: ImportRecord) => Promise<ImportRecord>,
  ): Promise<ImportRecord> {
    return store.transact(async (tx) => work(tx, await getImport(tx, id)));
  }

  return {
    list: (options: PageOptions): Promise<Page<ImportRecord>> =>
      store.read((tx) => tx.list(imports, "byCreated", { ...options, reverse: true })),
    get: (id: string): Promise<ImportRecord> => store.read((tx) => getImport(tx, id)),
    create: (input: NewImport, actor: AuditActor): Promise<ImportRecord> => create(deps, input, actor),
    /** Starts the trial, also again with other options. Throws `conflict` while the upload is incomplete. */
    check: (id: string, options: Partial<ImportOptions>): Promise<ImportRecord> =>
      store.transact((tx) => check(tx, id, options)),
    /** Starts the import, or goes on with a stopped one. */
    start: (id: string, actor: AuditActor): Promise<ImportRecord> =>
      change(id, async (tx, record) => {
        assertState(record, ["checked", "stopped"], "started");
        const nowMs = clock.now();
        await writeAudit(
          tx,
          {
            actor,
            action: `${auditNouns[record.kind]}.import.start`,
            target: id,
            changes: [record.fileName],
          },
          clock,
        );
        return tx.put(imports, {
          ...record,
          state: "running",
          startedAt: record.startedAt ?? nowMs,
          startedBy: actor.name,
          failure: undefined,
          failureText: undefined,
          leaseUntil: undefined,
        });
      }),
    /** Stops after the products that are being stored. */
    stop: (id: string): Promise<ImportRecord> =>
      change(id, async (tx, record) => {
        assertState(record, ["running"], "stopped");
        return tx.put(imports, { ...record, state: "stopped", leaseUntil: undefined });
      }),
    undo: (id: string, actor: AuditActor): Promise<ImportRecord> =>
      change(id, async (tx, record) => {
        assertState(record, ["done", "stopped"], "undone");
        await writeAudit(
          tx,
          { actor, action: `${auditNouns[record.kind]}.import.undo`, target: id, changes: [record.fileName] },
          clock,
        );
        return tx.put(imports, { ...record, state: "undoing", undone: 0, kept: 0, leaseUntil: undefined });
      }),
    /** Tries failed pictures again, up to 1,000 at once. */
    retryPictures: (id: string): Promise<ImportRecord> =>
      change(id, async (tx, record) => {
        assertState(record, ["done", "stopped"], "continued");
        const count = await retryFailed(tx, record, clock.now());
        const { counts } = record;
        return tx.put(imports, {
          ...record,
          state: "running",
          counts: { ...counts, picturesFailed: counts.picturesFailed - count },
          leaseUntil: undefined,
        });
      }),
    remove: (id: string): Promise<void> => removeImport(deps, id),
    ...createLists(deps),
    /** The job: every second. */
    run: (): Promise<number> => runImports(step),
    sweep: (): Promise<number> => sweepImports(deps),
    /** Lets the job end at the next batch. */
    close: (): void => {
      isClosed = true;
    },
  };
}

/** Taking accounts, groups and applications over from elsewhere, a line each. */
import { splitLines } from "../../kit/text/byte-lines.ts";
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { noteForeignHash } from "../passwords/foreign-hashes.ts";
import { type GoodLine, MAX_LINES, hasTooManyLines, readLine } from "./import-lines.ts";
import { type Seen, assertLine, insertLine, remember } from "./line-records.ts";
import type { ImportReport, LineError, TransferLine } from "./schema.ts";

const MAX_ERRORS = 1_000;
const BATCH = 100;
/** Refusals of one line; whatever else goes wrong ends the import. */
const skipCodes: ReadonlySet<string> = new Set([
  "username_taken",
  "email_taken",
  "already_exists",
  "invalid",
]);

/** Why a line would be rejected; writes nothing. */
async function findRefusal(
  tx: ReadTx,
  line: TransferLine,
  parts: { seen: Seen; issuer: string },
): Promise<AppError | undefined> {
  try {
    await assertLine(tx, line, parts);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && skipCodes.has(error.code)) return error;
    throw error;
  }
}

/** Handles one batch; resolves with the refused lines. */
type Take = (batch: readonly GoodLine[]) => Promise<LineError[]>;

function toLineError(number: number, error: AppError): LineError {
  return { line: number, code: error.code, message: error.message };
}

type ImportDeps = Pick<AuthDeps, "store" | "clock" | "hasher"> & { readonly issuer: string };

/** Stores a batch in one transaction. */
function createTake({ store, clock, hasher, issuer }: ImportDeps, actor: Actor): Take {
  return (batch) =>
    store.transact(async (tx) => {
      const nowMs = clock.now();
      const refused: LineError[] = [];
      let hasForeign = false;
      for (const { number, fields } of batch) {
        const error = await findRefusal(tx, fields, { seen: new Set(), issuer });
        if (error !== undefined) {
          refused.push(toLineError(number, error));
          continue;
        }
        await insertLine(tx, fields, { actor, nowMs });
        const { passwordHash } = { passwordHash: undefined, ...fields };
        hasForeign ||= passwordHash !== undefined && !hasher.isOwnCost(passwordHash);
      }
      if (hasForeign) await noteForeignHash(tx);
      const created = batch.length - refused.length;
      if (created > 0) {
        const changes = [`created: ${created}`];
        await writeAudit(tx, { actor, action: "user.import", target: "users", changes }, clock);
      }
      return refused;
    });
}

/** Checks without writing; remembers what earlier lines would have taken. */
function createTrial({ store, issuer }: Pick<ImportDeps, "store" | "issuer">): Take {
  const seen: Seen = new Set();
  return (batch) =>
    store.read(async (tx) => {
      const refused: LineError[] = [];
      for (const { number, fields } of batch) {
        const error = await findRefusal(tx, fields, { seen, issuer });
        if (error === undefined) remember(seen, fields);
        else refused.push(toLineError(number, error));
      }
      return refused;
    });
}

/** Lets other requests in between two batches. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

interface Progress {
  created: number;
  skipped: number;
  readonly errors: LineError[];
}

function note(progress: Progress, errors: readonly LineError[]): void {
  progress.skipped += errors.length;
  progress.errors.push(...errors.slice(0, MAX_ERRORS - progress.errors.length));
}

export type UserImport = ReturnType<typeof createUserImport>;

/** Creates the import of accounts, groups and applications. */
export function createUserImport(deps: ImportDeps) {
  const { hasher, clock } = deps;
  return {
    /**
     * Reads NDJSON. Lines of one batch are stored together, and each line wholly or not at all. Throws
     * `too_large` for more than 50,000 lines, before anything is stored.
     */
    run: async (
      bytes: Uint8Array,
      { dryRun, actor }: { dryRun: boolean; actor: Actor },
    ): Promise<ImportReport> => {
      if (hasTooManyLines(bytes))
        throw new AppError("too_large", `An import can have up to ${MAX_LINES} lines. Split the file`);
      const take = dryRun ? createTrial(deps) : createTake(deps, actor);
      const progress: Progress = { created: 0, skipped: 0, errors: [] };
      const parts = { isKnown: (hash: string) => hasher.isKnown(hash), nowMs: clock.now() };
      let batch: GoodLine[] = [];
      let bad: LineError[] = [];
      async function flush(): Promise<void> {
        const refused = batch.length === 0 ? [] : await take(batch);
        progress.created += batch.length - refused.length;
        note(
          progress,
          [...bad, ...refused].sort((a, b) => a.line - b.line),
        );
        batch = [];
        bad = [];
        await nextTurn();
      }
      for (const part of splitLines(bytes)) {
        const read = readLine(part, parts);
        if ("fields" in read) batch.push(read);
        else bad.push({ line: read.number, ...read.error });
        if (batch.length + bad.length >= BATCH) await flush();
      }
      await flush();
      return { dryRun, ...progress };
    },
  };
}

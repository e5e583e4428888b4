/** Taking accounts over from elsewhere, a line each. */
import { splitLines } from "../../kit/text/byte-lines.ts";
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import {
  assertUsernameFree,
  createAccount,
  findByEmail,
  putUser,
  toEmailKey,
  toUsernameKey,
} from "../accounts/accounts.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import { noteForeignHash } from "../passwords/foreign-hashes.ts";
import { type GoodLine, MAX_LINES, hasTooManyLines, readLine } from "./import-lines.ts";
import type { ImportReport, LineError, TransferLine } from "./schema.ts";

const MAX_ERRORS = 1_000;
const BATCH = 100;
/** Refusals of one line; whatever else goes wrong ends the import. */
const skipCodes: ReadonlySet<string> = new Set(["username_taken", "email_taken"]);

async function insertLine(
  tx: Tx,
  fields: TransferLine,
  parts: { actor: Actor; nowMs: number },
): Promise<void> {
  const { emailVerified, createdAt, suspendedUntil, suspendedReason, ...rest } = fields;
  const { actor, nowMs } = parts;
  const user = await createAccount(tx, {
    ...rest,
    emailVerifiedAt: emailVerified ? nowMs : undefined,
    registeredVia: { clientId: actor.clientId, mode: "import" },
    // The id sorts by it, so that lists keep the order in which people came.
    nowMs: createdAt ?? nowMs,
  });
  if (user.status !== "suspended") return;
  await putUser(tx, { ...user, suspendedUntil, suspendedReason }, { edited: false });
}

/** What the store has against a line, without writing it. */
async function findRefusal(tx: ReadTx, fields: TransferLine): Promise<AppError | undefined> {
  try {
    await assertUsernameFree(tx, fields.username);
  } catch (error) {
    if (error instanceof AppError && skipCodes.has(error.code)) return error;
    throw error;
  }
  if ((await findByEmail(tx, fields.email)) === undefined) return undefined;
  return new AuthError("email_taken", `The address "${fields.email}" belongs to an account already`);
}

/** Handles one batch; resolves with the refused lines. */
type Take = (batch: readonly GoodLine[]) => Promise<LineError[]>;

function toLineError(number: number, error: AppError): LineError {
  return { line: number, code: error.code, message: error.message };
}

/** Stores a batch in one transaction. */
function createTake(
  { store, clock, hasher }: Pick<AuthDeps, "store" | "clock" | "hasher">,
  actor: Actor,
): Take {
  return (batch) =>
    store.transact(async (tx) => {
      const nowMs = clock.now();
      const refused: LineError[] = [];
      let hasForeign = false;
      for (const { number, fields } of batch) {
        try {
          await insertLine(tx, fields, { actor, nowMs });
          const { passwordHash } = fields;
          hasForeign ||= passwordHash !== undefined && !hasher.isOwnCost(passwordHash);
        } catch (error) {
          // Both are thrown before anything of the line is written.
          if (!(error instanceof AppError) || !skipCodes.has(error.code)) throw error;
          refused.push(toLineError(number, error));
        }
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

/** Looks without writing; what earlier lines would have taken is remembered. */
function createTrial({ store }: Pick<AuthDeps, "store">): Take {
  const names = new Set<string>();
  const addresses = new Set<string>();
  return async (batch) => {
    const found = await store.read(async (tx) => {
      const refusals: (AppError | undefined)[] = [];
      for (const { fields } of batch) refusals.push(await findRefusal(tx, fields));
      return refusals;
    });
    return batch.flatMap(({ number, fields }, at) => {
      const name = toUsernameKey(fields.username);
      const address = toEmailKey(fields.email);
      const error =
        found[at] ??
        (names.has(name)
          ? new AuthError("username_taken", "An earlier line has the same username")
          : undefined) ??
        (addresses.has(address)
          ? new AuthError("email_taken", "An earlier line has the same address")
          : undefined);
      if (error !== undefined) return [toLineError(number, error)];
      names.add(name);
      addresses.add(address);
      return [];
    });
  };
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

/** Makes the import of accounts. */
export function createUserImport(deps: Pick<AuthDeps, "store" | "clock" | "hasher">) {
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
        throw new AppError("too_large", `An import has at most ${MAX_LINES} lines; send several`);
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

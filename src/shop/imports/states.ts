/** States of imports, and what is possible in them. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { imports } from "./records.ts";
import type { ImportRecord, ImportState } from "./schema.ts";

const stateWords: Readonly<Record<ImportState, string>> = {
  receiving: "still waits for its file",
  checking: "is being checked",
  checked: "was checked and not started",
  failed: "has a file that cannot be read",
  running: "is running",
  stopped: "is stopped",
  done: "is done",
  undoing: "is being undone",
  undone: "was undone",
};

/** Throws `not_found`. */
export async function getImport(tx: ReadTx, id: string): Promise<ImportRecord> {
  const record = await tx.get(imports, id);
  if (record === undefined) throw new AppError("not_found", "This import does not exist");
  return record;
}

/** Throws `conflict`. */
export function assertState({ state }: ImportRecord, allowed: readonly ImportState[], what: string): void {
  if (!allowed.includes(state))
    throw new AppError("conflict", `The import ${stateWords[state]}. It cannot be ${what} now`, {
      details: { state },
    });
}

/** Refusals of the shop's rules as faults of lines and columns. */
import { AppError } from "../../kit/errors.ts";
import { StoreError } from "../../store/store.ts";
import type { ProductDraft } from "./drafts.ts";
import type { Fault } from "./faults.ts";
import { say, sayFailure, sayMessage } from "./said.ts";

/** Faults of a record by the members that an error names; `place` finds the line and the column of one. */
export function toFaults(
  error: AppError,
  line: number,
  place: (pointer: string) => Pick<Fault, "column"> & { line?: number | undefined },
): Fault[] {
  if (error.errors.length === 0) return [{ line, code: error.code, ...sayFailure(error) }];
  return error.errors.map(({ pointer, code, message }): Fault => {
    const found = place(pointer);
    return { line: found.line ?? line, column: found.column, code, ...sayMessage(message) };
  });
}

export function toProductFaults({ line, lines }: ProductDraft, error: AppError): Fault[] {
  return toFaults(error, line, (pointer) => {
    const [, first = "", place = "", field = first] = pointer.split("/");
    return first === "variants" ? { line: lines[Number(place)], column: field } : { column: first };
  });
}

/** A refusal that concerns one record; any other error ends the import. */
export function toRefusal(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error.kind.http < 500 ? error : undefined;
  if (error instanceof StoreError && error.code === "unique_violation")
    return new AppError("already_exists", say("import.taken").message, { cause: error });
  return undefined;
}

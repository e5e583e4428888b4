/** Refusals of the shop's rules as faults of lines and columns. */
import type { AppError } from "../../kit/errors.ts";
import type { ProductDraft } from "./drafts.ts";
import type { Fault } from "./faults.ts";

export function toFaults({ line, lines }: ProductDraft, error: AppError): Fault[] {
  if (error.errors.length === 0) return [{ line, code: error.code, message: error.message }];
  return error.errors.map(({ pointer, code, message }): Fault => {
    const [, first = "", place = "", field = first] = pointer.split("/");
    const isVariant = first === "variants";
    return {
      line: (isVariant ? lines[Number(place)] : undefined) ?? line,
      column: isVariant ? field : first,
      code,
      message,
    };
  });
}

/** The refusals that every adapter words alike. */
import { StoreError } from "./store.ts";

/** The id ("id") or the key of a unique index is another record's. */
export function takenError(collection: string, constraint: string, id: string): StoreError {
  const message =
    constraint === "id"
      ? `"${collection}" already has a record "${id}"`
      : `Another record of "${collection}" already has this value of "${constraint}"`;
  return new StoreError("unique_violation", message, { details: { collection, constraint, id } });
}

export function missingError(collection: string, id: string): StoreError {
  return new StoreError("not_found", `"${collection}" has no record "${id}"`, {
    details: { collection, id },
  });
}

/** The record changed since the caller read it. */
export function staleError(
  collection: string,
  id: string,
  versions: { readonly stored: number; readonly given: number },
): StoreError {
  const message = `Record "${id}" of "${collection}" has version ${versions.stored}, not ${versions.given}`;
  return new StoreError("conflict", message, { details: { collection, id } });
}

/** A schema must leave ids alone. */
export function changedIdError(collection: string, id: string): StoreError {
  return new StoreError("invalid_record", `The schema of "${collection}" changed the id "${id}"`, {
    details: { collection, id },
  });
}

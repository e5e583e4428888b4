/** A database that cannot be used now. */
import { StoreError } from "../store.ts";

/** A `store_unavailable` of PostgreSQL, not of a file: it may pass by itself in a moment. */
export class DatabaseUnavailable extends StoreError {
  /** @param cause what the driver said */
  constructor(message: string, cause: unknown) {
    super("store_unavailable", message, { cause });
  }
}

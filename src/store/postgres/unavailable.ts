/** A database that cannot be used now. */
import { StoreError } from "../store.ts";

/** A `store_unavailable` of PostgreSQL, and of no file: it may be over in a moment, without anybody's doing. */
export class DatabaseUnavailable extends StoreError {
  /** @param cause what the driver said */
  constructor(message: string, cause: unknown) {
    super("store_unavailable", message, { cause });
  }
}

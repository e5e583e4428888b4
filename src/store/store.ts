/**
 * PORT: the store. Services declare collections and work on them in transactions; adapters (`journal/`, `postgres/`)
 * keep them.
 */
import type { z } from "zod";

/** Members of every stored record. `version` starts at 1 and grows by one with each change. */
export interface StoreRecord {
  readonly id: string;
  readonly version: number;
}

/** A value that an index can hold. A record in which any field of an index is absent or null is not in that index. */
export type IndexValue = string | number | boolean;

/** A rule that every record must keep, for example `{ field: "stock.reserved", atMost: { field: "stock.onHand" } }`. */
export interface CheckDeclaration {
  readonly field: string;
  readonly atLeast?: number | { readonly field: string };
  readonly atMost?: number | { readonly field: string };
}

/**
 * A collection, declared once for every adapter. Index fields are dotted paths into the record
 * (`"profile.visibility"`); the schema says plainly whether one is text, a number or a boolean. Index
 * values are ordered: false < true, numbers by value, strings by their characters' codes (UTF-16 units or
 * code points: adapters differ there beyond U+FFFF). Records equal in an ordered index follow their id.
 * Refused as `invalid_record`: U+0000, half a surrogate pair, an id over 600 bytes, index texts over 2,000.
 * The members of an object may come back in another order.
 */
export interface Collection<
  T extends StoreRecord = StoreRecord,
  U extends string = string,
  O extends string = string,
> {
  readonly name: string;
  /** Grows when the shape changes; records of an older revision pass through `schema` once when they are read in. */
  readonly revision: number;
  readonly schema: z.ZodType<T>;
  readonly unique: Readonly<Record<U, readonly string[]>>;
  readonly ordered: Readonly<Record<O, readonly string[]>>;
  readonly checks: Readonly<Record<string, CheckDeclaration>>;
}

/** Declares a collection; see {@link Collection}. */
export function defineCollection<
  T extends StoreRecord,
  U extends string = never,
  O extends string = never,
>(declaration: {
  readonly name: string;
  readonly revision: number;
  readonly schema: z.ZodType<T>;
  readonly unique?: Readonly<Record<U, readonly string[]>>;
  readonly ordered?: Readonly<Record<O, readonly string[]>>;
  readonly checks?: Readonly<Record<string, CheckDeclaration>>;
}): Collection<T, U, O> {
  return {
    name: declaration.name,
    revision: declaration.revision,
    schema: declaration.schema,
    unique: declaration.unique ?? ({} as Record<U, readonly string[]>),
    ordered: declaration.ordered ?? ({} as Record<O, readonly string[]>),
    checks: declaration.checks ?? {},
  };
}

/** Which part of an ordered index to walk. All values are arrays over the index's leading fields. */
export interface IndexRange {
  /** Only entries whose leading fields equal these. */
  readonly prefix?: readonly IndexValue[] | undefined;
  /** First entry, inclusive, compared after the prefix. */
  readonly from?: readonly IndexValue[] | undefined;
  /** Last entry, exclusive, compared after the prefix. */
  readonly to?: readonly IndexValue[] | undefined;
}

export interface PageOptions {
  /** Records at most, 1 to 1,000. */
  readonly limit: number;
  /** `nextCursor` of the page before; stays valid while records come and go. Throws `bad_cursor` when malformed. */
  readonly cursor?: string | undefined;
}

export interface ListOptions extends IndexRange, PageOptions {
  /** Walks from the end to the start. */
  readonly reverse?: boolean;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Operations of a consistent view. Records come back deeply frozen: copy before changing. */
export interface ReadTx {
  get<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<T | undefined>;
  /** The record whose unique index holds `key`. */
  by<T extends StoreRecord, U extends string>(
    collection: Collection<T, U>,
    index: U,
    key: readonly IndexValue[],
  ): Promise<T | undefined>;
  list<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index: O | "id",
    options: ListOptions,
  ): Promise<Page<T>>;
  /** Records in a range of an ordered index, or all of the collection. */
  count<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index?: O | "id",
    range?: IndexRange,
  ): Promise<number>;
}

/** A transaction: what a view can do, and changes that become visible together or not at all. */
export interface Tx extends ReadTx {
  /** Stores a new record (its `version` is set to 1). Throws `unique_violation` also when the id exists. */
  insert<T extends StoreRecord>(collection: Collection<T>, record: Omit<T, "version">): Promise<T>;
  /** Replaces a record. Throws `conflict` unless `record.version` is the stored one, `not_found` when it is gone. */
  put<T extends StoreRecord>(collection: Collection<T>, record: T): Promise<T>;
  /** Removes a record; false when there was none. */
  remove<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<boolean>;
  /** Adds `by` to a number field (dotted path) without reading the record first. Throws `not_found`, `check_violation`. */
  adjust<T extends StoreRecord>(
    collection: Collection<T>,
    id: string,
    change: { readonly field: string; readonly by: number },
  ): Promise<T>;
}

export interface Store {
  /**
   * Runs `work` atomically and serializably and resolves when its changes are durable. `work` may run
   * again after a conflict, so it does no I/O and keeps no state outside. An error thrown by `work`
   * leaves no change and is rethrown, but only after everything that `work` saw is durable. A refusal that
   * `work` catches (a taken key, a broken rule, a stale version) leaves the transaction usable.
   */
  transact<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
  /** Runs `work` on a consistent view of what is durable. `work` may run again here too. */
  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R>;
  /** Resolves when the store can take writes; throws `store_unavailable` with the reason when it cannot. */
  check(): Promise<void>;
  /** Finishes what was accepted, then frees files, locks and connections. */
  close(): Promise<void>;
}

export type StoreErrorCode =
  | "unique_violation"
  | "conflict"
  | "check_violation"
  | "not_found"
  | "invalid_record"
  | "bad_cursor"
  | "store_unavailable";

export interface StoreErrorDetails {
  readonly collection?: string;
  /** The unique index ("id" for the id itself) or check that was violated. */
  readonly constraint?: string;
  readonly id?: string;
}

/** Every error of a store, told apart by `code`. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  readonly details: StoreErrorDetails;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { details?: StoreErrorDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Stored data differs from what was written: it is never returned. The message names the file and the remedy. */
export class DamagedError extends StoreError {
  constructor(message: string) {
    super("store_unavailable", message);
  }
}

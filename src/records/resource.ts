/**
 * Records of a noun where nothing special happens, as administrators keep them: list, get, create, change, remove, with
 * versions and audit entries. What is special is said in plain functions, which run in the transaction.
 */
import { AppError } from "../kit/errors.ts";
import { newId } from "../kit/secrets/id.ts";
import { changedFields } from "../kit/text/changes.ts";
import type { Clock } from "../kit/time/clock.ts";
import { listEvery } from "../store/every-page.ts";
import { scanMatches } from "../store/matching-page.ts";
import type {
  Collection,
  IndexValue,
  Page,
  PageOptions,
  ReadTx,
  Store,
  StoreRecord,
  Tx,
} from "../store/store.ts";
import { writeAudit } from "./audit.ts";
import { type ChangedBy, type ExpectedVersion, assertVersion } from "./versions.ts";

/** Members of every record that say nothing of a change. */
const COUNTERS = ["version", "editVersion", "updatedAt"];

/** A record that is listed and changed; `editVersion` counts changes by administrators where others change it, too. */
interface ResourceRecord extends StoreRecord {
  readonly editVersion?: number;
  readonly updatedAt?: number;
}

/** Parameters of a new or changed record other than its fields. */
export interface Making {
  readonly tx: ReadTx;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** For a new record without an ID. */
  readonly id: string;
}

/** An order of a list. */
interface ResourceOrder<O extends string> {
  readonly index: O | "id";
  /** From the end to the start. */
  readonly reverse?: boolean;
}

/** Parameters of lists; the noun's own query adds its filters. */
interface ListQuery<Sort extends string> extends PageOptions {
  readonly sort?: Sort | undefined;
}

/** How a noun's records are stored. */
interface WriteKind<T extends ResourceRecord, U extends string, New, Change> {
  readonly collection: Collection<T, U>;
  /** In texts, such as "saved search". */
  readonly noun: string;
  /** Three letters that IDs begin with. */
  readonly idPrefix: string;
  /** How many there may be: more are a `conflict`. */
  readonly atMost?: number;
  /** Unique values: a duplicate is `already_exists`. */
  readonly unique?: {
    readonly index: U;
    readonly keyOf: (record: T) => readonly IndexValue[];
    /** As requests name it, and in texts. */
    readonly field: string;
  };
  /** The record of these fields; the store sets its version. */
  readonly create: (fields: New, making: Making) => T | Promise<T>;
  /** The record as it becomes; `updatedAt` and `editVersion` follow where it has them. */
  readonly change: (before: T, fields: Change, making: Making) => T | Promise<T>;
  /** Throws when the new or changed record must not be stored. */
  readonly check?: (
    tx: ReadTx,
    after: T,
    change: { before: T | undefined; fields: New | Change },
  ) => Promise<void>;
  /** Further writes with a new or changed record. */
  readonly afterWrite?: (tx: Tx, after: T, change: { before: T | undefined }) => Promise<void>;
}

/** A noun: its collection, and what is special about its records. */
export interface ResourceKind<
  T extends ResourceRecord,
  U extends string,
  O extends string,
  New,
  Change,
  Sort extends string,
  Query extends ListQuery<Sort>,
> extends WriteKind<T, U, New, Change> {
  readonly collection: Collection<T, U, O>;
  /** Orders of the list by their names in requests; the first one is the default. */
  readonly orders: Readonly<Record<Sort, ResourceOrder<O>>>;
  /** Whether a list with this query has the record. */
  readonly matches?: (record: T, query: Query) => boolean;
  /** Further removals with a record. Throws if it must stay. */
  readonly afterRemove?: (tx: Tx, record: T) => Promise<void>;
  /** Prefix of actions in the audit. */
  readonly auditName: string;
  /** The audit's verb for a change; default "change". */
  readonly changeVerb?: "change" | "replace";
  /** Audit changes of a new or removed record. */
  readonly describe: (record: T, action: "create" | "delete") => string[];
  /** Audit changes of a change; default: the names of the changed fields. */
  readonly describeChange?: (before: T, after: T) => string[];
  /** Fields that follow from others: the audit does not name them. */
  readonly derived?: readonly (keyof T & string)[];
}

/** Whether one of the texts has the words; case does not matter. */
export function hasText(texts: readonly string[], words: string): boolean {
  const part = words.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(part));
}

/** Reads of records. */
function createReads<
  T extends ResourceRecord,
  O extends string,
  Sort extends string,
  Query extends ListQuery<Sort>,
>(
  store: Store,
  kind: {
    readonly collection: Collection<T, string, O>;
    readonly noun: string;
    readonly orders: Readonly<Record<Sort, ResourceOrder<O>>>;
    readonly matches?: (record: T, query: Query) => boolean;
  },
) {
  const { collection, noun, orders, matches } = kind;
  const byId: ResourceOrder<O> = { index: "id" };
  const [firstOrder = byId] = Object.values<ResourceOrder<O>>(orders);

  async function read(tx: ReadTx, id: string): Promise<T> {
    const record = await tx.get(collection, id);
    if (record === undefined) throw new AppError("not_found", `There is no ${noun} "${id}"`);
    return record;
  }

  return {
    read,
    /** Page by page; a filtered page may be short and still have a cursor. Throws `bad_cursor`. */
    list: (query: Query): Promise<Page<T>> =>
      store.read((tx) => {
        const { limit, cursor, sort } = query;
        const { index, reverse } = sort === undefined ? firstOrder : orders[sort];
        const readPage = (page: PageOptions) =>
          tx.list(collection, index, { limit: page.limit, cursor: page.cursor, reverse });
        if (matches === undefined) return readPage({ limit, cursor });
        const isWanted = (record: T): boolean => matches(record, query);
        return scanMatches({ read: readPage, isWanted, limit, cursor });
      }),
    /** Every record, in the first order. */
    listAll: (): Promise<T[]> => store.read((tx) => listEvery(tx, collection, firstOrder)),
    /** Throws `not_found`. */
    get: (id: string): Promise<T> => store.read((tx) => read(tx, id)),
  };
}

/** Writes of records, in a transaction. */
function createWrites<T extends ResourceRecord, U extends string, New, Change>(
  clock: Clock,
  kind: WriteKind<T, U, New, Change>,
) {
  const { collection, noun, unique, atMost = Infinity } = kind;

  async function assertUnique(tx: ReadTx, record: T): Promise<void> {
    if (unique === undefined) return;
    const holder = await tx.by(collection, unique.index, unique.keyOf(record));
    if (holder === undefined || holder.id === record.id) return;
    const { field } = unique;
    throw new AppError("already_exists", `Another ${noun} has this ${field}`, {
      errors: [{ pointer: `/${field}`, code: "already_exists", message: `belongs to another ${noun}` }],
    });
  }

  return {
    insert: async (tx: Tx, fields: New): Promise<T> => {
      const nowMs = clock.now();
      const record = await kind.create(fields, { tx, nowMs, id: newId(kind.idPrefix, nowMs) });
      if ((await tx.get(collection, record.id)) !== undefined)
        throw new AppError("already_exists", `The ${noun} "${record.id}" already exists`);
      await kind.check?.(tx, record, { before: undefined, fields });
      await assertUnique(tx, record);
      if ((await tx.count(collection)) >= atMost)
        throw new AppError("conflict", `The limit of ${atMost} is reached. Delete one first`);
      const created = await tx.insert(collection, record);
      await kind.afterWrite?.(tx, created, { before: undefined });
      return created;
    },
    put: async (tx: Tx, before: T, fields: Change): Promise<T> => {
      const nowMs = clock.now();
      const changed = await kind.change(before, fields, { tx, nowMs, id: before.id });
      const timed = before.updatedAt === undefined ? changed : { ...changed, updatedAt: nowMs };
      const { editVersion } = before;
      const after = editVersion === undefined ? timed : { ...timed, editVersion: editVersion + 1 };
      await kind.check?.(tx, after, { before, fields });
      await assertUnique(tx, after);
      const stored = await tx.put(collection, after);
      await kind.afterWrite?.(tx, stored, { before });
      return stored;
    },
  };
}

/** Creates the administration of a noun over a store. */
export function createResource<
  T extends ResourceRecord,
  U extends string,
  O extends string,
  New,
  Change,
  Sort extends string,
  Query extends ListQuery<Sort>,
>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  kind: ResourceKind<T, U, O, New, Change, Sort, Query>,
) {
  const { collection, noun, auditName, changeVerb = "change", derived = [] } = kind;
  const { read, ...reads } = createReads(store, kind);
  const { insert, put } = createWrites(clock, kind);
  const unnamed = new Set<string>([...COUNTERS, ...derived]);
  const listChanges = (before: T, after: T): string[] =>
    changedFields(before, after).filter((name) => !unnamed.has(name));

  function audit(
    tx: Tx,
    by: ChangedBy,
    entry: { verb: string; id: string; changes: string[] },
  ): Promise<void> {
    const { verb, id: target, changes } = entry;
    return writeAudit(tx, { actor: by.actor, action: `${auditName}.${verb}`, target, changes }, clock);
  }

  async function readCurrent(tx: ReadTx, id: string, by: ExpectedVersion): Promise<T> {
    const record = await read(tx, id);
    assertVersion(record.editVersion ?? record.version, by, noun);
    return record;
  }

  return {
    ...reads,
    /** Throws `already_exists`, `conflict`, and what the noun's own functions throw. */
    create: (fields: New, by: ChangedBy): Promise<T> =>
      store.transact(async (tx) => {
        const record = await insert(tx, fields);
        await audit(tx, by, { verb: "create", id: record.id, changes: kind.describe(record, "create") });
        return record;
      }),
    /** Throws `not_found`, `stale_version`, `version_conflict`, `already_exists`, and what the noun's own functions throw. */
    change: (id: string, fields: Change, by: ChangedBy): Promise<T> =>
      store.transact(async (tx) => {
        const before = await readCurrent(tx, id, by);
        const after = await put(tx, before, fields);
        const changes = (kind.describeChange ?? listChanges)(before, after);
        await audit(tx, by, { verb: changeVerb, id, changes });
        return after;
      }),
    /** Throws `not_found`, `stale_version`, and what the noun's own function throws. */
    remove: (id: string, by: ChangedBy): Promise<void> =>
      store.transact(async (tx) => {
        const record = await readCurrent(tx, id, by);
        await tx.remove(collection, id);
        await kind.afterRemove?.(tx, record);
        await audit(tx, by, { verb: "delete", id, changes: kind.describe(record, "delete") });
      }),
  };
}

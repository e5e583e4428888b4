/**
 * A store that reports what its committed transactions changed, so that projections in memory follow without any logic
 * telling them.
 */
import type {
  Collection,
  IndexRange,
  IndexValue,
  ListOptions,
  Page,
  Store,
  StoreRecord,
  Tx,
} from "./store.ts";

/** The result of a transaction for one record. */
export interface RecordChange {
  readonly collection: string;
  readonly id: string;
  /** As the transaction left it, as the store keeps it: frozen; undefined when it is gone. */
  readonly record: StoreRecord | undefined;
  /** The transaction inserted it: its versions began again at 1. */
  readonly isNew: boolean;
  /** The record before the transaction; undefined for a new one, and without `ObserveOptions.remembers`. */
  readonly before?: StoreRecord | undefined;
}

export interface ObserveOptions {
  /** Watched collections; changes of others are not reported. */
  readonly collections: readonly Pick<Collection, "name">[];
  /**
   * Called after each commit that changed a watched record, before its `transact` resolves, which awaits a
   * returned promise. Errors only go to `onError`: the commit is not undone.
   */
  readonly onCommit: (changes: readonly RecordChange[]) => void | Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Runs at the end of such a transaction, in it: what it writes is committed together. */
  readonly beforeCommit?: (tx: Tx, changes: readonly RecordChange[]) => Promise<void>;
  /** Changes say what each record was before, at the cost of a read where the work itself made none; false by default. */
  readonly remembers?: boolean;
}

/** Changes of one run of a transaction's work, the last of each record. */
class Notes {
  readonly #watched: ReadonlySet<string>;
  readonly #remembers: boolean;
  readonly #changes = new Map<string, RecordChange>();
  /** Records as they were first seen. */
  readonly #seen = new Map<string, StoreRecord>();

  constructor(watched: ReadonlySet<string>, remembers: boolean) {
    this.#watched = watched;
    this.#remembers = remembers;
  }

  watches({ name }: { readonly name: string }): boolean {
    return this.#watched.has(name);
  }

  /** Whether what is read of a collection is to be noted. */
  remembers({ name }: { readonly name: string }): boolean {
    return this.#remembers && this.#watched.has(name);
  }

  get changes(): RecordChange[] {
    return [...this.#changes.values()];
  }

  note(
    { name }: { readonly name: string },
    change: { id: string; record: StoreRecord | undefined; isNew?: boolean },
  ): void {
    if (!this.#watched.has(name)) return;
    const { id, record } = change;
    const key = `${name}\n${id}`;
    const wasNew = this.#changes.get(key)?.isNew ?? false;
    const isNew = record !== undefined && (change.isNew === true || wasNew);
    this.#changes.set(key, { collection: name, id, record, isNew, before: this.#seen.get(key) });
  }

  /** Whether it is to be known what the record was, and is not yet. */
  lacks(collection: { readonly name: string }, id: string): boolean {
    if (!this.remembers(collection)) return false;
    const key = `${collection.name}\n${id}`;
    return !this.#seen.has(key) && !this.#changes.has(key);
  }

  /** A record that was read before its first change is its earlier state. */
  see<T extends StoreRecord>(collection: { readonly name: string }, record: T | undefined): T | undefined {
    if (record !== undefined && this.lacks(collection, record.id))
      this.#seen.set(`${collection.name}\n${record.id}`, record);
    return record;
  }
}

/** A record as it was before a number of it was changed. */
function undoAdjust<T extends StoreRecord>(
  stored: T,
  { field, by }: { readonly field: string; readonly by: number },
): T | undefined {
  const value: unknown = Reflect.get(stored, field);
  return typeof value === "number" ? { ...stored, [field]: value - by } : undefined;
}

/** A class: its methods are made once and not for each transaction. What is not watched goes straight through. */
class ObservedTx implements Tx {
  readonly #tx: Tx;
  readonly #notes: Notes;

  constructor(tx: Tx, notes: Notes) {
    this.#tx = tx;
    this.#notes = notes;
  }

  get<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<T | undefined> {
    const found = this.#tx.get(collection, id);
    return this.#notes.remembers(collection) ? this.#see(collection, found) : found;
  }

  by<T extends StoreRecord, U extends string>(
    collection: Collection<T, U>,
    index: U,
    key: readonly IndexValue[],
  ): Promise<T | undefined> {
    const found = this.#tx.by(collection, index, key);
    return this.#notes.remembers(collection) ? this.#see(collection, found) : found;
  }

  list<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index: O | "id",
    options: ListOptions,
  ): Promise<Page<T>> {
    const page = this.#tx.list(collection, index, options);
    return this.#notes.remembers(collection) ? this.#seeAll(collection, page) : page;
  }

  count<T extends StoreRecord, O extends string>(
    collection: Collection<T, string, O>,
    index?: O | "id",
    range?: IndexRange,
  ): Promise<number> {
    return this.#tx.count(collection, index, range);
  }

  insert<T extends StoreRecord>(collection: Collection<T>, record: Omit<T, "version">): Promise<T> {
    const stored = this.#tx.insert(collection, record);
    return this.#notes.watches(collection) ? this.#noteStored(collection, stored, true) : stored;
  }

  async put<T extends StoreRecord>(collection: Collection<T>, record: T): Promise<T> {
    const notes = this.#notes;
    if (notes.lacks(collection, record.id)) notes.see(collection, await this.#tx.get(collection, record.id));
    const stored = this.#tx.put(collection, record);
    return notes.watches(collection) ? this.#noteStored(collection, stored, false) : stored;
  }

  async remove<T extends StoreRecord>(collection: Collection<T>, id: string): Promise<boolean> {
    const wasThere = await this.#tx.remove(collection, id);
    if (wasThere) this.#notes.note(collection, { id, record: undefined });
    return wasThere;
  }

  async adjust<T extends StoreRecord>(
    collection: Collection<T>,
    id: string,
    change: { readonly field: string; readonly by: number },
  ): Promise<T> {
    const stored = await this.#tx.adjust(collection, id, change);
    if (this.#notes.lacks(collection, id)) this.#notes.see(collection, undoAdjust(stored, change));
    this.#notes.note(collection, { id, record: stored });
    return stored;
  }

  async #see<T extends StoreRecord>(
    collection: Collection<T>,
    found: Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#notes.see(collection, await found);
  }

  async #seeAll<T extends StoreRecord>(collection: Collection<T>, found: Promise<Page<T>>): Promise<Page<T>> {
    const page = await found;
    for (const record of page.items) this.#notes.see(collection, record);
    return page;
  }

  async #noteStored<T extends StoreRecord>(
    collection: Collection<T>,
    storing: Promise<T>,
    isNew: boolean,
  ): Promise<T> {
    const stored = await storing;
    this.#notes.note(collection, { id: stored.id, record: stored, isNew });
    return stored;
  }
}

/** Wraps a store; see {@link ObserveOptions}. Commits that go around the wrapper are not seen. */
export function observeStore(store: Store, options: ObserveOptions): Store {
  const watched = new Set(options.collections.map(({ name }) => name));
  return {
    transact: async (work) => {
      let changes: readonly RecordChange[] = [];
      const result = await store.transact(async (tx) => {
        const notes = new Notes(watched, options.remembers ?? false);
        const given = await work(new ObservedTx(tx, notes));
        // Work may run again: only what its last run did is committed.
        changes = notes.changes;
        if (changes.length > 0) await options.beforeCommit?.(tx, changes);
        return given;
      });
      if (changes.length === 0) return result;
      try {
        await options.onCommit(changes);
      } catch (error) {
        options.onError(error);
      }
      return result;
    },
    read: (work) => store.read(work),
    check: () => store.check(),
    close: () => store.close(),
  };
}

/**
 * A store that reports what its committed transactions changed, so that projections in memory follow without any logic
 * telling them.
 */
import type { Collection, Store, StoreRecord, Tx } from "./store.ts";

/** What a transaction left of one record. */
export interface RecordChange {
  readonly collection: string;
  readonly id: string;
  /** As the transaction left it, as the store keeps it: frozen; undefined when it is gone. */
  readonly record: StoreRecord | undefined;
  /** The transaction inserted it: its versions began again at 1. */
  readonly isNew: boolean;
  /** As the transaction found it; undefined for a new one, and where nobody asked (`ObserveOptions.remembers`). */
  readonly before?: StoreRecord | undefined;
}

export interface ObserveOptions {
  /** What is watched; changes of other collections are not reported. */
  readonly collections: readonly Pick<Collection, "name">[];
  /**
   * Called after each commit that changed something watched, before its `transact` resolves; a promise is waited
   * for. What it throws reaches `onError` alone: the commit stands.
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
  lacks({ name }: { readonly name: string }, id: string): boolean {
    const key = `${name}\n${id}`;
    return this.#remembers && this.#watched.has(name) && !this.#seen.has(key) && !this.#changes.has(key);
  }

  /** What was read before anything changed it is what it was. */
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

function observeTx(tx: Tx, notes: Notes): Tx {
  return {
    get: async (collection, id) => notes.see(collection, await tx.get(collection, id)),
    by: async (collection, index, key) => notes.see(collection, await tx.by(collection, index, key)),
    list: async (collection, index, options) => {
      const page = await tx.list(collection, index, options);
      for (const record of page.items) notes.see(collection, record);
      return page;
    },
    count: (collection, index, range) => tx.count(collection, index, range),
    insert: async (collection, record) => {
      const stored = await tx.insert(collection, record);
      notes.note(collection, { id: stored.id, record: stored, isNew: true });
      return stored;
    },
    put: async (collection, record) => {
      if (notes.lacks(collection, record.id)) notes.see(collection, await tx.get(collection, record.id));
      const stored = await tx.put(collection, record);
      notes.note(collection, { id: stored.id, record: stored });
      return stored;
    },
    remove: async (collection, id) => {
      const wasThere = await tx.remove(collection, id);
      if (wasThere) notes.note(collection, { id, record: undefined });
      return wasThere;
    },
    adjust: async (collection, id, change) => {
      const stored = await tx.adjust(collection, id, change);
      if (notes.lacks(collection, id)) notes.see(collection, undoAdjust(stored, change));
      notes.note(collection, { id, record: stored });
      return stored;
    },
  };
}

/** Wraps a store; see {@link ObserveOptions}. Commits that go around the wrapper are not seen. */
export function observeStore(store: Store, options: ObserveOptions): Store {
  const watched = new Set(options.collections.map(({ name }) => name));
  return {
    transact: async (work) => {
      let changes: readonly RecordChange[] = [];
      const result = await store.transact(async (tx) => {
        const notes = new Notes(watched, options.remembers ?? false);
        const given = await work(observeTx(tx, notes));
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

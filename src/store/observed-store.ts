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
}

/** Changes of one run of a transaction's work, the last of each record. */
class Notes {
  readonly #watched: ReadonlySet<string>;
  readonly #changes = new Map<string, RecordChange>();

  constructor(watched: ReadonlySet<string>) {
    this.#watched = watched;
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
    this.#changes.set(key, { collection: name, id, record, isNew });
  }
}

function observeTx(tx: Tx, notes: Notes): Tx {
  return {
    get: (collection, id) => tx.get(collection, id),
    by: (collection, index, key) => tx.by(collection, index, key),
    list: (collection, index, options) => tx.list(collection, index, options),
    count: (collection, index, range) => tx.count(collection, index, range),
    insert: async (collection, record) => {
      const stored = await tx.insert(collection, record);
      notes.note(collection, { id: stored.id, record: stored, isNew: true });
      return stored;
    },
    put: async (collection, record) => {
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
        const notes = new Notes(watched);
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

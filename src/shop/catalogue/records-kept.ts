/** The records that the catalogue is made of, as they were last seen: products, stock, views. */
import type { RecordChange } from "../../store/observed-store.ts";
import type { Collection, StoreRecord } from "../../store/store.ts";

/** Records of one collection by their ids. */
export class KeptRecords<T extends StoreRecord> {
  readonly #collection: Collection<T>;
  readonly #records = new Map<string, T>();
  readonly #amountOf: (record: T) => number;
  #sum = 0;

  /** `amountOf` is what {@link sum} adds up. */
  constructor(collection: Collection<T>, amountOf: (record: T) => number) {
    this.#collection = collection;
    this.#amountOf = amountOf;
  }

  /** The amounts of all records. */
  get sum(): number {
    return this.#sum;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  all(): IterableIterator<T> {
    return this.#records.values();
  }

  /** Sets a record; undefined removes it. */
  set(id: string, record: T | undefined): void {
    const before = this.#records.get(id);
    if (before !== undefined) this.#sum -= this.#amountOf(before);
    if (record === undefined) {
      this.#records.delete(id);
      return;
    }
    this.#sum += this.#amountOf(record);
    this.#records.set(id, record);
  }

  /** Applies a change of this collection; false for another one, or an older change. */
  apply(change: RecordChange): boolean {
    if (change.collection !== this.#collection.name) return false;
    const known = this.#records.get(change.id);
    // Commits on several connections may be observed out of order.
    const isOld =
      known !== undefined &&
      change.record !== undefined &&
      !change.isNew &&
      change.record.version <= known.version;
    if (isOld) return false;
    // Its collection's name says what the record is.
    this.set(change.id, change.record as T | undefined);
    return true;
  }
}

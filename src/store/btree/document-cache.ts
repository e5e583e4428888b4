/** Cache of recently read documents, so that frequent ones are parsed once. */
import type { Doc } from "../keys.ts";

/** How much text the caches of a store may hold together; half of it grows old at once. */
export class CacheBudget {
  readonly #bytes: number;
  #young = 0;
  #generation = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Notes that a cache has taken so much. */
  spend(sizeBytes: number): void {
    this.#young += sizeBytes;
    if (this.#young <= this.#bytes / 2) return;
    this.#young = 0;
    this.#generation += 1;
  }
}

/** Documents of one collection by ID. Those that were not used for two generations are dropped. */
export class DocumentCache {
  readonly #budget: CacheBudget;
  #generation = 0;
  #young = new Map<string, Doc>();
  #old: ReadonlyMap<string, Doc> = new Map();

  constructor(budget: CacheBudget) {
    this.#budget = budget;
  }

  #age(): void {
    const passed = this.#budget.generation - this.#generation;
    if (passed === 0) return;
    this.#old = passed === 1 ? this.#young : new Map();
    this.#young = new Map();
    this.#generation = this.#budget.generation;
  }

  get(id: string): Doc | undefined {
    this.#age();
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.#young.set(id, old);
    return old;
  }

  set(doc: Doc, sizeBytes: number): void {
    this.#age();
    this.#young.set(doc.id, doc);
    this.#budget.spend(sizeBytes);
  }
}

/** Every check with its state, in memory. */
import type { CheckRecord, CheckStanding } from "./schema.ts";
import type { CheckDirectory } from "./standings.ts";

/** A check shows as paused at once; results of another definition do not apply. */
function toPresent(record: CheckRecord, standing: CheckStanding | undefined): CheckStanding {
  const { id, revision, updatedAt } = record;
  const isPaused = standing?.state === "paused";
  if (standing !== undefined && standing.revision === revision && isPaused === record.paused) return standing;
  const state = record.paused ? "paused" : "unknown";
  const since = standing === undefined && !record.paused ? record.createdAt : updatedAt;
  return { id, version: standing?.version ?? 0, revision, state, since, places: [] };
}

function compare(a: CheckRecord, b: CheckRecord): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** The directory and what fills it. */
export class Directory implements CheckDirectory {
  #sorted: readonly CheckRecord[] = [];
  #records: ReadonlyMap<string, CheckRecord> = new Map();
  readonly #standings = new Map<string, CheckStanding>();
  readonly #listeners = new Set<(id: string) => void>();
  #revision = 0;

  records(): readonly CheckRecord[] {
    return this.#sorted;
  }

  findRecord(id: string): CheckRecord | undefined {
    return this.#records.get(id);
  }

  get recordsRevision(): number {
    return this.#revision;
  }

  findStanding(id: string): CheckStanding | undefined {
    const record = this.#records.get(id);
    return record === undefined ? undefined : toPresent(record, this.#standings.get(id));
  }

  /** The standing as it was taken, whatever the record says by now. */
  findKept(id: string): CheckStanding | undefined {
    return this.#standings.get(id);
  }

  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Applies the current records; returns the removed ones, and those that are new or different. */
  reload(records: readonly CheckRecord[]): {
    readonly gone: readonly CheckRecord[];
    readonly changed: readonly CheckRecord[];
  } {
    const before = this.#records;
    const now = new Map(records.map((record) => [record.id, record]));
    const changed = records.filter(({ id, version }) => before.get(id)?.version !== version);
    const gone = [...before.values()].filter(({ id }) => !now.has(id));
    if (changed.length === 0 && gone.length === 0) return { gone, changed };
    this.#records = now;
    this.#sorted = records.toSorted(compare);
    this.#revision += 1;
    for (const { id } of gone) this.#standings.delete(id);
    for (const { id } of [...changed, ...gone]) this.#tell(id);
    return { gone, changed };
  }

  /** Stores the state of a check. Ignores removed checks. */
  take(standing: CheckStanding): void {
    if (!this.#records.has(standing.id)) return;
    this.#standings.set(standing.id, standing);
    this.#tell(standing.id);
  }

  /** The same for stored states, unless a newer one is known; does not notify listeners. */
  restore(standings: readonly CheckStanding[]): void {
    for (const standing of standings) {
      const known = this.#standings.get(standing.id);
      if (known !== undefined && known.since >= standing.since) continue;
      if (this.#records.has(standing.id)) this.#standings.set(standing.id, standing);
    }
  }

  /** All standings that were taken. */
  kept(): readonly CheckStanding[] {
    return [...this.#standings.values()];
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

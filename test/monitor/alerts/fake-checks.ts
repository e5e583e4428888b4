/** Checks with states that the test sets, like the directory of the monitor. */
import {
  CENTER,
  type CheckFields,
  type CheckRecord,
  type CheckStanding,
  type CheckState,
  type PlaceResult,
  checkFieldsSchema,
} from "../../../src/monitor/checks/schema.ts";
import type { CheckDirectory } from "../../../src/monitor/checks/standings.ts";
import type { FixedClock } from "../../support/fixed-clock.ts";

/** What a place found. */
export function found(more: Partial<PlaceResult> = {}): PlaceResult {
  const isDown = more.fault !== undefined;
  return { place: CENTER, at: 0, isDown, counts: true, failures: isDown ? 2 : 0, detail: "", ...more };
}

export class FakeChecks implements CheckDirectory {
  readonly #clock: Pick<FixedClock, "now">;
  readonly #records = new Map<string, CheckRecord>();
  readonly #standings = new Map<string, CheckStanding>();
  readonly #listeners = new Set<(id: string) => void>();
  recordsRevision = 1;

  constructor(clock: Pick<FixedClock, "now">) {
    this.#clock = clock;
  }

  records(): readonly CheckRecord[] {
    return [...this.#records.values()];
  }

  findRecord(id: string): CheckRecord | undefined {
    return this.#records.get(id);
  }

  findStanding(id: string): CheckStanding | undefined {
    return this.#standings.get(id);
  }

  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a check, or changes its fields; a new one is `unknown`. */
  add(id: string, more: Partial<CheckFields> = {}): CheckRecord {
    const now = this.#clock.now();
    const before = this.#records.get(id);
    const target = { kind: "tcp", host: "db.example", port: 5432 };
    const record: CheckRecord = {
      ...(before ?? checkFieldsSchema.parse({ name: id, target })),
      ...more,
      id,
      version: (before?.version ?? 0) + 1,
      revision: 1,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    this.#records.set(id, record);
    this.recordsRevision += 1;
    if (before === undefined) this.stand(id, "unknown");
    return record;
  }

  remove(id: string): void {
    this.#records.delete(id);
    this.#standings.delete(id);
    this.recordsRevision += 1;
  }

  /** Sets the state of a check. */
  stand(id: string, state: CheckState, more: Partial<CheckStanding> = {}): void {
    const before = this.#standings.get(id);
    const since = before?.state === state ? before.since : this.#clock.now();
    this.#standings.set(id, { id, version: 1, revision: 1, state, since, places: [], ...more });
    for (const listener of this.#listeners) listener(id);
  }

  up(...ids: readonly string[]): void {
    for (const id of ids)
      this.stand(id, "up", { places: [found({ at: this.#clock.now(), latencyMs: 83.6 })] });
  }

  down(...ids: readonly string[]): void {
    const at = this.#clock.now();
    const places = [found({ at, fault: "refused", detail: "ECONNREFUSED 192.0.2.7:5432" })];
    for (const id of ids) this.stand(id, "down", { places });
  }
}

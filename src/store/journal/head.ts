/** The newest state of the tables, changed in place, and the versions cut from it. */
import type { Table } from "./table.ts";
import { type Change, type Tables, undo } from "./transaction.ts";

/** The tables as they were after the transaction `lsn` (log sequence number). Never changes once cut. */
export interface Version {
  readonly lsn: number;
  readonly tables: Tables;
}

function cloneTables(tables: Tables): Map<string, Table> {
  return new Map([...tables].map(([name, table]) => [name, table.clone()]));
}

/** See the module's header. One transaction at a time: `begin`, then `commit` or `rollBack`. */
export class Head {
  #tables: Tables;
  #lsn: number;
  #sealed: Version;
  #epoch = 0;
  /** Tables that differ from the sealed version. */
  #dirty = new Set<string>();
  #current: readonly Change[] = [];

  constructor(start: Version) {
    this.#tables = cloneTables(start.tables);
    this.#lsn = start.lsn;
    this.#sealed = start;
  }

  get tables(): Tables {
    return this.#tables;
  }

  /** Number of the last transaction that committed here, durable or not. */
  get lsn(): number {
    return this.#lsn;
  }

  /** Grows with each `reset`: a transaction that began before one is void. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Says which list the transaction that starts now notes its changes in. */
  begin(changes: readonly Change[]): void {
    this.#current = changes;
  }

  commit(): void {
    for (const { collection } of this.#current) this.#dirty.add(collection);
    if (this.#current.length > 0) this.#lsn += 1;
    this.#current = [];
  }

  rollBack(): void {
    undo(this.#tables, this.#current);
    this.#current = [];
  }

  /** Cuts a version with everything that has committed. */
  seal(): Version {
    const tables = new Map(this.#sealed.tables);
    for (const name of this.#dirty) {
      const table = this.#tables.get(name);
      if (table !== undefined) tables.set(name, table.clone());
    }
    // A transaction whose work waits for something is still under way: it is in the clones, so take it out.
    undo(
      tables,
      this.#current.filter(({ collection }) => this.#dirty.has(collection)),
    );
    this.#dirty = new Set();
    this.#sealed = { lsn: this.#lsn, tables };
    return this.#sealed;
  }

  /** Goes back to a version; a transaction under way loses its tables. */
  reset(version: Version): void {
    this.#epoch += 1;
    this.#tables = cloneTables(version.tables);
    this.#lsn = version.lsn;
    this.#sealed = version;
    this.#dirty = new Set();
    this.#current = [];
  }
}

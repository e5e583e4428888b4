/** The newest state of the tables, changed in place, and the versions cut from it. */
import type { Base } from "../btree/base.ts";
import type { Table } from "../tables/table.ts";
import { type Change, type Tables, redo, undo } from "./transaction.ts";

/** The tables as they were after the transaction `lsn` (log sequence number). Never changes once cut. */
export interface Version {
  readonly lsn: number;
  readonly tables: Tables;
  /** The snapshot below the tables; absent where everything is in memory. */
  readonly base?: Base | undefined;
}

/** The changes of a transaction, with its number. */
export interface Commit {
  readonly lsn: number;
  readonly changes: readonly Change[];
}

/** A version that goes on from another one, whose content is the same as of the version `lsn`. */
export function replay(
  from: Version,
  { lsn, commits }: { lsn: number; commits: readonly Commit[] },
): Version {
  const tables = cloneTables(from.tables);
  for (const commit of commits) if (commit.lsn > from.lsn && commit.lsn <= lsn) redo(tables, commit.changes);
  return { lsn, tables, base: from.base };
}

function cloneTables(tables: Tables): Map<string, Table> {
  return new Map([...tables].map(([name, table]) => [name, table.clone()]));
}

/** See the module's header. One transaction at a time: `begin`, then `commit` or `rollBack`. */
export class Head {
  #tables: Map<string, Table>;
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

  /** Sets the list for the changes of the transaction that starts now. */
  begin(changes: readonly Change[]): void {
    this.#current = changes;
  }

  /** The transaction's changes; undefined if there were none. */
  commit(): Commit | undefined {
    const changes = this.#current;
    this.#current = [];
    if (changes.length === 0) return undefined;
    for (const { collection } of changes) this.#dirty.add(collection);
    this.#lsn += 1;
    return { lsn: this.#lsn, changes };
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
    this.#sealed = { lsn: this.#lsn, tables, base: this.#sealed.base };
    return this.#sealed;
  }

  /** Goes on from a version that holds what the sealed one holds in another form; `commits` are those after it. */
  move(version: Version, commits: readonly Commit[]): void {
    const { tables } = replay(version, { lsn: this.#lsn, commits });
    redo(tables, this.#current);
    // In place: a transaction that is under way goes on with these.
    for (const [name, table] of tables) this.#tables.set(name, table);
    this.#sealed = version;
    this.#dirty = new Set(commits.flatMap(({ changes }) => changes.map(({ collection }) => collection)));
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

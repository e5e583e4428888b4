/**
 * Tables of the monitor's history (`src/store/postgres/rollups.ts`): rows of bytes by key, time and owner, in
 * partitions by time, and a mark for each owner. Their transactions are "read committed": each statement sees what is
 * committed, and a writer waits for the one before it.
 */
import { SimulationError } from "../kernel/kernel.ts";
import type { RollupStatement } from "./rollup-statement.ts";
import { ServerError, type Transaction } from "./transactions.ts";

type Answer = readonly Readonly<Record<string, unknown>>[];

interface Span {
  readonly key: string;
  readonly at: number;
  readonly origin: string;
  readonly data: Uint8Array;
}

interface Tier {
  readonly partitions: Map<string, { readonly from: number; readonly to: number }>;
  readonly spans: Map<string, Span>;
}

const toName = (key: unknown, at: unknown, origin: unknown): string => JSON.stringify([key, at, origin]);

export class RollupTables {
  readonly #tiers = new Map<string, Tier>();
  readonly #marks = new Map<string, Map<string, number>>();
  /** Writers that have not ended, by what they write. */
  readonly #writers = new Map<string, Transaction>();

  #tier(table: string): Tier {
    const tier = this.#tiers.get(table);
    if (tier === undefined) throw new ServerError("42P01", `relation "${table}" does not exist`);
    return tier;
  }

  #marksOf(table: string): Map<string, number> {
    const marks = this.#marks.get(table);
    if (marks === undefined) throw new ServerError("42P01", `relation "${table}" does not exist`);
    return marks;
  }

  /** The transaction that a statement has to wait for. */
  findHolder(
    transaction: Transaction,
    statement: RollupStatement,
    values: readonly unknown[],
  ): Transaction | undefined {
    return this.#lockedBy(statement, values)
      .map((name) => this.#writers.get(name))
      .find((holder) => holder !== undefined && holder !== transaction);
  }

  /** What a statement locks until its transaction ends. */
  #lockedBy({ verb, table }: RollupStatement, values: readonly unknown[]): readonly string[] {
    const [first, second, origin] = values;
    if (verb === "set mark") return [`${table} ${String(first)}`];
    // A row that is not there can't be locked.
    if (verb === "lock mark")
      return this.#marksOf(table).has(String(first)) ? [`${table} ${String(first)}`] : [];
    if (verb !== "write" || !Array.isArray(first) || !Array.isArray(second)) return [];
    return first.map((key, place) => `${table} ${toName(key, second[place], origin)}`);
  }

  /** Runs a statement that has nothing to wait for. @throws ServerError */
  run(transaction: Transaction, statement: RollupStatement, values: readonly unknown[]): Answer {
    for (const name of this.#lockedBy(statement, values)) {
      if (this.#writers.get(name) === transaction) continue;
      this.#writers.set(name, transaction);
      transaction.whenOver.push(() => void this.#writers.delete(name));
    }
    const { verb, table, part, marks } = statement;
    const [first, second, third, fourth] = values;
    switch (verb) {
      case "create":
        if (table.endsWith("_marks")) this.#marks.set(table, this.#marks.get(table) ?? new Map());
        else if (!this.#tiers.has(table)) this.#tiers.set(table, { partitions: new Map(), spans: new Map() });
        return [];
      case "partition":
        if (part !== undefined) this.#tier(table).partitions.set(part.name, part);
        return [];
      case "drop partition":
        if (part !== undefined) this.#dropPartition(this.#tier(table), part.name);
        return [];
      case "mark":
      case "lock mark": {
        const mark = this.#marksOf(table).get(String(first));
        return mark === undefined ? [] : [{ mark }];
      }
      case "set mark": {
        const known = this.#marksOf(table);
        transaction.whenCommitted.push(() => void known.set(String(first), Number(second)));
        return [];
      }
      case "read": {
        const spans = [...this.#tier(table).spans.values()].filter(
          ({ key, at }) => key === first && at >= Number(second) && at < Number(third),
        );
        return [
          ...[...this.#marksOf(marks ?? "")].map(([origin, mark]) => ({ origin, mark, data: null })),
          ...spans.map(({ data }) => ({ origin: null, mark: null, data })),
        ];
      }
      case "drop": {
        const { spans } = this.#tier(table);
        transaction.whenCommitted.push(() => {
          for (const [name, { key }] of spans) if (key === first) spans.delete(name);
        });
        return [];
      }
      case "keys":
        return [...new Set([...this.#tier(table).spans.values()].map(({ key }) => key))]
          .toSorted()
          .map((key) => ({ key }));
      case "partitions":
        return [...this.#tier(String(first)).partitions.keys()].map((name) => ({
          name,
          bytes: 8_192,
          rows: 0,
        }));
      case "present":
        return this.#findPresent(this.#tier(table), first, second, third);
      case "write":
        return this.#write(transaction, table, [first, second, third, fourth]);
    }
  }

  #findPresent({ spans }: Tier, keys: unknown, times: unknown, origin: unknown): Answer {
    if (!Array.isArray(keys) || !Array.isArray(times)) throw new SimulationError("Lists were expected");
    return keys.flatMap((key, index) => {
      const found = spans.get(toName(key, times[index], origin));
      return found === undefined ? [] : [{ place: index + 1, data: found.data }];
    });
  }

  #write(transaction: Transaction, table: string, values: readonly unknown[]): Answer {
    const [keys, times, origin, data] = values;
    if (!Array.isArray(keys) || !Array.isArray(times) || !Array.isArray(data))
      throw new SimulationError("Lists were expected");
    const { spans, partitions } = this.#tier(table);
    for (const [place, key] of keys.entries()) {
      const at = Number(times[place]);
      if (![...partitions.values()].some(({ from, to }) => at >= from && at < to))
        throw new ServerError("23514", `no partition of relation "${table}" found for row`);
      const bytes: unknown = data[place];
      if (!(bytes instanceof Uint8Array)) throw new SimulationError("Bytes were expected");
      // The bytes may be those of a buffer that is used again.
      const span = { key: String(key), at, origin: String(origin), data: bytes.slice() };
      transaction.whenCommitted.push(() => void spans.set(toName(key, times[place], origin), span));
    }
    return [];
  }

  #dropPartition({ partitions, spans }: Tier, name: string): void {
    const part = partitions.get(name);
    partitions.delete(name);
    if (part === undefined) return;
    for (const [span, { at }] of spans) if (at >= part.from && at < part.to) spans.delete(span);
  }
}

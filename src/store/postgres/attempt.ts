/** One attempt at a transaction: BEGIN with the first statement, COMMIT, and what went wrong. */
import type { Connection, Rows, Statement } from "./database.ts";
import { type FailureKind, kindOfFailure, toUnavailable } from "./failures.ts";
import type { Turn } from "./turns.ts";

/** Why an attempt has to be made again, or cannot. */
export type AttemptFailure =
  | {
      readonly kind: Extract<FailureKind, "retry" | "duplicate" | "lost" | "busy" | "missing" | "disk">;
      readonly error: unknown;
    }
  /** Another transaction of this process writes this record now. */
  | { readonly kind: "turn"; readonly key: string }
  /** A view turned out to need more than one statement. */
  | { readonly kind: "widen" };

/** Thrown into the work of an attempt that is over; never leaves the store. */
class AttemptOver extends Error {
  override readonly name = "AttemptOver";
}

/** `transaction` and `view` are serializable; `single` is one statement that is a view by itself. */
export type AttemptMode = "transaction" | "view" | "single";

const begin: Readonly<Record<Exclude<AttemptMode, "single">, string>> = {
  transaction: "BEGIN ISOLATION LEVEL SERIALIZABLE",
  view: "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY",
};

export class Attempt {
  readonly #connection: Connection;
  readonly #mode: AttemptMode;
  readonly #turn: Turn | undefined;
  #sent = 0;
  #open = true;
  #failure: AttemptFailure | undefined;
  /** Keys of records that this attempt wrote or wanted to write. */
  readonly wanted = new Set<string>();

  constructor(connection: Connection, options: { mode: AttemptMode; turn?: Turn }) {
    this.#connection = connection;
    this.#mode = options.mode;
    this.#turn = options.turn;
  }

  get failure(): AttemptFailure | undefined {
    return this.#failure;
  }

  /** Runs a statement. @throws AttemptOver when the attempt cannot go on; else what the driver throws */
  async run(statement: Statement): Promise<Rows> {
    if (!this.#open) throw new Error("The transaction is over: its work returned before this call");
    if (this.#failure !== undefined) throw new AttemptOver("This attempt is over");
    if (this.#mode === "single" && this.#sent > 0) this.#fail({ kind: "widen" });
    const isFirst = this.#sent === 0;
    this.#sent += 1;
    try {
      if (this.#mode === "single" || !isFirst) return await this.#connection.query(statement);
      // Both leave at once. The second may fail with the first; both are looked at.
      const opening = this.#connection.query({ text: begin[this.#mode] });
      const [rows] = await Promise.all([this.#connection.query(statement), opening]);
      return rows;
    } catch (error) {
      const kind = kindOfFailure(error);
      if (kind === "other" || kind === "too_long") throw error;
      return this.#fail({ kind, error });
    }
  }

  /** Claims the right to write a record. @throws AttemptOver when another transaction has it */
  claim(key: string): void {
    this.wanted.add(key);
    if (this.#failure === undefined && this.#turn?.tryTake(key) === false) this.#fail({ kind: "turn", key });
  }

  /** Commits, or rolls back when `keep` is false; no statement can follow. Throws `store_unavailable`. */
  async end(keep: boolean): Promise<void> {
    this.#open = false;
    if (this.#mode === "single" || this.#sent === 0) return;
    const commit = keep && this.#failure === undefined;
    try {
      const { command } = await this.#connection.query({ text: commit ? "COMMIT" : "ROLLBACK" });
      // A transaction that a statement has failed answers COMMIT so, without an error.
      if (commit && command === "ROLLBACK") throw new Error("The server rolled back the transaction");
    } catch (error) {
      if (!commit) return; // the connection is gone, and the transaction with it
      const kind = kindOfFailure(error);
      if (kind === "retry" || kind === "duplicate") this.#failure = { kind, error };
      // Whether the commit reached the disk is not known: it is neither acknowledged nor made again.
      else throw toUnavailable(error);
    }
  }

  #fail(failure: AttemptFailure): never {
    this.#failure ??= failure;
    throw new AttemptOver("This attempt is over");
  }
}

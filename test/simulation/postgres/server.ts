/** A database server that nodes share: connections with statements in order, locks, time limits, and its troubles. */
import type { Collection } from "../../../src/store/store.ts";
import type { Kernel, Pending } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import { machineOf } from "../world/bus-server.ts";
import type { RollupStatement } from "./rollup-statement.ts";
import { RollupTables } from "./rollups.ts";
import { type Parsed, type Query, type Row, parseStatement } from "./statement.ts";
import { ServerError, Tables, Transaction, conflict } from "./transactions.ts";

export interface DatabaseTrouble {
  slowness: number;
  /** Probability that a statement fails as if another transaction had won. */
  conflicts: number;
  /** Probability that a connection ends with a statement, before or after it is run. */
  drops: number;
  /** Probability, for each of 20 messages, that a connection stalls for seconds while others go on. */
  stalls: number;
  /** Probability that the answer to a commit never arrives. */
  losesAnswers: number;
  /** It holds its connections and answers nothing. */
  isSilent: boolean;
  /** It takes no connections. */
  isDown: boolean;
  /** Names of machines that it is silent to. */
  readonly parted: Set<string>;
}

export const calmDatabase = (): DatabaseTrouble => ({
  slowness: 1,
  conflicts: 0,
  drops: 0,
  stalls: 0,
  losesAnswers: 0,
  isSilent: false,
  isDown: false,
  parted: new Set(),
});

export interface ServerAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number;
  readonly command: string;
}

export interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly done: (outcome: ServerAnswer | ServerError) => void;
}

/** As the store sets them. */
const STATEMENT_TIMEOUT_MS = 2_000;
const ROLLUP_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 10_000;

const failed = (): ServerError =>
  new ServerError("25P02", "current transaction is aborted, commands ignored until end of transaction block");

/** The server's end of a connection. */
export class Session {
  readonly #server: DatabaseServer;
  readonly client: Owner;
  /** Tells the client that the connection ended, and why if the server says so. */
  readonly onEnd: (error: ServerError | undefined) => void;
  /** Undefined: the client has closed the connection. */
  readonly #queue: (Asked | undefined)[] = [];
  #transaction: Transaction | undefined;
  #hasFailed = false;
  #isBusy = false;
  #idle: Pending | undefined;
  isOver = false;

  constructor(server: DatabaseServer, client: Owner, onEnd: (error: ServerError | undefined) => void) {
    this.#server = server;
    this.client = client;
    this.onEnd = onEnd;
  }

  /** A statement has arrived, or the end of the connection. */
  take(asked: Asked | undefined): void {
    this.#queue.push(asked);
    if (!this.#isBusy) this.#server.soon(() => this.#next());
  }

  #next(): void {
    if (this.#queue.length === 0 || this.isOver || this.#isBusy) return;
    const asked = this.#queue[0];
    if (asked === undefined) return this.#server.forget(this);
    this.#idle?.cancel();
    this.#isBusy = true;
    void this.#run(asked).then((goesOn) => {
      this.#isBusy = false;
      this.#queue.shift();
      if (!goesOn || this.isOver) return;
      if (this.#queue.length > 0) this.#server.soon(() => this.#next());
      else if (this.#transaction !== undefined)
        this.#idle = this.#server.later(IDLE_TIMEOUT_MS, () =>
          this.#server.end(
            this,
            new ServerError("25P03", "terminating connection due to idle-in-transaction timeout"),
          ),
        );
    });
  }

  async #run({ text, values, done }: Asked): Promise<boolean> {
    const server = this.#server;
    if (await server.untilHeard(this)) return false;
    const parsed = parseStatement(text);
    const drop = server.drawDrop(parsed.kind);
    if (drop === "before") {
      server.end(this);
      return false;
    }
    let outcome: ServerAnswer | ServerError;
    try {
      if (this.#hasFailed && parsed.kind !== "commit" && parsed.kind !== "rollback") throw failed();
      outcome = await this.#execute(parsed, values);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      outcome = error;
      this.#hasFailed = this.#transaction !== undefined;
      if (parsed.kind === "commit") this.#leave();
    }
    await server.untilReached(this);
    if (this.isOver) return false;
    if (drop === "after") {
      server.end(this);
      return false;
    }
    done(outcome);
    return true;
  }

  #leave(): void {
    if (this.#transaction !== undefined && !this.#transaction.isOver)
      this.#server.tables.rollBack(this.#transaction);
    this.#transaction = undefined;
    this.#hasFailed = false;
  }

  async #execute(parsed: Parsed, values: readonly unknown[]): Promise<ServerAnswer> {
    const { tables } = this.#server;
    const say = (command: string, rows: ServerAnswer["rows"] = [], rowCount = rows.length): ServerAnswer => ({
      command,
      rows,
      rowCount,
    });
    switch (parsed.kind) {
      case "begin":
        // A second one in a transaction is a warning.
        this.#transaction ??= new Transaction(parsed.isSerializable);
        return say("BEGIN");
      case "show":
        return say("SHOW", [{ transaction_read_only: "off" }]);
      case "touch":
        return say("SELECT");
      case "rollback":
        this.#leave();
        return say("ROLLBACK");
      case "commit": {
        const transaction = this.#transaction;
        if (this.#hasFailed || transaction === undefined) {
          this.#leave();
          return say("ROLLBACK");
        }
        this.#server.drawConflict();
        tables.commit(transaction);
        this.#server.onCommit?.(this.client, transaction);
        this.#leave();
        return say("COMMIT");
      }
      case "rows":
      case "count":
        return say("SELECT", this.#select(parsed, values));
      case "insert":
      case "update":
      case "delete":
        return say(parsed.kind.toUpperCase(), [], await this.#write(parsed, values));
      case "rollups":
        return say("SELECT", await this.#runRollups(parsed, values));
    }
  }

  #select(query: Query, values: readonly unknown[]): ServerAnswer["rows"] {
    const { tables } = this.#server;
    const transaction = this.#transaction ?? new Transaction(false);
    if (transaction.isSerializable && transaction.writes.size > 0) this.#server.drawConflict();
    const found = tables.query(transaction, query, values);
    if (transaction !== this.#transaction) tables.rollBack(transaction);
    if (query.kind === "count") return [{ n: found.length }];
    return found.map(({ id, version, doc }) => ({ id, version, doc }));
  }

  async #runRollups(statement: RollupStatement, values: readonly unknown[]): Promise<ServerAnswer["rows"]> {
    const { tables, rollups } = this.#server;
    const transaction = this.#transaction ?? new Transaction(false);
    const endMs = this.#server.nowMs + ROLLUP_TIMEOUT_MS;
    for (;;) {
      const holder = rollups.findHolder(transaction, statement, values);
      if (holder === undefined) break;
      await this.#server.waitFor(transaction, holder, endMs);
      if (this.isOver) throw conflict();
    }
    const rows = rollups.run(transaction, statement, values);
    if (transaction !== this.#transaction) tables.commit(transaction);
    return rows;
  }

  /** Waits for the transaction that has the row, and writes. */
  async #write(
    { kind, table: name }: Extract<Parsed, { kind: "insert" | "update" | "delete" }>,
    values: readonly unknown[],
  ): Promise<number> {
    const { tables } = this.#server;
    const transaction = this.#transaction ?? new Transaction(false);
    const table = tables.get(name);
    tables.see(transaction);
    // As the statements of the store bind them.
    const [id, second, third] = values as readonly [string, string | number, string];
    const row = (version: number, doc: string): Row => ({
      id,
      version,
      doc: JSON.parse(doc) as Row["doc"],
    });
    const candidate =
      kind === "insert"
        ? row(1, String(second))
        : kind === "update"
          ? row(Number(second) + 1, third)
          : undefined;
    const endMs = this.#server.nowMs + STATEMENT_TIMEOUT_MS;
    for (;;) {
      const holder = tables.findHolder(transaction, table, id, candidate);
      if (holder === undefined) break;
      await this.#server.waitFor(transaction, holder, endMs);
      if (this.isOver) throw conflict();
    }
    this.#server.drawConflict();
    if (candidate === undefined) return tables.remove(transaction, table, id);
    return kind === "insert"
      ? tables.insert(transaction, table, candidate)
      : tables.update(transaction, table, candidate);
  }

  /** Ends it, with its transaction; call it through the server. */
  close(): void {
    this.isOver = true;
    this.#idle?.cancel();
    this.#leave();
  }
}

export class DatabaseServer {
  readonly tables = new Tables();
  readonly rollups = new RollupTables();
  /** Bytes by table and hash. */
  readonly blobs = new Map<string, Map<string, Uint8Array>>();
  trouble = calmDatabase();
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #sessions = new Set<Session>();
  #whenHeard: (() => void)[] = [];
  /** Called after so many further statements. */
  #alarm: { left: number; readonly ring: () => void } | undefined;
  /** Told of what a process has committed. */
  onCommit: ((client: Owner, transaction: Transaction) => void) | undefined;
  statements = 0;
  conflicts = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "database");
  }

  get nowMs(): number {
    return this.#kernel.nowMs;
  }

  declare(name: string, collection: Collection): void {
    this.tables.declare(name, collection);
  }

  /** Runs the work of the server after the time of a statement. */
  soon(run: () => void): void {
    this.later(this.#random.wait(0.3 * this.trouble.slowness), run);
  }

  later(delayMs: number, run: () => void): Pending {
    return this.#kernel.after(delayMs, run, { owner: this.#kernel.world });
  }

  /** @throws ServerError when it takes no connections */
  connect(client: Owner, onEnd: Session["onEnd"]): Session {
    if (this.trouble.isDown) throw new ServerError("57P03", "the database system is starting up");
    const session = new Session(this, client, onEnd);
    this.#sessions.add(session);
    return session;
  }

  /** Ends a connection from the side of the server. */
  end(session: Session, error?: ServerError): void {
    if (session.isOver) return;
    if (this.trouble.isSilent || !this.isSilentTo(session.client)) {
      this.forget(session);
      return session.onEnd(error);
    }
    // The client learns it when the server reaches it.
    session.close();
    this.#sessions.delete(session);
    return void this.#whenHeard.push(() => this.later(20, () => session.onEnd(error)));
  }

  /** Whether nothing gets from a process to the server, or back. */
  isSilentTo(client: Owner): boolean {
    return this.trouble.isSilent || this.trouble.parted.has(machineOf(client));
  }

  /** The client has closed it. */
  forget(session: Session): void {
    // What has arrived before the end is read first.
    if (this.isSilentTo(session.client))
      return void this.#whenHeard.push(() => void this.later(20, () => this.forget(session)));
    session.close();
    this.#sessions.delete(session);
    return undefined;
  }

  /** Ends all connections: a restart, or another server that takes over. */
  endAll(): void {
    for (const session of this.#sessions)
      this.end(session, new ServerError("57P01", "terminating connection due to administrator command"));
  }

  /** Resolves when the server works; true when the connection ended meanwhile. */
  async untilHeard(session: Session): Promise<boolean> {
    await this.untilReached(session);
    this.statements += 1;
    if (this.#alarm !== undefined && (this.#alarm.left -= 1) <= 0) {
      const { ring } = this.#alarm;
      this.#alarm = undefined;
      ring();
    }
    return session.isOver;
  }

  /** Resolves when a client and the server reach each other. */
  async untilReached({ client }: Session): Promise<void> {
    while (this.isSilentTo(client)) await new Promise<void>((resolve) => void this.#whenHeard.push(resolve));
  }

  /** It has been silent, and works again. */
  wake(): void {
    for (const tell of this.#whenHeard.splice(0)) this.soon(tell);
  }

  drawDrop(kind: Parsed["kind"]): "before" | "after" | undefined {
    const { drops, losesAnswers } = this.trouble;
    if (kind === "commit" && this.#random.chance(losesAnswers)) return "after";
    if (!this.#random.chance(drops / 20)) return undefined;
    return this.#random.chance(0.5) ? "before" : "after";
  }

  /** For how many milliseconds longer a message takes whose packet was lost: until it is sent again. */
  drawStall(): number {
    return this.#random.chance(this.trouble.stalls / 20) ? 1_000 + this.#random.wait(3_000) : 0;
  }

  /** @throws ServerError now and then */
  drawConflict(): void {
    if (!this.#random.chance(this.trouble.conflicts / 10)) return;
    this.conflicts += 1;
    throw conflict();
  }

  /** Resolves when another transaction is over. @throws ServerError after its time, and when both would wait for ever */
  async waitFor(transaction: Transaction, holder: Transaction, endMs: number): Promise<void> {
    for (let at: Transaction | undefined = holder; at !== undefined; at = at.waitsFor)
      if (at === transaction) throw new ServerError("40P01", "deadlock detected");
    transaction.waitsFor = holder;
    let timer: Pending | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        holder.whenOver.push(() => this.soon(resolve));
        timer = this.later(endMs - this.nowMs, () =>
          reject(new ServerError("57014", "canceling statement due to statement timeout")),
        );
      });
    } finally {
      timer?.cancel();
      transaction.waitsFor = undefined;
    }
  }

  /** Rings in the middle of something: after so many further statements. */
  alarmAfter(statements: number, ring: () => void): void {
    this.#alarm = { left: statements, ring };
  }

  calm(): void {
    this.#alarm = undefined;
    this.trouble = calmDatabase();
    this.wake();
  }
}

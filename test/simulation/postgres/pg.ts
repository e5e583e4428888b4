/**
 * In place of the driver of PostgreSQL: connections to the simulated server. The pool is the driver's own, over clients
 * of ours.
 */
import { EventEmitter } from "node:events";
// What the driver's Pool is, without its Client.
import PgPool from "pg-pool";
import { getWorld } from "../kernel/current.ts";
import { onEndOf } from "../world/computer.ts";
import { Pipe } from "../world/pipe.ts";
import { runBlobStatement } from "./blobs.ts";
import type { Asked, ServerAnswer, Session } from "./server.ts";
import { ServerError } from "./transactions.ts";

export class DatabaseError extends Error {
  code: string | undefined;
}

interface ClientConfig {
  readonly query_timeout?: number;
  readonly connectionTimeoutMillis?: number;
}

interface QueryConfig {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** How long each way takes. */
const WAY_MS = 0.15;
/** How long a server takes to notice that a machine lost its power: its keepalive. */
const NOTICES_MS = 60_000;

function toDriverError({ code, message }: ServerError): DatabaseError {
  const error = new DatabaseError(message);
  error.code = code;
  return error;
}

const toRefusal = (): Error => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

export class Client extends EventEmitter {
  readonly #config: ClientConfig;
  #session: Session | undefined;
  #toServer: Pipe<Asked> | undefined;
  #toClient: Pipe<() => void> | undefined;
  readonly #waiting = new Set<(error: Error) => void>();
  #end: Error | undefined;
  #isConnecting = false;
  // As the driver's pool reads them.
  _queryable = true;
  _ending = false;
  /** Its socket, as the driver's pool ends it. */
  readonly connection = {
    stream: { destroy: (): void => this.#fail(new Error("Connection terminated unexpectedly")) },
  };

  constructor(config: ClientConfig = {}) {
    super();
    this.#config = config;
  }

  connect(tell?: (error?: Error) => void): Promise<void> | undefined {
    const connected = this.#connect();
    if (tell === undefined) return connected;
    connected.then(() => tell(), tell);
    return undefined;
  }

  async #connect(): Promise<void> {
    const { kernel, database } = getWorld();
    if (database === undefined) throw toRefusal();
    const { owner } = kernel;
    this.#isConnecting = true;
    const way = (): number => kernel.paceRandom.wait(WAY_MS);
    const { connectionTimeoutMillis: limitMs = 0 } = this.#config;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.add(reject);
      const back = (run: () => void): void => void kernel.after(way(), run, { owner });
      // Of a client without a pool; the pool has a limit of its own.
      if (limitMs > 0) setTimeout(() => reject(new Error("timeout expired")), limitMs);
      kernel.after(
        3 * way(),
        () => {
          const open = (): void => {
            if (database.trouble.isSilent) return void database.later(50, open);
            try {
              const session = database.connect((error) => back(() => this.#fail(toEnd(error))));
              this.#session = session;
              onEndOf(owner, (how) =>
                database.later(how === "power" ? NOTICES_MS : 1, () => database.forget(session)),
              );
              back(resolve);
            } catch (error) {
              back(() => reject(error instanceof ServerError ? toDriverError(error) : toRefusal()));
            }
            return undefined;
          };
          open();
        },
        { owner: kernel.world },
      );
    }).finally(() => (this.#isConnecting = false));
    this.#toServer = new Pipe(kernel, {
      to: kernel.world,
      delayMs: way,
      deliver: (asked) => this.#session?.take(asked),
    });
    this.#toClient = new Pipe(kernel, { to: owner, delayMs: way, deliver: (run) => run() });
  }

  isConnected(): boolean {
    return !this.#isConnecting && this.#end === undefined;
  }

  /** The connection is gone. */
  #fail(error: Error): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    this._queryable = false;
    this.#toServer?.cut();
    const session = this.#session;
    const { database } = getWorld();
    if (session !== undefined && database !== undefined) database.later(1, () => database.forget(session));
    for (const refuse of this.#waiting) refuse(error);
    this.#waiting.clear();
    if (!this._ending && !this.#isConnecting) this.emit("error", error);
    this.emit("end");
  }

  query(given: QueryConfig | string): Promise<ServerAnswer> {
    const { text, values = [] } = typeof given === "string" ? { text: given } : given;
    if (this.#end !== undefined || this._ending)
      return Promise.reject(new Error("Client has encountered a connection error and is not queryable"));
    const { database } = getWorld();
    const { query_timeout: limitMs = 0 } = this.#config;
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      const timer =
        limitMs > 0 ? setTimeout(() => reject(new Error("Query read timeout")), limitMs) : undefined;
      const done = (outcome: ServerAnswer | ServerError): void =>
        this.#toClient?.send(() => {
          this.#waiting.delete(reject);
          clearTimeout(timer);
          if (outcome instanceof ServerError) reject(toDriverError(outcome));
          else resolve(outcome);
        });
      const ofBlobs = database && runBlobStatement(database, text, values);
      if (ofBlobs !== undefined) done(ofBlobs);
      else this.#toServer?.send({ text, values, done });
    });
  }

  end(tell?: () => void): Promise<void> | undefined {
    this._ending = true;
    this._queryable = false;
    const { kernel, database } = getWorld();
    const session = this.#session;
    if (session !== undefined && database !== undefined)
      database.later(WAY_MS, () => database.forget(session));
    const ended = new Promise<void>((resolve) => {
      kernel.after(WAY_MS, () => {
        this.#fail(new Error("Connection terminated"));
        resolve();
      });
    });
    if (tell === undefined) return ended;
    void ended.then(tell);
    return undefined;
  }

  ref(): void {
    // There is no loop of events to keep.
  }

  unref(): void {
    // There is no loop of events to leave.
  }
}

function toEnd(error: ServerError | undefined): Error {
  return error === undefined ? new Error("Connection terminated unexpectedly") : toDriverError(error);
}

export class Pool extends PgPool {
  constructor(config: object) {
    super(config, Client);
  }
}

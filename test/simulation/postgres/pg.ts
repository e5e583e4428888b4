/**
 * In place of the driver of PostgreSQL: connections to the simulated server. The pool is the driver's own, over clients
 * of ours.
 */
import { EventEmitter, once } from "node:events";
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
  /** Whether statements are sent without waiting for the answers to those before. */
  readonly pipeline?: boolean;
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

/** A statement that is not answered yet. */
interface Pending {
  readonly send: () => void;
  readonly refuse: (error: Error) => void;
}

const toRefusal = (): Error => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

export class Client extends EventEmitter {
  readonly #config: ClientConfig;
  #session: Session | undefined;
  /** Undefined on its way: the client has closed the connection. */
  #toServer: Pipe<Asked | undefined> | undefined;
  #toClient: Pipe<() => void> | undefined;
  #refuseConnection: ((error: Error) => void) | undefined;
  /** Statements that wait for the answers to those before, and those that are on their way. */
  readonly #queue: Pending[] = [];
  readonly #sent = new Set<Pending>();
  #end: Error | undefined;
  #isConnecting = false;
  #isDestroyed = false;
  // As the driver's pool reads them.
  _queryable = true;
  _ending = false;
  /** Its socket, as the driver's pool ends it. */
  readonly connection = {
    stream: { destroy: (): void => this.#destroy() },
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
      this.#refuseConnection = reject;
      const back = (run: () => void): void => void kernel.after(way(), run, { owner });
      // Of a client without a pool; the pool has a limit of its own.
      if (limitMs > 0) setTimeout(() => reject(new Error("timeout expired")), limitMs);
      kernel.after(
        3 * way(),
        () => {
          const open = (): void => {
            if (this.#isDestroyed) return undefined;
            if (database.isSilentTo(owner)) return void database.later(50, open);
            try {
              const session = database.connect(owner, (error) => back(() => this.#fail(toEnd(error))));
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
    // A packet that is lost is sent again after a while, and what follows waits for it.
    const delayMs = (): number => way() + database.drawStall();
    this.#toServer = new Pipe(kernel, {
      to: kernel.world,
      delayMs,
      deliver: (asked) => this.#session?.take(asked),
    });
    this.#toClient = new Pipe(kernel, { to: owner, delayMs, deliver: (run) => run() });
  }

  isConnected(): boolean {
    return !this.#isConnecting && this.#end === undefined;
  }

  /** The connection is gone. */
  #fail(error: Error): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    this._queryable = false;
    this.#toClient?.cut();
    this.#refuseConnection?.(error);
    for (const { refuse } of [...this.#sent, ...this.#queue.splice(0)]) refuse(error);
    this.#sent.clear();
    if (!this._ending && !this.#isConnecting) this.emit("error", error);
    this.emit("end");
  }

  /** Closes the socket: the server reads what was sent before, and the client hears of the end a moment later. */
  #destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#toServer?.send(undefined);
    const error = new Error(this._ending ? "Connection terminated" : "Connection terminated unexpectedly");
    getWorld().kernel.after(0, () => this.#fail(error));
  }

  #sendNext(): void {
    while (this.#config.pipeline === true || this.#sent.size === 0) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#sent.add(next);
      next.send();
    }
    if (this.#sent.size === 0) this.emit("drain");
  }

  /** As the driver does: a statement that is sent already takes its connection with it only when others follow it there. */
  #giveUp(pending: Pending): void {
    pending.refuse(new Error("Query read timeout"));
    const at = this.#queue.indexOf(pending);
    if (at >= 0) this.#queue.splice(at, 1);
    else if (this.#config.pipeline === true) this.#destroy();
  }

  query(given: QueryConfig | string): Promise<ServerAnswer> {
    const { text, values = [] } = typeof given === "string" ? { text: given } : given;
    if (this.#end !== undefined || this._ending)
      return Promise.reject(new Error("Client has encountered a connection error and is not queryable"));
    const { database } = getWorld();
    const { query_timeout: limitMs = 0 } = this.#config;
    return new Promise((resolve, reject) => {
      const timer = limitMs > 0 ? setTimeout(() => this.#giveUp(pending), limitMs) : undefined;
      const answer = (outcome: ServerAnswer | ServerError): void =>
        this.#toClient?.send(() => {
          clearTimeout(timer);
          this.#sent.delete(pending);
          if (outcome instanceof ServerError) reject(toDriverError(outcome));
          else resolve(outcome);
          this.#sendNext();
        });
      const pending: Pending = {
        send: () => {
          const ofBlobs = database && runBlobStatement(database, text, values);
          if (ofBlobs !== undefined) answer(ofBlobs);
          else if (!this.#isDestroyed) this.#toServer?.send({ text, values, done: answer });
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#queue.push(pending);
      this.#sendNext();
    });
  }

  /** What is on its way is waited for, unless the connection is gone. */
  async #close(): Promise<void> {
    this._ending = true;
    if (this.#end !== undefined) return;
    const ended = once(this, "end");
    if (this.#config.pipeline === true && this.#sent.size > 0) this.once("drain", () => this.#destroy());
    else this.#destroy();
    await ended;
  }

  end(tell?: () => void): Promise<void> | undefined {
    const ended = this.#close();
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

/** The bus over NATS core. */
import { readFile } from "node:fs/promises";
import { type NatsConnection, type Subscription, connect } from "@nats-io/transport-node";
import type { Bus } from "./bus.ts";
import { type BusSeal, createBusSeal } from "./seal.ts";
import { type Wire, createWireBus } from "./wire.ts";

/** Pause between two tries to connect. */
const RETRY_MS = 500;
const CONNECT_TIMEOUT_MS = 3_000;
/** A server that went silent is noticed within two of these. */
const PING_MS = 2_000;
/** Foreign messages are logged at most this often. */
const REFUSAL_MS = 60_000;
/** Beside the drain of the services, a stop has two seconds. */
const CLOSE_MS = 1_000;

export interface NatsBusOptions {
  readonly node: string;
  /** `nats://user:password@host:4222` or `tls://…`; several, comma separated, are one cluster. */
  readonly url: string;
  /** The first part of all subjects: processes with another one are strangers. */
  readonly prefix: string;
  /** Seals what travels: the same on every node, at least 32 characters. */
  readonly secret: string;
  /** The wall clock, in ms. */
  readonly now: () => number;
  /** Shown in the server's list of connections. */
  readonly name: string;
  /** An authority for `tls://` beyond those of the system: path of a PEM file. */
  readonly caPath?: string;
  readonly onEvent: (event: {
    readonly level: "info" | "warn";
    readonly message: string;
    readonly error?: unknown;
  }) => void;
}

interface Target {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly isTls: boolean;
}

/** The client takes credentials apart from the address. */
function toTarget(url: string): Target {
  const urls = url
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => new URL(part.trim()));
  const [first] = urls;
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === "" ? "4222" : port}`),
    ...(first === undefined || first.username === "" ? {} : { user: decodeURIComponent(first.username) }),
    ...(first === undefined || first.password === "" ? {} : { pass: decodeURIComponent(first.password) }),
    isTls: first?.protocol === "tls:",
  };
}

type Listener = (bytes: Uint8Array) => void;

class NatsWire implements Wire {
  readonly #options: NatsBusOptions;
  readonly #target: Target;
  readonly #seal: BusSeal;
  #refusedMs = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #watchers = new Set<(isConnected: boolean) => void>();
  #connection: NatsConnection | undefined;
  #isConnected = false;
  #isClosing = false;
  #wake: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(options: NatsBusOptions) {
    this.#options = options;
    this.#target = toTarget(options.url);
    this.#seal = createBusSeal(options);
    this.#running = this.#run();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  send(name: string, bytes: Uint8Array): void {
    const connection = this.#connection;
    // A connection is closed a moment before that is known here, and one that is being closed takes no more.
    if (!this.#isConnected || this.#isClosing || connection === undefined || connection.isClosed()) return;
    try {
      const subject = this.#subject(name);
      connection.publish(subject, this.#seal.seal(subject, bytes));
    } catch (error) {
      // Such as a message beyond what this server takes: lost, like any that does not arrive.
      this.#options.onEvent({ level: "warn", message: `A message on the bus (${name}) was not sent`, error });
    }
  }

  listen(name: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    this.#subscribe(name);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.#listeners.delete(name);
      this.#subscriptions.get(name)?.unsubscribe();
      this.#subscriptions.delete(name);
    };
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.#watchers.add(listener);
    return () => {
      this.#watchers.delete(listener);
    };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#watchers.clear();
    this.#wake();
    const connection = this.#connection;
    const wasConnected = this.#isConnected;
    if (connection !== undefined && wasConnected) {
      const overdue = setTimeout(() => void connection.close(), CLOSE_MS);
      await connection.drain().catch(() => undefined);
      clearTimeout(overdue);
    }
    await connection?.close().catch(() => undefined);
    // A try to connect may take seconds a server; what comes of it is closed as soon as it is there.
    if (wasConnected) await this.#running;
  }

  #subject(name: string): string {
    return `${this.#options.prefix}.${name}`;
  }

  #subscribe(name: string): void {
    const connection = this.#connection;
    if (connection === undefined || connection.isClosed() || this.#subscriptions.has(name)) return;
    const callback = (error: Error | null, { data }: { data: Uint8Array }): void => {
      if (error !== null) return; // logged by #watch
      const bytes = this.#open(name, data);
      if (bytes === undefined) return;
      for (const listener of this.#listeners.get(name) ?? []) listener(bytes);
    };
    this.#subscriptions.set(name, connection.subscribe(this.#subject(name), { callback }));
  }

  #open(name: string, sealed: Uint8Array): Uint8Array | undefined {
    try {
      return this.#seal.open(this.#subject(name), sealed);
    } catch (error) {
      const nowMs = performance.now();
      if (nowMs - this.#refusedMs < REFUSAL_MS) return undefined;
      this.#refusedMs = nowMs;
      this.#options.onEvent({ level: "warn", message: `A message on the bus (${name}) was rejected`, error });
      return undefined;
    }
  }

  #setConnected(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    if (this.#isClosing) return;
    if (isConnected) this.#options.onEvent({ level: "info", message: "The bus is connected" });
    else
      this.#options.onEvent({
        level: "warn",
        message: "The bus is unavailable; this process continues alone",
      });
    for (const watcher of this.#watchers) watcher(isConnected);
  }

  /** Connects, follows the connection to its end, and begins again. */
  async #run(): Promise<void> {
    let isTold = false;
    while (!this.#isClosing) {
      try {
        const connection = await this.#connect();
        isTold = false;
        await this.#follow(connection);
      } catch (error) {
        if (!isTold)
          this.#options.onEvent({ level: "warn", message: "The bus cannot be reached; retrying", error });
        isTold = true;
      }
      if (!this.#isClosing) await this.#pause();
    }
  }

  async #connect(): Promise<NatsConnection> {
    const { servers, isTls, ...credentials } = this.#target;
    const { caPath, name } = this.#options;
    return connect({
      servers,
      ...credentials,
      ...(isTls ? { tls: caPath === undefined ? {} : { ca: await readFile(caPath, "utf8") } } : {}),
      name,
      noEcho: true,
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_MS,
      maxPingOut: 1,
      // Made again here: the client would keep what is published until then.
      reconnect: false,
    });
  }

  async #follow(connection: NatsConnection): Promise<void> {
    this.#connection = connection;
    this.#subscriptions.clear();
    try {
      if (this.#isClosing) return;
      void this.#watch(connection);
      for (const name of this.#listeners.keys()) this.#subscribe(name);
      // When the server has answered, it knows the subscriptions.
      await connection.flush();
      this.#setConnected(true);
      await connection.closed();
    } finally {
      this.#setConnected(false);
      await connection.close().catch(() => undefined);
    }
  }

  /** Logs what the server refuses, such as a subject that this user may not use, once a connection. */
  async #watch(connection: NatsConnection): Promise<void> {
    const logged = new Set<string>();
    for await (const event of connection.status()) {
      if (event.type !== "error" || logged.has(event.error.message)) continue;
      logged.add(event.error.message);
      const message = "The bus denied an operation. Check the permissions of its user";
      this.#options.onEvent({ level: "warn", message, error: event.error });
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Joins a NATS server; the bus counts as away until it is reached, and is made again whenever it was lost. */
export function createNatsBus(options: NatsBusOptions): Bus {
  return createWireBus({
    node: options.node,
    wire: new NatsWire(options),
    onFailure: (topic, error) =>
      options.onEvent({ level: "warn", message: `A message on the bus (${topic}) was dropped`, error }),
  });
}

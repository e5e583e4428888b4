/**
 * Streams of agents without a network: what the runtime's gRPC listener and the agent's transport do, between two
 * simulated processes. A stream breaks as a whole, at once or unnoticed for a while; single messages are never lost.
 */
import {
  type AgentMessage,
  connectPath,
  decodeControl,
  encodeAgentMessage,
} from "../../../src/monitor/proto/codec.ts";
import { type OpenStream, StreamError } from "../../../src/agent/connection/transport.ts";
import { type GrpcOptions, type GrpcStreamHandler, grpcStatus } from "../../../src/runtime/runtime.ts";
import { toGrpcOutcome } from "../../../src/kit/http/grpc-status.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import type { Random } from "../kernel/random.ts";
import type { NetworkTrouble, Outside } from "./outside.ts";
import { Pipe } from "./pipe.ts";
import type { End } from "./computer.ts";

/** What a listener's keepalive, and that of an agent's channel, take to notice a dead peer. */
const SERVER_NOTICES_MS = 30_000;
const CLIENT_NOTICES_MS = 40_000;

/** A queue that one reader takes from; it ends normally, or with an error. */
class Inbox<T> {
  readonly #items: T[] = [];
  #ended: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => undefined;

  push(item: T): void {
    if (this.#ended === undefined) this.#items.push(item);
    this.#wake();
  }

  end(error?: Error): void {
    this.#ended ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      for (let item = this.#items.shift(); item !== undefined; item = this.#items.shift()) yield item;
      if (this.#ended?.error !== undefined) throw this.#ended.error;
      if (this.#ended !== undefined) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

type ToServer = { readonly bytes: Uint8Array } | { readonly end: "normal" | "aborted" };
type ToClient = { readonly bytes: Uint8Array } | { readonly status: number; readonly message: string };

/** A listener for agents in a process of the program. */
export class StreamListener {
  readonly #kernel: Kernel;
  readonly #owner: Owner;
  readonly #options: GrpcOptions;
  readonly #open = new Map<AbortController, Promise<void>>();
  isClosed = false;

  constructor(kernel: Kernel, owner: Owner, options: GrpcOptions) {
    this.#kernel = kernel;
    this.#owner = owner;
    this.#options = options;
  }

  get handler(): GrpcStreamHandler | undefined {
    return this.isClosed ? undefined : this.#options.methods[connectPath];
  }

  get owner(): Owner {
    return this.#owner;
  }

  /** Runs a stream of the program; call it as the process of the listener. */
  serve(
    handler: GrpcStreamHandler,
    stream: {
      readonly requests: AsyncIterable<Uint8Array>;
      readonly from: string;
      readonly send: (message: ToClient) => void;
    },
  ): AbortController {
    const ended = new AbortController();
    const run = async (): Promise<void> => {
      const { requests, send, from } = stream;
      try {
        for await (const bytes of handler(requests, { remoteAddress: from, signal: ended.signal }))
          send({ bytes });
        send({ status: grpcStatus.ok, message: "" });
      } catch (error) {
        const { status, message, unexpected } = toGrpcOutcome(error);
        if (unexpected) this.#kernel.fail(error);
        send({ status, message });
      } finally {
        this.#open.delete(ended);
      }
    };
    this.#open.set(ended, run());
    return ended;
  }

  /** Ends it as the real ones do: what runs may finish for a while. */
  async close(graceMs: number): Promise<void> {
    this.isClosed = true;
    const late = setTimeout(() => {
      for (const ended of this.#open.keys()) ended.abort();
    }, graceMs);
    await Promise.all(this.#open.values());
    clearTimeout(late);
  }
}

/** A machine that an agent can reach. */
export interface StreamHost {
  findListener(port: number): StreamListener | undefined;
  onEnd(tell: (how: End) => void): void;
  /** Calls back when something between the two ends the stream. */
  onBreak?(tell: () => void): void;
}

/** Where an agent is, and what it goes through. */
export interface StreamParts {
  readonly kernel: Kernel;
  readonly outside: Outside;
  readonly random: Random;
  /** The machine that it is sent to at present. */
  readonly findMachine: () => StreamHost;
  readonly port: number;
  readonly from: string;
  /** Told when the process of the agent ends. */
  readonly onEnd: (tell: (how: End) => void) => void;
}

/** Both ends of a stream that was accepted. */
class Stream {
  readonly #parts: StreamParts;
  readonly acks = new Inbox<string>();
  readonly #requests = new Inbox<Uint8Array>();
  readonly #toServer: Pipe<ToServer>;
  readonly #toClient: Pipe<ToClient>;
  readonly #client: Owner;
  readonly #server: Owner;
  #serverEnded: AbortController | undefined;
  #isOver = false;

  constructor(parts: StreamParts, listener: StreamListener, handler: GrpcStreamHandler) {
    this.#parts = parts;
    const { kernel, outside, random, from } = parts;
    this.#client = kernel.owner;
    this.#server = listener.owner;
    const delayMs = (): number => random.wait(outside.trouble.wayMs);
    this.#toServer = new Pipe(kernel, { to: this.#server, delayMs, deliver: (item) => this.#arrive(item) });
    this.#toClient = new Pipe(kernel, { to: this.#client, delayMs, deliver: (item) => this.#answer(item) });
    kernel.after(
      delayMs(),
      () => {
        const send = (message: ToClient): void => this.#send(this.#toClient, message, "losesResponse");
        this.#serverEnded = listener.serve(handler, { requests: this.#requests, from, send });
      },
      { owner: this.#server },
    );
  }

  /** Sends a message of the agent. */
  send(message: AgentMessage): void {
    this.#send(this.#toServer, { bytes: encodeAgentMessage(message) }, "losesRequest");
  }

  /** The agent has no more to say. */
  finish(how: "normal" | "aborted"): void {
    this.#toServer.send({ end: how });
  }

  /** The process at the other end has ended. */
  serverGone(how: End): void {
    if (how === "power") return this.#breakSilently();
    this.#toClient.cut();
    this.#later(this.#client, 20, () =>
      this.acks.end(new StreamError(grpcStatus.unavailable, "Connection dropped")),
    );
  }

  clientGone(how: End): void {
    this.#toServer.cut();
    this.#later(this.#server, how === "power" ? SERVER_NOTICES_MS : 20, () => this.#abort());
  }

  #send<T>(pipe: Pipe<T>, message: T, loss: keyof NetworkTrouble): void {
    const { outside, random } = this.#parts;
    // Packets are sent again: only some of those that are lost end a connection.
    if (!this.#isOver && random.chance(outside.trouble[loss] / 4)) this.break();
    pipe.send(message);
  }

  #later(owner: Owner, delayMs: number, run: () => void): void {
    this.#parts.kernel.after(delayMs, run, { owner });
  }

  /** The connection is lost, at once or unnoticed for a while. */
  break(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.kernel.trace(`a stream of ${this.#client.name} breaks`);
    if (this.#parts.random.chance(0.5)) return this.#breakSilently();
    this.#cut();
    this.#later(this.#client, 5, () =>
      this.acks.end(new StreamError(grpcStatus.unavailable, "read ECONNRESET")),
    );
    this.#later(this.#server, 5, () => this.#abort());
  }

  #breakSilently(): void {
    this.#cut();
    this.#later(this.#client, CLIENT_NOTICES_MS, () =>
      this.acks.end(new StreamError(grpcStatus.unavailable, "Keepalive timeout")),
    );
    this.#later(this.#server, SERVER_NOTICES_MS, () => this.#abort());
  }

  #cut(): void {
    this.#toClient.cut();
    this.#toServer.cut();
  }

  #arrive(item: ToServer): void {
    if ("bytes" in item) this.#requests.push(item.bytes);
    else if (item.end === "aborted") this.#abort();
    else this.#requests.end();
  }

  #abort(): void {
    this.#serverEnded?.abort();
    this.#requests.end();
  }

  #answer(item: ToClient): void {
    if ("bytes" in item) this.acks.push(decodeControl(item.bytes) ?? "");
    else if (item.status === grpcStatus.ok) this.acks.end();
    else this.acks.end(new StreamError(item.status, item.message));
  }
}

/** The transport of an agent; call what it returns as the agent's process. */
export function createSimulatedTransport(parts: StreamParts): OpenStream {
  const { kernel, outside, random } = parts;
  return async function* open(requests, signal) {
    const { owner } = kernel;
    await new Promise<void>(
      (resolve) => void kernel.after(random.wait(outside.trouble.wayMs), resolve, { owner }),
    );
    const machine = parts.findMachine();
    const listener = machine.findListener(parts.port);
    const { handler } = listener ?? {};
    if (listener === undefined || handler === undefined || random.chance(outside.trouble.losesRequest))
      throw new StreamError(grpcStatus.unavailable, "No connection established");
    const stream = new Stream(parts, listener, handler);
    machine.onEnd((how) => stream.serverGone(how));
    machine.onBreak?.(() => stream.break());
    parts.onEnd((how) => stream.clientGone(how));
    const stop = (): void => {
      stream.finish("aborted");
      stream.acks.end(new StreamError(grpcStatus.cancelled, "The stream was aborted"));
    };
    signal.addEventListener("abort", stop, { once: true });
    void (async () => {
      for await (const message of requests) stream.send(message);
      stream.finish("normal");
    })();
    yield* stream.acks;
  };
}

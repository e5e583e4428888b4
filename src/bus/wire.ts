/** The bus over a wire that only carries bytes. */
import { z } from "zod";
import {
  type AskOptions,
  type Bus,
  type BusAnswer,
  type BusAnswerer,
  type BusListener,
  assertTopic,
  MAX_MESSAGE_BYTES,
} from "./bus.ts";

/** An adapter's transport: bytes to all others under a name, at most once. */
export interface Wire {
  readonly isConnected: boolean;
  /** Drops the bytes while the wire is cut. */
  send(name: string, bytes: Uint8Array): void;
  listen(name: string, listener: (bytes: Uint8Array) => void): () => void;
  onConnection(listener: (isConnected: boolean) => void): () => void;
  close(): Promise<void>;
}

export interface BusOptions {
  readonly node: string;
  readonly wire: Wire;
  /** Called for unreadable messages, and for listeners and responders that throw. */
  readonly onFailure: (topic: string, error: unknown) => void;
}

/** A message as it travels; `ask` marks a question, and names it. */
const envelopeSchema = z.object({
  // Part of a reply subject: NATS closes the connection of a sender whose subject is too long.
  from: z.string().regex(/^[\w-]{1,100}$/u),
  body: z.unknown().optional(),
  ask: z.number().optional(),
});
type Envelope = z.infer<typeof envelopeSchema>;

/** A reply without `answer` says that none will come. */
const replySchema = z.object({ ask: z.number(), answer: z.unknown().optional() });

interface Asking {
  readonly came: BusAnswer[];
  /** Names of those that have not answered yet. */
  readonly waiting: Set<string>;
  finish(): void;
}

function encode(envelope: Envelope): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(envelope));
  if (bytes.byteLength > MAX_MESSAGE_BYTES)
    throw new RangeError(`A message of ${bytes.byteLength} bytes is too large for the bus. Split it`);
  return bytes;
}

class WireBus implements Bus {
  readonly node: string;
  readonly isShared = true;
  readonly #wire: Wire;
  readonly #onFailure: BusOptions["onFailure"];
  readonly #asking = new Map<number, Asking>();
  #asked = 0;

  constructor({ node, wire, onFailure }: BusOptions) {
    this.node = node;
    this.#wire = wire;
    this.#onFailure = onFailure;
    this.#listen(`reply.${node}`, (envelope) => this.#takeReply(envelope));
  }

  get isConnected(): boolean {
    return this.#wire.isConnected;
  }

  publish(topic: string, message: unknown): void {
    assertTopic(topic);
    this.#wire.send(`topic.${topic}`, encode({ from: this.node, body: message }));
  }

  subscribe(topic: string, listener: BusListener): () => void {
    assertTopic(topic);
    return this.#listen(`topic.${topic}`, ({ body, from }) => listener(body, from));
  }

  async ask(topic: string, question: unknown, { timeoutMs, nodes }: AskOptions): Promise<BusAnswer[]> {
    assertTopic(topic);
    if (!this.isConnected || nodes.length === 0) return [];
    this.#asked += 1;
    const ask = this.#asked;
    const bytes = encode({ from: this.node, body: question, ask });
    return new Promise((resolve) => {
      const came: BusAnswer[] = [];
      const finish = (): void => {
        clearTimeout(timer);
        this.#asking.delete(ask);
        resolve(came);
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#asking.set(ask, { came, waiting: new Set(nodes), finish });
      this.#wire.send(`ask.${topic}`, bytes);
    });
  }

  answer(topic: string, answerer: BusAnswerer): () => void {
    assertTopic(topic);
    return this.#listen(`ask.${topic}`, (envelope) => {
      void this.#reply(topic, { envelope, answerer });
    });
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    return this.#wire.onConnection(listener);
  }

  async check(): Promise<void> {
    if (!this.isConnected) throw new Error("The bus (NATS_URL) cannot be reached");
  }

  close(): Promise<void> {
    for (const { finish } of this.#asking.values()) finish();
    return this.#wire.close();
  }

  #listen(name: string, listener: (envelope: Envelope) => void): () => void {
    return this.#wire.listen(name, (bytes) => {
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        listener(envelopeSchema.parse(JSON.parse(text)));
      } catch (error) {
        this.#onFailure(name, error);
      }
    });
  }

  async #reply(topic: string, call: { envelope: Envelope; answerer: BusAnswerer }): Promise<void> {
    const { body, from, ask } = call.envelope;
    const send = (answer: unknown): void =>
      this.#wire.send(`reply.${from}`, encode({ from: this.node, body: { ask, answer } }));
    try {
      send(await call.answerer(body, from));
    } catch (error) {
      this.#onFailure(topic, error);
      send(undefined);
    }
  }

  #takeReply({ body, from }: Envelope): void {
    const { ask, answer } = replySchema.parse(body);
    const asking = this.#asking.get(ask);
    if (asking === undefined) return; // too late
    if (answer !== undefined) asking.came.push({ from, answer });
    asking.waiting.delete(from);
    if (asking.waiting.size === 0) asking.finish();
  }
}

/** Creates a bus over a wire. */
export function createWireBus(options: BusOptions): Bus {
  return new WireBus(options);
}

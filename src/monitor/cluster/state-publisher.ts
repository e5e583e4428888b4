/** Publishes the states of a node's servers to the others: changes at once or gathered, everything when asked. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import { type Published, toSampleDelta } from "./sample-delta.ts";
import { type ServerStateMessage, topics } from "./schema.ts";

/** Samples are gathered for this long and sent together. */
const GATHER_MS = 500;
/** Delay of changed states and owners, and of the next message when one was not enough. */
const SOON_MS = 20;
/** Approximate characters per message; one more sample of 64 KiB in its worst encoding stays below the bus limit. */
const CHUNK_CHARS = 96_000;
/** Approximate characters of a server without the text of its sample. */
const SERVER_CHARS = 350;
/** A sample not published whole for this long is repeated whole. */
const STALE_MS = 20_000;

/** Runs `work` after `ms`; returns the function that cancels it. */
export type Defer = (work: () => void, ms: number) => () => void;

/** Who owns a server's stream, as far as this node knows, and what this node has published about the server. */
export interface Ownership {
  readonly n: number;
  readonly node: string;
  /** Whether the stream of another node is open. */
  readonly isOpen: boolean;
  published?: (Published & { readonly state: string; readonly isOpen: boolean }) | undefined;
}

export interface StatePublisherDeps {
  readonly bus: Pick<Bus, "node" | "isConnected" | "publish">;
  readonly clock: Clock;
  readonly live: Pick<Live, "get">;
  readonly registry: Pick<AgentRegistry, "isOpen">;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly ownerships: ReadonlyMap<string, Ownership>;
  /** Whether anybody receives. */
  readonly hasPeers: () => boolean;
  readonly defer: Defer;
}

export class StatePublisher {
  readonly #deps: StatePublisherDeps;
  readonly #changed = new Set<string>();
  /** Servers to publish whole, even if peers should know them. */
  readonly #whole = new Set<string>();
  #onFlushed: (() => void)[] = [];
  #timer: { readonly isSoon: boolean; cancel(): void } | undefined;
  #isClosed = false;

  constructor(deps: StatePublisherDeps) {
    this.#deps = deps;
  }

  /** A server changed. A new state or owner is published at once, anything else within half a second. */
  touch(serverId: string): void {
    this.#changed.add(serverId);
    const published = this.#deps.ownerships.get(serverId)?.published;
    const isSoon =
      published === undefined ||
      published.state !== this.#deps.live.get(serverId).state ||
      published.isOpen !== this.#deps.registry.isOpen(serverId);
    this.#schedule(isSoon);
  }

  /** Publishes an unchanged server again, if it is this node's. */
  repeat(serverId: string): void {
    const ownership = this.#deps.ownerships.get(serverId);
    if (ownership?.node !== this.#deps.bus.node) return;
    const { fullMs = -Infinity } = ownership.published ?? {};
    (this.#deps.clock.monotonic() - fullMs >= STALE_MS ? this.#whole : this.#changed).add(serverId);
    this.#schedule(false);
  }

  /** Publishes every server of this node, over several messages; resolves when all have left. */
  publishAll(): Promise<void> {
    for (const [id, { node }] of this.#deps.ownerships) if (node === this.#deps.bus.node) this.#whole.add(id);
    this.#schedule(true);
    return new Promise((resolve) => {
      this.#onFlushed.push(resolve);
    });
  }

  /** Sends one message of what waits; true when more waits. */
  flush(): boolean {
    // Without peers nothing is kept: a node that joins asks for everything.
    if (!this.#deps.hasPeers()) {
      this.#changed.clear();
      this.#whole.clear();
    }
    if (!this.#deps.bus.isConnected) return false;
    const servers: ServerStateMessage[] = [];
    let chars = 0;
    for (const ids of [this.#changed, this.#whole])
      for (const id of ids) {
        if (chars >= CHUNK_CHARS) break;
        this.#changed.delete(id);
        const server = this.#encode(id, this.#whole.delete(id));
        if (server === undefined) continue;
        servers.push(server);
        chars += SERVER_CHARS + (server.sample?.text?.length ?? 0) + (server.sample?.details?.length ?? 0);
      }
    if (servers.length > 0) this.#deps.bus.publish(topics.states, { servers });
    if (this.#whole.size === 0) for (const resolve of this.#onFlushed.splice(0)) resolve();
    return this.#changed.size + this.#whole.size > 0;
  }

  forget(serverId: string): void {
    this.#changed.delete(serverId);
    this.#whole.delete(serverId);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #schedule(isSoon: boolean): void {
    if (this.#isClosed || (this.#timer !== undefined && (this.#timer.isSoon || !isSoon))) return;
    this.#timer?.cancel();
    const work = (): void => {
      this.#timer = undefined;
      if (this.flush()) this.#schedule(true);
    };
    this.#timer = { isSoon, cancel: this.#deps.defer(work, isSoon ? SOON_MS : GATHER_MS) };
  }

  #encode(id: string, isFull: boolean): ServerStateMessage | undefined {
    const { live, registry, clock, bus, findRecord, ownerships } = this.#deps;
    const record = findRecord(id);
    if (record === undefined) return undefined;
    const ownership = ownerships.get(id);
    const own = ownership?.node === bus.node ? ownership : undefined;
    const server = live.get(id);
    const isOpen = own !== undefined && registry.isOpen(id);
    const before = own?.published;
    const { sample, published } = toSampleDelta(server, { before, isFull, nowMs: clock.monotonic() });
    if (own !== undefined) own.published = { ...published, state: server.state, isOpen };
    return {
      id,
      made: record.createdAt,
      n: own?.n ?? 0,
      open: isOpen,
      state: server.state,
      since: server.stateSince,
      last: server.lastSeenAt,
      stored: server.reportsStored,
      ...(server.duplicateAgent ? { twice: true } : {}),
      sample,
    };
  }
}

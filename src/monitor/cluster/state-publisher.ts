/** Publishes the states of a node's servers to the others: changes at once or gathered, everything when asked. */
import type { Bus } from "../../bus/bus.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Live, ReportSilence } from "../fleet/live.ts";
import type { ServerRecord } from "../base/schema.ts";
import { toSampleMessage } from "./sample-message.ts";
import { type ServerStateMessage, topics } from "./schema.ts";

/** Samples are gathered for this long and sent together. */
const GATHER_MS = 500;
/** Delay of changed states and owners, and of the next message when one was not enough. */
const SOON_MS = 20;
/** Approximate characters per message; one more sample of 64 KiB in its worst encoding stays below the bus limit. */
const CHUNK_CHARS = 96_000;
/** Approximate characters of a server without the texts of its sample. */
const SERVER_CHARS = 350;

/** Runs `work` after `ms`; returns the function that cancels it. */
export type Defer = (work: () => void, ms: number) => () => void;

/** The owner of a server's stream, as far as this node knows, and what this node has published about the server. */
export interface Ownership {
  readonly n: number;
  readonly node: string;
  /** Whether the stream of another node is open. */
  readonly isOpen: boolean;
  published?: { readonly state: string; readonly isOpen: boolean; readonly latest: unknown };
}

/** Shared by the publisher and the receiver of states. */
export interface StateDeps {
  readonly bus: Pick<Bus, "node" | "isConnected" | "publish">;
  readonly live: Live;
  readonly registry: AgentRegistry;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly ownerships: Map<string, Ownership>;
}

export interface StatePublisherDeps extends StateDeps {
  /** Whether there are receivers. */
  readonly hasPeers: () => boolean;
  readonly defer: Defer;
}

function toSilenceText(silence: ReportSilence): string {
  return silence.kind === "missing" ? "" : silence.reason;
}

export class StatePublisher {
  readonly #deps: StatePublisherDeps;
  /** Ids of servers to publish, and whether in full, even if peers should know them. */
  readonly #waiting = new Map<string, boolean>();
  #onFlushed: (() => void)[] = [];
  #timer: { readonly isSoon: boolean; cancel(): void } | undefined;
  #isClosed = false;

  constructor(deps: StatePublisherDeps) {
    this.#deps = deps;
  }

  /** A server changed. A new state or owner is published at once, anything else within half a second. */
  touch(serverId: string): void {
    const { ownerships, live, registry } = this.#deps;
    this.#waiting.set(serverId, this.#waiting.get(serverId) ?? false);
    const { state, isOpen } = ownerships.get(serverId)?.published ?? {};
    this.#schedule(state !== live.get(serverId).state || isOpen !== registry.isOpen(serverId));
  }

  /** Publishes an unchanged server again, if it is this node's. */
  repeat(serverId: string): void {
    if (this.#deps.ownerships.get(serverId)?.node !== this.#deps.bus.node) return;
    this.#waiting.set(serverId, true);
    this.#schedule(false);
  }

  /** Publishes every server of this node, over several messages; resolves when all have left. */
  publishAll(): Promise<void> {
    for (const id of this.#deps.ownerships.keys()) this.repeat(id);
    this.#schedule(true);
    return new Promise((resolve) => {
      this.#onFlushed.push(resolve);
    });
  }

  /** Sends one message of what waits; true when more waits. */
  flush(): boolean {
    const { bus, hasPeers } = this.#deps;
    // Without peers nothing is kept: a node that joins asks for everything.
    if (!hasPeers()) this.#waiting.clear();
    if (!bus.isConnected) return false;
    const servers: ServerStateMessage[] = [];
    let chars = 0;
    for (const [id, isFull] of this.#waiting) {
      if (chars >= CHUNK_CHARS) break;
      this.#waiting.delete(id);
      const server = this.#encode(id, isFull);
      if (server === undefined) continue;
      servers.push(server);
      chars += SERVER_CHARS + (server.sample?.text.length ?? 0) + (server.sample?.details?.length ?? 0);
    }
    if (servers.length > 0) bus.publish(topics.states, { servers });
    if (this.#waiting.size === 0) for (const resolve of this.#onFlushed.splice(0)) resolve();
    return this.#waiting.size > 0;
  }

  forget(serverId: string): void {
    this.#waiting.delete(serverId);
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
    const { live, registry, bus, findRecord, ownerships } = this.#deps;
    const record = findRecord(id);
    if (record === undefined) return undefined;
    const ownership = ownerships.get(id);
    const own = ownership?.node === bus.node ? ownership : undefined;
    const server = live.get(id);
    const { state, latest } = server;
    const isOpen = own !== undefined && registry.isOpen(id);
    const { published } = own ?? {};
    const isKnown = !isFull && published !== undefined && published.latest === latest;
    if (own !== undefined) own.published = { state, isOpen, latest };
    return {
      id,
      made: record.createdAt,
      n: own?.n ?? 0,
      open: isOpen,
      state,
      since: server.stateSince,
      last: server.lastSeenAt,
      stored: server.reportsStored,
      ...(server.duplicateAgent ? { twice: true } : {}),
      ...(server.silence === undefined ? {} : { silence: toSilenceText(server.silence) }),
      sample: isKnown ? undefined : toSampleMessage(server, isFull || published === undefined),
    };
  }
}

/** Publishes server states to the other nodes: changes at once or gathered, everything from time to time. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import type { Ownership } from "./claims.ts";
import { type ServerStateMessage, topics } from "./schema.ts";
import { toSampleDelta } from "./sample-delta.ts";

/** Samples are gathered for this long and sent together. */
const GATHER_MS = 500;
/** Delay of changed states and claims, and of the next message when one was not enough. */
const SOON_MS = 20;
/** Approximate characters per message; one more sample of 64 KiB in its worst encoding stays below the bus limit. */
const CHUNK_CHARS = 96_000;
/** Approximate characters of a server without the text of its sample. */
const SERVER_CHARS = 350;
/** A sample not published whole for this long is repeated whole. */
const STALE_MS = 20_000;
/** When the successor has not repeated a dead node's server for this long, any node that knows it does. */
const UNREPEATED_MS = 45_000;
/** Minimum time between two answers about the same server of a dead node. */
const ANSWER_MS = 1_000;

/** Runs `work` after `ms`; returns the function that cancels it. */
export type Defer = (work: () => void, ms: number) => () => void;

export interface StatePublisherDeps {
  readonly bus: Pick<Bus, "node" | "isConnected" | "publish">;
  readonly clock: Clock;
  readonly live: Pick<Live, "get">;
  readonly registry: Pick<AgentRegistry, "isOpen">;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly ownerships: ReadonlyMap<string, Ownership>;
  /** Whether this node may publish what a node owns: its own servers, and those of dead nodes. */
  readonly mayPublish: (node: string) => boolean;
  /** Whether this node is the one that repeats the state of dead nodes. */
  readonly isSuccessor: () => boolean;
  /** Whether anybody receives. */
  readonly hasPeers: () => boolean;
  /** Called when everything has been published. */
  readonly onAllPublished: () => void;
  readonly defer: Defer;
}

export class StatePublisher {
  readonly #deps: StatePublisherDeps;
  readonly #changed = new Set<string>();
  /** Servers to publish whole, even if peers should know them. */
  readonly #whole = new Set<string>();
  #isPublishingAll = false;
  #timer: { readonly isSoon: boolean; cancel(): void } | undefined;
  #isClosed = false;

  constructor(deps: StatePublisherDeps) {
    this.#deps = deps;
  }

  /** A server changed. A new state or claim is published at once, anything else within half a second. */
  touch(serverId: string): void {
    this.#changed.add(serverId);
    const published = this.#deps.ownerships.get(serverId)?.published;
    const isSoon =
      published === undefined ||
      published.state !== this.#deps.live.get(serverId).state ||
      published.isOpen !== this.#deps.registry.isOpen(serverId);
    this.#schedule(isSoon);
  }

  /** Publishes a server at once. */
  publish(serverId: string): void {
    const { bus, hasPeers } = this.#deps;
    if (this.#isClosed || !bus.isConnected || !hasPeers()) return;
    this.#changed.delete(serverId);
    const server = this.#encode(serverId, false);
    if (server !== undefined) bus.publish(topics.servers, { servers: [server] });
  }

  /** Publishes a dead node's server because a peer does not know it. */
  answer(serverId: string): void {
    const published = this.#deps.ownerships.get(serverId)?.published;
    if (published !== undefined && this.#deps.clock.monotonic() - published.fullMs < ANSWER_MS) return;
    this.#whole.add(serverId);
    this.#schedule(true);
  }

  /** Publishes an unchanged server, if this node is the one to repeat it. */
  repeat(serverId: string): void {
    const ownership = this.#deps.ownerships.get(serverId);
    if (ownership === undefined || !this.#repeats(ownership)) return;
    const { published } = ownership;
    const isStale = published === undefined || this.#deps.clock.monotonic() - published.fullMs >= STALE_MS;
    (isStale ? this.#whole : this.#changed).add(serverId);
    this.#schedule(false);
  }

  /** Publishes every server, over several messages. */
  publishAll(): void {
    for (const id of this.#deps.ownerships.keys()) this.#whole.add(id);
    this.#isPublishingAll = true;
    this.#schedule(true);
  }

  /** Sends one message of what waits; true when more waits. */
  flush(): boolean {
    // Without peers nothing is kept: a node that joins gets everything.
    if (!this.#deps.hasPeers()) {
      this.#changed.clear();
      this.#whole.clear();
    }
    if (!this.#deps.bus.isConnected) return false;
    const servers: ServerStateMessage[] = [];
    let chars = 0;
    for (const [ids, isWhole] of [[this.#changed, false] as const, [this.#whole, true] as const]) {
      for (const id of ids) {
        if (chars >= CHUNK_CHARS) break;
        ids.delete(id);
        if (isWhole) this.#changed.delete(id);
        const server = this.#encode(id, isWhole);
        if (server === undefined) continue;
        servers.push(server);
        chars += SERVER_CHARS + (server.sample?.text?.length ?? 0) + (server.sample?.details?.length ?? 0);
      }
    }
    if (servers.length > 0) this.#deps.bus.publish(topics.servers, { servers });
    if (this.#isPublishingAll && this.#whole.size === 0) {
      this.#isPublishingAll = false;
      this.#deps.onAllPublished();
    }
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

  /** The successor may not know a dead node's server, or believe that node alive: then others repeat it. */
  #repeats({ claim, repeatedMs = -Infinity }: Ownership): boolean {
    const { bus, mayPublish, isSuccessor, clock } = this.#deps;
    if (claim.node === bus.node) return true;
    return mayPublish(claim.node) && (isSuccessor() || clock.monotonic() - repeatedMs >= UNREPEATED_MS);
  }

  /** The message about a server; undefined when another node owns it and nothing arrived here for it. */
  #encode(id: string, isWhole: boolean): ServerStateMessage | undefined {
    const { live, registry, clock, bus } = this.#deps;
    const ownership = this.#deps.ownerships.get(id);
    const record = this.#deps.findRecord(id);
    if (ownership === undefined || record === undefined) return undefined;
    const { claim } = ownership;
    const isMine = this.#deps.mayPublish(claim.node);
    // A report that arrived here after another node took the stream is published once.
    if (!isMine && isWhole) return undefined;
    const server = live.get(id);
    const isOpen = claim.node === bus.node && registry.isOpen(id);
    const { sample, published } = toSampleDelta(server, {
      published: isMine ? ownership.published : undefined,
      // The next owner of a dead node's server may have missed earlier messages.
      isFull: isWhole || claim.node !== bus.node,
      nowMs: clock.monotonic(),
    });
    if (isMine) ownership.published = { ...published, state: server.state, isOpen };
    return {
      id,
      made: record.createdAt,
      n: claim.n,
      ...(claim.seenAt === 0 ? {} : { seen: claim.seenAt }),
      ...(claim.node === bus.node ? {} : { holder: claim.node }),
      open: isOpen,
      state: server.state,
      since: server.stateSince,
      ...(server.lastSeenAt === undefined ? {} : { last: server.lastSeenAt }),
      stored: server.reportsStored,
      ...(server.duplicateAgent ? { twice: true } : {}),
      ...(sample === undefined ? {} : { sample }),
    };
  }
}

/** Creates a publisher with nothing to publish. */
export function createStatePublisher(deps: StatePublisherDeps): StatePublisher {
  return new StatePublisher(deps);
}

/** Tells other nodes of servers: what changed, and now and then everything. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import type { Holding } from "./claims.ts";
import { type ToldServer, topics } from "./schema.ts";
import { tellSample } from "./sample-delta.ts";

/** Samples that arrive within this time leave together. */
const GATHER_MS = 500;
/** Changed states and claims, and what is left of a large telling, leave after this. */
const SOON_MS = 20;
/** Characters of a message, about; one more sample of 64 KiB in its worst encoding stays below the bus's limit. */
const CHUNK_CHARS = 96_000;
/** What a server takes in a message beside the text of its sample, about. */
const SERVER_CHARS = 350;
/** A sample that was not told as a whole for this long is repeated as a whole. */
const STALE_MS = 20_000;
/** What a dead node left is repeated by whoever knows it when the node that is to has not told of it for so long. */
const UNSPOKEN_MS = 45_000;
/** Who does not know what a dead node left is answered at most this often for each server. */
const ANSWER_MS = 1_000;

/** Runs `work` after so many milliseconds; returns what prevents it. */
export type Defer = (work: () => void, ms: number) => () => void;

export interface TellerDeps {
  readonly bus: Pick<Bus, "node" | "isConnected" | "publish">;
  readonly clock: Clock;
  readonly live: Pick<Live, "get">;
  readonly registry: Pick<AgentRegistry, "isOpen">;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
  readonly holdings: ReadonlyMap<string, Holding>;
  /** Whether this node may tell of what a node has or had: its own, and what dead nodes left. */
  readonly tellsOf: (node: string) => boolean;
  /** Whether this node is the one that repeats what the dead left. */
  readonly isHeir: () => boolean;
  /** Whether anybody listens. */
  readonly hasPeers: () => boolean;
  /** Called when everything was told. */
  readonly onAllTold: () => void;
  readonly defer: Defer;
}

export interface Teller {
  /** A server changed: others hear of it within half a second, of a changed state or claim at once. */
  touch(serverId: string): void;
  /** Tells of a server at once. */
  tell(serverId: string): void;
  /** Tells of what a dead node left, because another node does not know it. */
  answer(serverId: string): void;
  /** Tells of a server even if nothing changed, when it is this node's to repeat. */
  repeat(serverId: string): void;
  /** Tells of every server, over several messages. */
  tellAll(): void;
  /** Sends one message of what waits; true when more waits. */
  flush(): boolean;
  forget(serverId: string): void;
  close(): void;
}

class ServerTeller implements Teller {
  readonly #deps: TellerDeps;
  readonly #changed = new Set<string>();
  /** Of these all is told, also what others should know. */
  readonly #whole = new Set<string>();
  #isTellingAll = false;
  #timer: { readonly isSoon: boolean; cancel(): void } | undefined;
  #isClosed = false;

  constructor(deps: TellerDeps) {
    this.#deps = deps;
  }

  touch(serverId: string): void {
    this.#changed.add(serverId);
    const told = this.#deps.holdings.get(serverId)?.told;
    const isSoon =
      told === undefined ||
      told.state !== this.#deps.live.get(serverId).state ||
      told.isOpen !== this.#deps.registry.isOpen(serverId);
    this.#schedule(isSoon);
  }

  tell(serverId: string): void {
    const { bus, hasPeers } = this.#deps;
    if (this.#isClosed || !bus.isConnected || !hasPeers()) return;
    this.#changed.delete(serverId);
    const server = this.#encode(serverId, false);
    if (server !== undefined) bus.publish(topics.servers, { servers: [server] });
  }

  answer(serverId: string): void {
    const told = this.#deps.holdings.get(serverId)?.told;
    if (told !== undefined && this.#deps.clock.monotonic() - told.fullMs < ANSWER_MS) return;
    this.#whole.add(serverId);
    this.#schedule(true);
  }

  repeat(serverId: string): void {
    const holding = this.#deps.holdings.get(serverId);
    if (holding === undefined || !this.#repeats(holding)) return;
    const { told } = holding;
    const isStale = told === undefined || this.#deps.clock.monotonic() - told.fullMs >= STALE_MS;
    (isStale ? this.#whole : this.#changed).add(serverId);
    this.#schedule(false);
  }

  tellAll(): void {
    for (const id of this.#deps.holdings.keys()) this.#whole.add(id);
    this.#isTellingAll = true;
    this.#schedule(true);
  }

  flush(): boolean {
    // A node that comes, or comes back, is told everything.
    if (!this.#deps.hasPeers()) {
      this.#changed.clear();
      this.#whole.clear();
    }
    if (!this.#deps.bus.isConnected) return false;
    const servers: ToldServer[] = [];
    let chars = 0;
    for (const [ids, isWhole] of [[this.#changed, false] as const, [this.#whole, true] as const]) {
      for (const id of ids) {
        if (chars >= CHUNK_CHARS) break;
        ids.delete(id);
        if (isWhole) this.#changed.delete(id);
        const server = this.#encode(id, isWhole);
        if (server === undefined) continue;
        servers.push(server);
        chars += SERVER_CHARS + (server.sample?.text?.length ?? 0);
      }
    }
    if (servers.length > 0) this.#deps.bus.publish(topics.servers, { servers });
    if (this.#isTellingAll && this.#whole.size === 0) {
      this.#isTellingAll = false;
      this.#deps.onAllTold();
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

  /** The heir may not know what a dead node left, or take that node for alive: then others go on telling it. */
  #repeats({ claim, spokenMs = -Infinity }: Holding): boolean {
    const { bus, tellsOf, isHeir, clock } = this.#deps;
    if (claim.node === bus.node) return true;
    return tellsOf(claim.node) && (isHeir() || clock.monotonic() - spokenMs >= UNSPOKEN_MS);
  }

  /** What is told of a server; undefined when it is not this node's to tell of, and nothing came here for it. */
  #encode(id: string, isWhole: boolean): ToldServer | undefined {
    const { live, registry, clock, bus } = this.#deps;
    const holding = this.#deps.holdings.get(id);
    const record = this.#deps.findRecord(id);
    if (holding === undefined || record === undefined) return undefined;
    const { claim } = holding;
    const isMine = this.#deps.tellsOf(claim.node);
    // A report that was still on its way here when another node got the stream is told once.
    if (!isMine && isWhole) return undefined;
    const server = live.get(id);
    const isOpen = claim.node === bus.node && registry.isOpen(id);
    const { sample, told } = tellSample(server.latest, {
      told: isMine ? holding.told : undefined,
      // Of the dead: who takes it now may have passed over what was told before.
      isFull: isWhole || claim.node !== bus.node,
      nowMs: clock.monotonic(),
    });
    if (isMine) holding.told = { ...told, state: server.state, isOpen };
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

/** Makes a teller with nothing to tell. */
export function createTeller(deps: TellerDeps): Teller {
  return new ServerTeller(deps);
}

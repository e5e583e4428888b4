/** The nodes that serve one monitor: who is alive, who owns which server, and what the others know of theirs. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import { NodeLeases } from "../../records/node-leases.ts";
import { GrpcError, grpcStatus } from "../../runtime/runtime.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Store } from "../../store/store.ts";
import type { AgentRegistry, StreamClaim } from "../ingest/agent-registry.ts";
import type { Live } from "../fleet/live.ts";
import { owners } from "../base/records.ts";
import { type ServerRecord, toStreamId } from "../base/schema.ts";
import { type ManagedLease, createLeaderLease, own, soleLease } from "./leader-lease.ts";
import { statesMessageSchema, topics } from "./schema.ts";
import { type Defer, type Ownership, StatePublisher } from "./state-publisher.ts";
import { createStateReceiver } from "./state-receiver.ts";

/** A node whose clock jumped this far between two ticks was suspended and missed messages. */
const STALL_MS = 3_000;
/** Each server is published again within this many ticks, which repairs lost messages. */
const CYCLE_TICKS = 30;
/** After the bus reconnects, states from peers are not trusted for this long. */
const SETTLE_MS = 2_000;
/** A peer publishes every second; one that was not heard for so long may have what this node does not know. */
const HEARD_MS = 5_000;
/** While a peer is not heard, the leader reads from the store this often which servers it has taken. */
const READ_MS = 2_000;
/** How long a start waits for the bus, in steps, and for what the others know. */
const BUS_STEPS = 50;
const BUS_STEP_MS = 20;
const EVERYTHING_MS = 1_500;
/** The leader looks for servers without an owner when a node comes or goes, and this often. */
const LOOK_MS = 60_000;
/** Servers that the leader takes over in one transaction. */
const BATCH = 100;

export interface NodesDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly live: Live;
  readonly registry: AgentRegistry;
  readonly directory: {
    findRecord(serverId: string): ServerRecord | undefined;
    records(): readonly ServerRecord[];
  };
  /** Called when a peer changed records or settings. */
  readonly onChangeSignal: () => void;
  readonly defer?: Defer;
}

const deferByTimer: Defer = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/** The nodes of a monitor. A process that runs alone has no peers and is always the leader. */
export class Nodes {
  readonly #deps: NodesDeps;
  readonly #leases: NodeLeases;
  readonly #ownerships = new Map<string, Ownership>();
  readonly #publisher: StatePublisher;
  readonly #receiver: ReturnType<typeof createStateReceiver>;
  readonly #unsubscribe: (() => void)[] = [];
  /** The leader's: one node does what must be done once. */
  readonly lease: ManagedLease;
  /** Set while a peer's states are applied, so that they are not published back. */
  #isReceiving = false;
  #tickedMs: number;
  #connectedMs = -Infinity;
  /** When each peer was last heard on the bus, monotonic milliseconds. */
  readonly #heardMs = new Map<string, number>();
  /** When the owners in the store were last read, monotonic milliseconds. */
  #readMs = -Infinity;
  #cycle: Iterator<string, undefined> | undefined;
  /** The living nodes when the leader last looked for servers without an owner, and when that was. */
  #looked = { nodes: "", ms: -Infinity };
  #isClosed = false;

  constructor(deps: NodesDeps) {
    this.#deps = deps;
    const { bus, clock, live, registry, directory, log, defer = deferByTimer } = deps;
    this.#tickedMs = clock.monotonic();
    const leases = new NodeLeases(deps);
    this.#leases = leases;
    this.lease = bus.isShared ? createLeaderLease({ ...deps, leases }) : soleLease;
    const ownerships = this.#ownerships;
    const findRecord = (id: string): ServerRecord | undefined => directory.findRecord(id);
    const shared = { bus, live, registry, ownerships, findRecord };
    this.#publisher = new StatePublisher({ ...shared, hasPeers: () => this.peers().length > 0, defer });
    this.#receiver = createStateReceiver({
      ...shared,
      isAlive: (node) => this.#isAlive(node),
      touch: (id) => this.#publisher.touch(id),
      reclaim: (id) => {
        this.claim(id).catch((error: unknown) =>
          log.warn("The ownership of a stream could not be claimed yet", { error }),
        );
      },
      onUnknown: () => deps.onChangeSignal(),
    });
  }

  /** Whether there can be other nodes. */
  get isShared(): boolean {
    return this.#deps.bus.isShared;
  }

  /** Whether messages reach other nodes right now. */
  get isConnected(): boolean {
    return this.#deps.bus.isConnected;
  }

  /** Whether this node holds the leader lease: alerts, notifications and uptime minutes are the leader's work. */
  get isLeader(): boolean {
    return this.lease.term !== undefined;
  }

  /** Names of the peers that are alive: by their leases, or heard, as those are that the store is cut off from. */
  peers(): readonly string[] {
    return [...new Set([...this.#leases.list(), ...this.#heardMs.keys()])].filter((node) =>
      this.#isAlive(node),
    );
  }

  /** Names of the peers that answer: those whose messages arrive. */
  reachable(): readonly string[] {
    return this.peers().filter((node) => this.#wasHeard(node) || this.#leases.isReachable(node));
  }

  /** Starts publishing and receiving; call it once, after the state on disk was restored. */
  start(): void {
    if (!this.isShared) return;
    const { bus, live, clock } = this.#deps;
    live.onChange((id) => {
      if (!this.#isReceiving) this.#publisher.touch(id);
    });
    if (bus.isConnected) this.#connectedMs = clock.monotonic();
    this.#unsubscribe.push(
      bus.subscribe(topics.states, (message, from) => {
        const { servers } = statesMessageSchema.parse(message);
        this.#heardMs.set(from, clock.monotonic());
        this.#receive(() => servers.forEach((server) => this.#receiver.take(server, from)));
      }),
      bus.subscribe(topics.records, () => this.#deps.onChangeSignal()),
      bus.answer(topics.everything, async () => {
        // The node that asks may have come a moment ago.
        await this.#leases.tick();
        await this.#publisher.publishAll();
        return true;
      }),
      bus.onConnection((isConnected) => {
        if (isConnected) void this.#catchUp();
      }),
    );
  }

  /** Waits up to a few seconds until this node knows what its peers know; call it before agents are accepted. */
  async join(): Promise<void> {
    if (!this.isShared) return;
    await this.renew().catch(() => undefined);
    for (let step = 0; step < BUS_STEPS && !this.isConnected; step += 1)
      await new Promise((resolve) => setTimeout(resolve, BUS_STEP_MS));
    await this.#catchUp();
    this.#tickedMs = this.#deps.clock.monotonic();
  }

  /** Publishes some servers again; call it every second. */
  tick(): void {
    if (!this.isShared) return;
    const nowMs = this.#deps.clock.monotonic();
    const pausedMs = nowMs - this.#tickedMs;
    this.#tickedMs = nowMs;
    if (pausedMs >= STALL_MS) void this.#catchUp();
    // Peers hear that this node is there, also those that can't read its lease.
    if (this.isConnected) this.#deps.bus.publish(topics.states, { servers: [] });
    for (const [node, ms] of this.#heardMs) if (nowMs - ms >= LOOK_MS) this.#heardMs.delete(node);
    for (let left = Math.ceil(this.#ownerships.size / CYCLE_TICKS); left > 0; left -= 1) {
      this.#cycle ??= this.#ownerships.keys();
      const next = this.#cycle.next();
      if (next.done === true) this.#cycle = undefined;
      else this.#publisher.repeat(next.value);
    }
  }

  /** Renews what this node holds and, as the leader, takes over what dead nodes held; call it every second. Throws what the store throws. */
  async renew(): Promise<void> {
    await this.lease.tick();
    if (!this.isShared) return;
    const nodes = this.isLeader ? this.peers().toSorted().join() : "";
    const nowMs = this.#deps.clock.monotonic();
    if (this.isLeader && !this.#hearsAll() && nowMs - this.#readMs >= READ_MS) await this.#readOwners();
    if (!this.isLeader) this.#looked = { nodes, ms: -Infinity };
    else if (nodes !== this.#looked.nodes || nowMs - this.#looked.ms >= LOOK_MS) {
      await this.#takeOver();
      this.#looked = { nodes, ms: nowMs };
    }
  }

  /** Publishes now what would leave within half a second; true when more waits. */
  flush(): boolean {
    return this.#publisher.flush();
  }

  /** Signals other nodes to read records and settings at once. */
  signalChange(): void {
    this.#deps.bus.publish(topics.records, {});
  }

  /** Call after the records were read again. */
  recordsChanged(): void {
    this.#receive(() => this.#receiver.retry());
  }

  /**
   * Whether this node may judge a server: its stream is here, or what its owner says arrives, and no peer can have taken
   * the server unnoticed.
   */
  canJudge(serverId: string): boolean {
    const { bus, registry, clock } = this.#deps;
    if (!bus.isShared || registry.isOpen(serverId)) return true;
    const { node = bus.node } = this.#ownerships.get(serverId) ?? {};
    const nowMs = clock.monotonic();
    const isHeard = node === bus.node || this.#wasHeard(node);
    const isCurrent = this.#hearsAll() || nowMs - this.#readMs < HEARD_MS;
    return isHeard && isCurrent && bus.isConnected && nowMs - this.#connectedMs >= SETTLE_MS;
  }

  /** Whether messages of a peer arrive: both can be on the bus, and its servers not reach each other. */
  #wasHeard(node: string): boolean {
    return this.#deps.clock.monotonic() - (this.#heardMs.get(node) ?? -Infinity) < HEARD_MS;
  }

  #isAlive(node: string): boolean {
    // One that has left has no lease, and was heard a moment ago.
    const hasLease = this.#leases.findSignMs(node) !== undefined;
    return this.#leases.has(node) || (hasLease && this.#wasHeard(node));
  }

  #hearsAll(): boolean {
    return this.peers().every((node) => this.#wasHeard(node));
  }

  /** Learns which servers peers have taken, from the store instead of the bus. */
  async #readOwners(): Promise<void> {
    const { store, bus, clock, directory } = this.#deps;
    const nowMs = clock.monotonic();
    const all = await store.read((tx) => listEvery(tx, owners, { index: "id" }));
    const stored = new Map(all.map((owner) => [owner.id, owner]));
    for (const { id } of directory.records()) {
      const { node = bus.node, term: n = 0 } = stored.get(toStreamId(id)) ?? {};
      if (node !== bus.node && n > (this.#ownerships.get(id)?.n ?? 0))
        this.#ownerships.set(id, { n, node, isOpen: true });
    }
    this.#readMs = nowMs;
  }

  /**
   * Records this node as the owner of a server's stream in the store. Throws what the store throws, and ABORTED when
   * another node was faster with a later stream.
   */
  async claim(serverId: string): Promise<StreamClaim> {
    if (!this.isShared) return { n: 0, isElsewhere: false };
    const { store, bus } = this.#deps;
    const n = await store.transact((tx) => own(tx, toStreamId(serverId), bus.node));
    const known = this.#ownerships.get(serverId);
    if (known !== undefined && known.n > n)
      throw new GrpcError(grpcStatus.aborted, "Another stream with the same key took over");
    this.#own(serverId, n);
    return { n, isElsewhere: known !== undefined && known.isOpen && this.#isAlive(known.node) };
  }

  drop(serverId: string): void {
    this.#ownerships.delete(serverId);
    this.#publisher.forget(serverId);
  }

  /** Releases the leader lease; call it when this node does no more leader work. Never rejects. */
  async stepDown(): Promise<void> {
    if (!this.isShared) return;
    const warn = (error: unknown): void =>
      this.#deps.log.warn("The leader lease could not be released", { error });
    // The rest of this stop is shorter than a lease.
    await Promise.all([this.lease.release(), this.#leases.renew()]).catch(warn);
  }

  /**
   * Leaves the cluster: releases its leases and publishes what is left. Call it after the last stream has ended and its
   * reports are stored, because nothing later reaches the peers. Never rejects.
   */
  async close(): Promise<void> {
    for (const end of this.#unsubscribe.splice(0)) end();
    if (!this.isShared || this.#isClosed) return;
    this.#isClosed = true;
    while (this.#publisher.flush());
    this.#publisher.close();
    await this.stepDown();
    await this.#leases.release().catch(() => undefined);
  }

  /** This node missed messages: every node publishes everything. */
  async #catchUp(): Promise<void> {
    const { bus, clock } = this.#deps;
    this.#connectedMs = clock.monotonic();
    void this.#publisher.publishAll();
    await bus.ask(topics.everything, {}, { timeoutMs: EVERYTHING_MS, nodes: this.peers() });
  }

  #receive(work: () => void): void {
    this.#isReceiving = true;
    try {
      work();
    } finally {
      this.#isReceiving = false;
    }
  }

  #own(serverId: string, n: number): void {
    this.#ownerships.set(serverId, { n, node: this.#deps.bus.node, isOpen: true });
    this.#publisher.touch(serverId);
  }

  #isLeft(node: string | undefined): boolean {
    return node === undefined || (node !== this.#deps.bus.node && !this.#isAlive(node));
  }

  /** Assigns servers whose owner has died or left to the leader, which decides their state. */
  async #takeOver(): Promise<void> {
    const { store, bus, clock, live, directory } = this.#deps;
    const all = await store.read((tx) => listEvery(tx, owners, { index: "id" }));
    const nodeOf = new Map(all.map(({ id, node }) => [id, node]));
    const left = directory.records().filter(({ id }) => this.#isLeft(nodeOf.get(toStreamId(id))));
    for (let at = 0; at < left.length; at += BATCH) {
      const taken = await store.transact(async (tx) => {
        await this.lease.assert(tx);
        const done: [serverId: string, n: number, node: string | undefined][] = [];
        for (const { id } of left.slice(at, at + BATCH)) {
          const node = (await tx.get(owners, toStreamId(id)))?.node;
          if (this.#isLeft(node)) done.push([id, await own(tx, toStreamId(id), bus.node), node]);
        }
        return done;
      });
      for (const [id, n, node = ""] of taken) {
        if ((this.#ownerships.get(id)?.n ?? 0) > n) continue;
        this.#own(id, n);
        live.adopt(id, this.#leases.findSignMs(node) ?? this.#heardMs.get(node) ?? clock.monotonic());
      }
    }
    live.tick();
    await this.#leases.sweep((node) => !this.#isAlive(node));
  }
}

/** Creates the nodes of a monitor; nothing is published before `start`. */
export function createNodes(deps: NodesDeps): Nodes {
  return new Nodes(deps);
}

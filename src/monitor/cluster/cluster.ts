/** The nodes that serve one monitor: peers, their states and the leader, as seen from this node. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import type { Ownership } from "./claims.ts";
import { type StateReceiver, createStateReceiver } from "./state-receiver.ts";
import type { ManagedLease } from "./leader-lease.ts";
import { type NodeMessage, nodeMessageSchema, serversMessageSchema, topics } from "./schema.ts";
import { type LostPeer, type Peers, createPeers } from "./peers.ts";
import { type Defer, type StatePublisher, createStatePublisher } from "./state-publisher.ts";

/** A node whose clock jumped this far between two ticks stood still and missed messages. */
const STALL_MS = 3_000;
/** Each server is published again within this many ticks, which repairs lost messages. */
const CYCLE_TICKS = 30;
/** After the bus reconnects, states from peers are not trusted for this long. */
const SETTLE_MS = 2_000;
const JOIN_STEP_MS = 20;
/** Steps to wait while joining: for peers to appear, for the bus to connect, for all peers to publish everything. */
const JOIN_STEPS = { peers: 15, bus: 50, all: 150 } as const;
/** Minimum time between two reads of the records when peers know servers that this node does not. */
const REFRESH_MS = 1_000;

export interface NodesDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly lease: ManagedLease;
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
  readonly #peers: Peers;
  readonly #ownerships = new Map<string, Ownership>();
  readonly #publisher: StatePublisher;
  readonly #receiver: StateReceiver;
  readonly #unsubscribe: (() => void)[] = [];
  /** Set while a peer's states are applied, so that they are not published back. */
  #isReceiving = false;
  #asks = 0;
  #tickedMs: number;
  #connectedMs = -Infinity;
  #refreshedMs = -Infinity;
  #cycle: Iterator<string, undefined> | undefined;
  #isClosed = false;

  constructor(deps: NodesDeps) {
    this.#deps = deps;
    const { bus, clock, live, registry, directory, defer = deferByTimer } = deps;
    this.#tickedMs = clock.monotonic();
    this.#peers = createPeers(deps);
    const shared = { live, registry, clock, ownerships: this.#ownerships };
    const findRecord = (id: string): ServerRecord | undefined => directory.findRecord(id);
    this.#publisher = createStatePublisher({
      ...shared,
      bus,
      findRecord,
      mayPublish: (node) => node === bus.node || !this.#peers.has(node),
      isSuccessor: () => this.#isSuccessor(bus.node),
      hasPeers: () => this.#peers.list().length > 0,
      onAllPublished: () => this.#send({ type: "told" }),
      defer,
    });
    this.#receiver = createStateReceiver({
      ...shared,
      node: bus.node,
      findRecord,
      isAlive: (node) => this.#peers.has(node),
      isSuccessor: (node) => this.#isSuccessor(node),
      touch: (id) => this.#publisher.touch(id),
      answer: (id) => this.#publisher.answer(id),
      onUnknown: () => this.#refresh(),
    });
  }

  get #node(): string {
    return this.#deps.bus.node;
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
    return this.#deps.lease.term !== undefined;
  }

  /** Names of the peers that are alive. */
  peers(): readonly string[] {
    return this.#peers.list();
  }

  /** Starts publishing and receiving; call it once, after the state on disk was restored. */
  start(): void {
    if (!this.isShared) return;
    const { bus, live, registry, directory, clock } = this.#deps;
    for (const { id } of directory.records()) {
      const seenAt = live.get(id).lastSeenAt;
      if (seenAt !== undefined)
        this.#ownerships.set(id, {
          claim: { n: 0, seenAt, node: this.#node },
          isOpen: false,
          published: undefined,
        });
    }
    live.onChange((id) => {
      if (!this.#isReceiving) this.#publisher.touch(id);
    });
    registry.share((id) => this.#claim(id));
    if (bus.isConnected) this.#connectedMs = clock.monotonic();
    this.#unsubscribe.push(
      bus.subscribe(topics.nodes, (message, from) => this.#receive(nodeMessageSchema.parse(message), from)),
      bus.subscribe(topics.servers, (message, from) => this.#receiveServers(message, from)),
      bus.subscribe(topics.records, () => this.#deps.onChangeSignal()),
      bus.onConnection((isConnected) => {
        if (isConnected) this.#rejoin();
      }),
    );
  }

  /** Waits up to a few seconds until this node knows what its peers know; call it before agents are accepted. */
  async join(): Promise<void> {
    if (this.isShared) {
      this.#beat();
      for (let step = 0; step < JOIN_STEPS.all; step += 1) {
        if (!this.isConnected && step >= JOIN_STEPS.bus) break;
        if (this.isConnected && step >= JOIN_STEPS.peers && this.#peers.allSynced) break;
        await new Promise((resolve) => setTimeout(resolve, JOIN_STEP_MS));
      }
    }
    this.#tickedMs = this.#deps.clock.monotonic();
  }

  /** Sends a heartbeat and looks for lost peers; call it every second. */
  tick(): void {
    if (!this.isShared) return;
    const { clock, bus } = this.#deps;
    const pausedMs = clock.monotonic() - this.#tickedMs;
    this.#tickedMs = clock.monotonic();
    if (pausedMs >= STALL_MS) this.#rejoin();
    else this.#beat();
    // A node without a bus receives nothing, so silence says nothing about its peers.
    if (bus.isConnected) for (const lost of this.#peers.findLost()) this.#lose(lost);
    this.#repeatSome();
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
    this.#receiveAll(() => this.#receiver.retry());
  }

  /** Whether this node may judge a server: its stream is here, or the bus works. */
  canJudge(serverId: string): boolean {
    const { bus, registry, clock } = this.#deps;
    if (!bus.isShared || registry.isOpen(serverId)) return true;
    return bus.isConnected && clock.monotonic() - this.#connectedMs >= SETTLE_MS;
  }

  /** Publishes a server's stream now, before anything that is published next. */
  announce(serverId: string): void {
    this.#publisher.publish(serverId);
  }

  drop(serverId: string): void {
    this.#ownerships.delete(serverId);
    this.#publisher.forget(serverId);
  }

  /** Releases the leader lease; call it when this node does no more leader work. Never rejects. */
  stepDown(): Promise<void> {
    const { lease, log } = this.#deps;
    return lease
      .release()
      .catch((error: unknown) => log.warn("The leader lease could not be released", { error }));
  }

  /**
   * Leaves the cluster: releases the lease, publishes what is left and says goodbye. Call it after the last stream
   * has ended and its reports are stored, because nothing later reaches the peers. Never rejects.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Peers look for a leader as soon as they get the goodbye.
    await this.stepDown();
    if (this.isShared) {
      while (this.#publisher.flush());
      this.#send({ type: "bye" });
    }
    this.#publisher.close();
    for (const end of this.#unsubscribe) end();
  }

  #send(message: NodeMessage): void {
    this.#deps.bus.publish(topics.nodes, message);
  }

  #beat(): void {
    this.#send({ type: "beat", asks: this.#asks });
  }

  /** This node missed messages: peers get their full timeout again, and every node publishes everything. */
  #rejoin(): void {
    this.#asks += 1;
    this.#connectedMs = this.#deps.clock.monotonic();
    this.#peers.resetSilence();
    this.#beat();
    this.#publisher.publishAll();
  }

  /** The living node with the lowest name repeats the state of dead nodes. */
  #isSuccessor(node: string): boolean {
    return node <= this.#node && this.#peers.list().every((peer) => peer >= node);
  }

  #receive(message: NodeMessage, from: string): void {
    if (message.type === "bye") {
      const left = this.#peers.leave(from);
      if (left !== undefined) this.#lose({ ...left, heardMs: this.#deps.clock.monotonic() });
      return;
    }
    this.#meet(from);
    if (message.type === "told") this.#peers.synced(from);
    else if (this.#peers.asked(from, message.asks)) this.#publisher.publishAll();
  }

  #receiveServers(message: unknown, from: string): void {
    this.#meet(from);
    const { servers } = serversMessageSchema.parse(message);
    this.#receiveAll(() => {
      for (const server of servers) this.#receiver.take(server, from);
    });
  }

  #receiveAll(work: () => void): void {
    this.#isReceiving = true;
    try {
      work();
    } finally {
      this.#isReceiving = false;
    }
  }

  /** Any message proves that a node lives. A new peer gets everything at once. */
  #meet(node: string): void {
    if (!this.#peers.heard(node)) return;
    this.#deps.log.info("Another node of the monitor is there", { node });
    this.#beat();
    this.#publisher.publishAll();
  }

  #lose({ node, heardMs }: LostPeer): void {
    this.#deps.log.warn("A node of the monitor is gone", { node });
    for (const [id, ownership] of this.#ownerships) {
      if (ownership.claim.node !== node) continue;
      ownership.isOpen = false;
      this.#deps.live.orphan(id, heardMs);
    }
    this.#deps.live.tick();
    this.#deps.lease.checkSoon();
  }

  #claim(serverId: string): boolean {
    const known = this.#ownerships.get(serverId);
    // This node is not among its own peers.
    const isElsewhere = known !== undefined && known.isOpen && this.#peers.has(known.claim.node);
    const claim = { n: (known?.claim.n ?? 0) + 1, seenAt: 0, node: this.#node };
    this.#ownerships.set(serverId, { claim, isOpen: true, published: undefined });
    this.#publisher.touch(serverId);
    return isElsewhere;
  }

  #repeatSome(): void {
    const count = Math.ceil(this.#ownerships.size / CYCLE_TICKS);
    for (let at = 0; at < count; at += 1) {
      this.#cycle ??= this.#ownerships.keys();
      const next = this.#cycle.next();
      if (next.done === true) this.#cycle = undefined;
      else this.#publisher.repeat(next.value);
    }
  }

  #refresh(): void {
    const nowMs = this.#deps.clock.monotonic();
    if (nowMs - this.#refreshedMs < REFRESH_MS) return;
    this.#refreshedMs = nowMs;
    this.#deps.onChangeSignal();
  }
}

/** Creates the nodes of a monitor; nothing is published before `start`. */
export function createNodes(deps: NodesDeps): Nodes {
  return new Nodes(deps);
}

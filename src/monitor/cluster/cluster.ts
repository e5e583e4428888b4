/** The processes that serve one monitor, as each of them sees the others. */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../schema.ts";
import type { Holding } from "./claims.ts";
import { type Hearing, createHearing } from "./state-receiver.ts";
import type { ManagedLead } from "./leader-lease.ts";
import { type NodeMessage, nodeMessageSchema, serversMessageSchema, topics } from "./schema.ts";
import { type LostPeer, type Peers, createPeers } from "./peers.ts";
import { type Defer, type Teller, createTeller } from "./state-publisher.ts";

/** A node whose clock went on for this long between two ticks could not hear others. */
const STALL_MS = 3_000;
/** Each server is told again within so many ticks, which heals what was lost. */
const CYCLE_TICKS = 30;
/** After the bus came back, states of servers elsewhere are not relied on for so long. */
const SETTLE_MS = 2_000;
const JOIN_STEP_MS = 20;
/** A node waits this long for others to show themselves, for the bus to be there, and for all they have to tell. */
const JOIN_STEPS = { peers: 15, bus: 50, all: 150 } as const;
/** Records are read anew at most this often for servers that others know of. */
const REFRESH_MS = 1_000;

export interface NodesDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly lead: ManagedLead;
  readonly live: Live;
  readonly registry: AgentRegistry;
  readonly directory: {
    findRecord(serverId: string): ServerRecord | undefined;
    records(): readonly ServerRecord[];
  };
  /** Another node changed records or settings. */
  readonly onPoke: () => void;
  readonly defer?: Defer;
}

/** The nodes of a monitor; a process that runs alone has no peers and always leads. */
export interface Nodes {
  /** Whether there may be other nodes at all. */
  readonly isShared: boolean;
  /** Whether messages reach other nodes right now. */
  readonly isConnected: boolean;
  /** Whether this node does what must be done once: alerts, notices, minutes of uptime. */
  readonly isLeader: boolean;
  /** Names of the other nodes that are alive, as far as this one knows. */
  peers(): readonly string[];
  /** Begins to tell and to listen; call it once, when what the disk has was brought back. */
  start(): void;
  /** Waits, a few seconds at most, until this node knows what the others know; before agents are taken. */
  join(): Promise<void>;
  /** Tells that this node lives and looks who is lost; call it every second. */
  tick(): void;
  /** Sends now what would leave within half a second; true when more waits. */
  flush(): boolean;
  /** Lets the other nodes read records and settings at once. */
  poke(): void;
  /** The records were read anew. */
  recordsChanged(): void;
  /** Tells of a server's stream now: what is published next comes after it. */
  announce(serverId: string): void;
  /** Whether this node may judge the server by what it knows of it: its stream is here, or the bus is. */
  canJudge(serverId: string): boolean;
  drop(serverId: string): void;
  /** Gives the lead back, when this node does nothing more that must be done once. Never rejects. */
  stepDown(): Promise<void>;
  /**
   * Gives the lead back, tells what is left to tell and says good-bye. After the last stream has ended and its
   * reports are stored: what happens later nobody hears. Never rejects.
   */
  close(): Promise<void>;
}

const deferByTimer: Defer = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

class MonitorNodes implements Nodes {
  readonly #deps: NodesDeps;
  readonly #peers: Peers;
  readonly #holdings = new Map<string, Holding>();
  readonly #teller: Teller;
  readonly #hearing: Hearing;
  readonly #unsubscribe: (() => void)[] = [];
  /** While what another node told is taken: it is not told back. */
  #isHearing = false;
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
    const shared = { live, registry, clock, holdings: this.#holdings };
    const findRecord = (id: string): ServerRecord | undefined => directory.findRecord(id);
    this.#teller = createTeller({
      ...shared,
      bus,
      findRecord,
      tellsOf: (node) => node === bus.node || !this.#peers.has(node),
      isHeir: () => this.#isHeir(bus.node),
      hasPeers: () => this.#peers.list().length > 0,
      onAllTold: () => this.#say({ type: "told" }),
      defer,
    });
    this.#hearing = createHearing({
      ...shared,
      node: bus.node,
      findRecord,
      isAlive: (node) => this.#peers.has(node),
      isHeir: (node) => this.#isHeir(node),
      touch: (id) => this.#teller.touch(id),
      answer: (id) => this.#teller.answer(id),
      onUnknown: () => this.#refresh(),
    });
  }

  get #node(): string {
    return this.#deps.bus.node;
  }

  get isShared(): boolean {
    return this.#deps.bus.isShared;
  }

  get isConnected(): boolean {
    return this.#deps.bus.isConnected;
  }

  get isLeader(): boolean {
    return this.#deps.lead.term !== undefined;
  }

  peers(): readonly string[] {
    return this.#peers.list();
  }

  start(): void {
    if (!this.isShared) return;
    const { bus, live, registry, directory, clock } = this.#deps;
    for (const { id } of directory.records()) {
      const seenAt = live.get(id).lastSeenAt;
      if (seenAt !== undefined)
        this.#holdings.set(id, { claim: { n: 0, seenAt, node: this.#node }, isOpen: false, told: undefined });
    }
    live.onChange((id) => {
      if (!this.#isHearing) this.#teller.touch(id);
    });
    registry.share((id) => this.#claim(id));
    if (bus.isConnected) this.#connectedMs = clock.monotonic();
    this.#unsubscribe.push(
      bus.subscribe(topics.nodes, (message, from) => this.#hear(nodeMessageSchema.parse(message), from)),
      bus.subscribe(topics.servers, (message, from) => this.#hearServers(message, from)),
      bus.subscribe(topics.records, () => this.#deps.onPoke()),
      bus.onConnection((isConnected) => {
        if (isConnected) this.#rejoin();
      }),
    );
  }

  async join(): Promise<void> {
    if (this.isShared) {
      this.#beat();
      for (let step = 0; step < JOIN_STEPS.all; step += 1) {
        if (!this.isConnected && step >= JOIN_STEPS.bus) break;
        if (this.isConnected && step >= JOIN_STEPS.peers && this.#peers.hasAll) break;
        await new Promise((resolve) => setTimeout(resolve, JOIN_STEP_MS));
      }
    }
    this.#tickedMs = this.#deps.clock.monotonic();
  }

  tick(): void {
    if (!this.isShared) return;
    const { clock, bus } = this.#deps;
    const pausedMs = clock.monotonic() - this.#tickedMs;
    this.#tickedMs = clock.monotonic();
    if (pausedMs >= STALL_MS) this.#rejoin();
    else this.#beat();
    // Who cannot hear knows nothing of others: what is known stays.
    if (bus.isConnected) for (const lost of this.#peers.findLost()) this.#lose(lost);
    this.#repeatSome();
  }

  flush(): boolean {
    return this.#teller.flush();
  }

  poke(): void {
    this.#deps.bus.publish(topics.records, {});
  }

  recordsChanged(): void {
    this.#hearAll(() => this.#hearing.retry());
  }

  canJudge(serverId: string): boolean {
    const { bus, registry, clock } = this.#deps;
    if (!bus.isShared || registry.isOpen(serverId)) return true;
    return bus.isConnected && clock.monotonic() - this.#connectedMs >= SETTLE_MS;
  }

  announce(serverId: string): void {
    this.#teller.tell(serverId);
  }

  drop(serverId: string): void {
    this.#holdings.delete(serverId);
    this.#teller.forget(serverId);
  }

  stepDown(): Promise<void> {
    const { lead, log } = this.#deps;
    return lead.giveBack().catch((error: unknown) => log.warn("The lead could not be given back", { error }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Upon the good-bye others look at once whether somebody leads.
    await this.stepDown();
    if (this.isShared) {
      while (this.#teller.flush());
      this.#say({ type: "bye" });
    }
    this.#teller.close();
    for (const end of this.#unsubscribe) end();
  }

  #say(message: NodeMessage): void {
    this.#deps.bus.publish(topics.nodes, message);
  }

  #beat(): void {
    this.#say({ type: "beat", asks: this.#asks });
  }

  /** This node could not hear for a while: nobody is to blame, and everybody tells everything. */
  #rejoin(): void {
    this.#asks += 1;
    this.#connectedMs = this.#deps.clock.monotonic();
    this.#peers.excuse();
    this.#beat();
    this.#teller.tellAll();
  }

  /** Of all nodes that live one repeats what the dead left. */
  #isHeir(node: string): boolean {
    return node <= this.#node && this.#peers.list().every((peer) => peer >= node);
  }

  #hear(message: NodeMessage, from: string): void {
    if (message.type === "bye") {
      const left = this.#peers.leave(from);
      if (left !== undefined) this.#lose({ ...left, heardMs: this.#deps.clock.monotonic() });
      return;
    }
    this.#meet(from);
    if (message.type === "told") this.#peers.told(from);
    else if (this.#peers.asked(from, message.asks)) this.#teller.tellAll();
  }

  #hearServers(message: unknown, from: string): void {
    this.#meet(from);
    const { servers } = serversMessageSchema.parse(message);
    this.#hearAll(() => {
      for (const server of servers) this.#hearing.take(server, from);
    });
  }

  #hearAll(work: () => void): void {
    this.#isHearing = true;
    try {
      work();
    } finally {
      this.#isHearing = false;
    }
  }

  /** Any message shows that a node lives; one that is new hears of this one at once. */
  #meet(node: string): void {
    if (!this.#peers.heard(node)) return;
    this.#deps.log.info("Another node of the monitor is there", { node });
    this.#beat();
    this.#teller.tellAll();
  }

  #lose({ node, heardMs }: LostPeer): void {
    this.#deps.log.warn("A node of the monitor is gone", { node });
    for (const [id, holding] of this.#holdings) {
      if (holding.claim.node !== node) continue;
      holding.isOpen = false;
      this.#deps.live.orphan(id, heardMs);
    }
    this.#deps.live.tick();
    this.#deps.lead.hurry();
  }

  #claim(serverId: string): boolean {
    const known = this.#holdings.get(serverId);
    // This node is none of its peers.
    const isElsewhere = known !== undefined && known.isOpen && this.#peers.has(known.claim.node);
    const claim = { n: (known?.claim.n ?? 0) + 1, seenAt: 0, node: this.#node };
    this.#holdings.set(serverId, { claim, isOpen: true, told: undefined });
    this.#teller.touch(serverId);
    return isElsewhere;
  }

  #repeatSome(): void {
    const count = Math.ceil(this.#holdings.size / CYCLE_TICKS);
    for (let at = 0; at < count; at += 1) {
      this.#cycle ??= this.#holdings.keys();
      const next = this.#cycle.next();
      if (next.done === true) this.#cycle = undefined;
      else this.#teller.repeat(next.value);
    }
  }

  #refresh(): void {
    const nowMs = this.#deps.clock.monotonic();
    if (nowMs - this.#refreshedMs < REFRESH_MS) return;
    this.#refreshedMs = nowMs;
    this.#deps.onPoke();
  }
}

/** Makes the nodes of a monitor; nothing is told before `start`. */
export function createNodes(deps: NodesDeps): Nodes {
  return new MonitorNodes(deps);
}

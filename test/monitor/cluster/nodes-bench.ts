/**
 * Several nodes in one process: live states, streams, leader lease and alerts over one store and a hub whose wires can be
 * cut, on one clock that moves only when a test says so.
 */
import assert from "node:assert/strict";
import type { Bus } from "../../../src/bus/bus.ts";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import {
  type AgentRegistry,
  type Registration,
  createAgentRegistry,
} from "../../../src/monitor/ingest/agent-registry.ts";
import { alertRuleFieldsSchema } from "../../../src/monitor/alerts/schema.ts";
import { type Alerts, createAlerts } from "../../../src/monitor/alerts/alerts.ts";
import { createAlertRules } from "../../../src/monitor/alerts/rules.ts";
import { channels } from "../../../src/monitor/channels/records.ts";
import { type LatestSample, type Live, createLive } from "../../../src/monitor/fleet/live.ts";
import { type Nodes, createNodes } from "../../../src/monitor/cluster/cluster.ts";
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import { type ServerRecord, settingsFieldsSchema } from "../../../src/monitor/base/schema.ts";
import { createServers } from "../../../src/monitor/fleet/servers.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type Store, StoreError } from "../../../src/store/store.ts";
import { withTestKey } from "../../support/audited-store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { actor, fields } from "../fixtures.ts";
import { toTimeless } from "../alerts/alerts-bench.ts";

export interface BenchNode {
  readonly name: string;
  readonly bus: Bus;
  readonly live: Live;
  readonly registry: AgentRegistry;
  readonly nodes: Nodes;
  readonly alerts: Alerts;
  readonly streams: Map<string, Registration>;
  /** Ids of servers whose records it has not read yet. */
  readonly unread: Set<string>;
  isAlive: boolean;
  /** Suspended, as after SIGSTOP: it runs nothing. */
  isPaused: boolean;
  signals: number;
  /** Whether nothing gets from it to the store. */
  readonly link: { isCutOff: boolean };
}

/** A latest sample as a report makes it. */
export function sampleOf(at: number, usagePercent: number): LatestSample {
  const row = Array.from({ length: 24 }, (_, index) => (index === 0 ? usagePercent : Number.NaN));
  const sample = { v: 1, cpu: { usagePercent, perCorePercent: [usagePercent] } };
  return { collectedAt: at, receivedAt: at, sample, intervalMs: 3_000, row, flags: [] };
}

export class NodesBench {
  readonly clock: FixedClock = createFixedClock();
  readonly store: Store = withTestKey(createMemoryStore({ collections: monitorCollections }));
  readonly failures: unknown[] = [];
  readonly hub: LocalHub = createLocalHub((_topic, error) => this.failures.push(error));
  readonly nodes: BenchNode[] = [];
  /** Titles of notices, in the order of writing. */
  readonly titles: string[] = [];
  #records: readonly ServerRecord[] = [];
  #revision = 1;

  async servers(...ids: string[]): Promise<void> {
    const servers = createServers({ store: this.store, clock: this.clock });
    for (const id of ids) await servers.create(fields(id), { id, actor });
    this.#records = await servers.listAll();
    this.#revision += 1;
  }

  async start(name: string): Promise<BenchNode> {
    const { clock } = this;
    const reach = async <T>(work: () => Promise<T>): Promise<T> => {
      if (link.isCutOff) throw new StoreError("store_unavailable", "Cut off");
      return work();
    };
    const store: Store = {
      ...this.store,
      read: (work) => reach(() => this.store.read(work)),
      transact: (work) => reach(() => this.store.transact(work)),
    };
    const bus = this.hub.join(name);
    const live = createLive({ clock });
    const registry = createAgentRegistry({ clock, live });
    const unread = new Set<string>();
    const link = { isCutOff: false };
    const records = (): readonly ServerRecord[] => this.#records.filter(({ id }) => !unread.has(id));
    const directory = {
      records,
      findRecord: (id: string) => records().find((record) => record.id === id),
      recordsRevision: this.#revision,
    };
    const nodes = createNodes({
      store,
      bus,
      clock,
      live,
      registry,
      directory,
      log: silentLog,
      onChangeSignal: () => {
        node.signals += 1;
      },
      // Messages leave when a test says so.
      defer: () => () => undefined,
    });
    const node: BenchNode = {
      name,
      bus,
      live,
      registry,
      nodes,
      alerts: createAlerts({
        store,
        clock,
        live,
        directory,
        settings: { read: async () => ({ ...settingsFieldsSchema.parse({}), id: "settings", version: 1 }) },
        facts: { traffic: () => ({ limitBytes: 0, cycleFrom: 0 }), expiresAt: () => undefined },
        notices: {
          enqueue: async (_tx, { title }) => {
            this.titles.push(toTimeless(title));
          },
          wake: () => undefined,
        },
        lease: nodes.lease,
        canJudge: (id) => nodes.canJudge(id),
      }),
      streams: new Map(),
      unread,
      isAlive: true,
      isPaused: false,
      signals: 0,
      link,
    };
    nodes.start();
    await node.alerts.load();
    this.nodes.push(node);
    // It asks the others what they know; those that died do not answer, and it is not waited for.
    void nodes.join();
    await this.pass(1);
    return node;
  }

  /** A rule for servers that are offline for this long. */
  async rule(graceSeconds: number): Promise<void> {
    const settings = { type: "gotify" as const, serverUrl: "https://gotify.example" };
    const channel = { id: "a", name: "a", settings, sealed: "", createdAt: 0, updatedAt: 0 };
    await this.store.transact((tx) => tx.insert(channels, channel));
    const fieldsOfRule = { name: "Gone", kind: "offline", graceSeconds, channelIds: ["a"] };
    const rule = alertRuleFieldsSchema.parse(fieldsOfRule);
    const rules = createAlertRules({ store: this.store, clock: this.clock, changed: async () => undefined });
    await rules.create(rule, actor);
    for (const { alerts } of this.nodes) await alerts.reload();
  }

  async connect(node: BenchNode, serverId: string): Promise<Registration> {
    const { isElsewhere } = await node.nodes.claim(serverId);
    const registration = node.registry.open(serverId, "key", { isElsewhere });
    node.streams.set(serverId, registration);
    return registration;
  }

  disconnect(node: BenchNode, serverId: string): void {
    node.streams.get(serverId)?.close();
  }

  /** The process dies: it runs nothing and sends nothing. */
  kill(node: BenchNode): void {
    node.isAlive = false;
    this.hub.setConnected(node.name, false);
  }

  pause(node: BenchNode): void {
    node.isPaused = true;
    this.hub.setConnected(node.name, false);
  }

  resume(node: BenchNode): void {
    node.isPaused = false;
    this.hub.setConnected(node.name, true);
  }

  get running(): readonly BenchNode[] {
    return this.nodes.filter(({ isAlive, isPaused }) => isAlive && !isPaused);
  }

  /** Messages leave and arrive until none is on its way. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      for (const { nodes } of this.running) while (nodes.flush());
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets seconds pass, in each of which open streams show life. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      this.clock.advance(1_000);
      for (const { live, registry, streams, nodes, link } of this.running) {
        for (const id of streams.keys()) if (registry.isOpen(id)) live.heard(id);
        nodes.tick();
        live.tick();
        await nodes.renew().catch((error: unknown) => assert.ok(link.isCutOff, String(error)));
      }
      await this.settle();
      for (const { alerts, link } of this.running) if (!link.isCutOff) await alerts.tick();
    }
  }

  /** What a node shows of its servers. */
  list(node: BenchNode): unknown {
    return this.#records.map(({ id }) => {
      const { state, lastSeenAt, latest, duplicateAgent, ...live } = node.live.get(id);
      const stateSince = state === "never" ? undefined : live.stateSince;
      return { id, state, stateSince, lastSeenAt, at: latest?.collectedAt, duplicateAgent };
    });
  }

  open(serverId: string): readonly string[] {
    return this.nodes
      .filter(({ isAlive, registry }) => isAlive && registry.isOpen(serverId))
      .map(({ name }) => name);
  }
}

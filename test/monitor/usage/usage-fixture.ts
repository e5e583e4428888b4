/** Usage over a store in memory, with servers whose state the test sets. */
import type { Bus } from "../../../src/bus/bus.ts";
import { createLocalBus } from "../../../src/bus/local.ts";
import { metricIndex } from "../../../src/monitor/base/metrics.ts";
import { type Usage, type StoredReport, createUsage } from "../../../src/monitor/usage/usage.ts";
import type { LiveServer } from "../../../src/monitor/fleet/live.ts";
import type { ServerFields, ServerRecord } from "../../../src/monitor/base/schema.ts";
import { type Servers, createServers } from "../../../src/monitor/fleet/servers.ts";
import { type Store, StoreError } from "../../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";

export interface BookWorld {
  readonly store: Store;
  readonly clock: FixedClock;
  readonly servers: Servers;
  /** By id; `reload` takes them from the store. */
  readonly records: Map<string, ServerRecord>;
  readonly states: Map<string, LiveServer["state"]>;
  add(id: string, traffic?: Partial<ServerFields["traffic"]>): Promise<ServerRecord>;
  reload(): Promise<void>;
  /** Usage that knows nothing yet, as a process has after its start. */
  start(options?: { store?: Store; bus?: Bus; origin?: string }): Promise<Usage>;
}

/** A stored report with these counters. */
export function report(times: { at: number; receivedAt?: number }, rx: number, tx: number): StoredReport {
  const values: number[] = [];
  values[metricIndex("network.rxTotalBytes")] = rx;
  values[metricIndex("network.txTotalBytes")] = tx;
  return { at: times.at, receivedAt: times.receivedAt ?? times.at, values };
}

/** Creates a world without servers. */
export function createBookWorld(): BookWorld {
  const store = createTestStore();
  const clock = createFixedClock();
  const servers = createServers({ store, clock });
  const records = new Map<string, ServerRecord>();
  const states = new Map<string, LiveServer["state"]>();
  const toLive = (id: string): LiveServer => {
    const state = states.get(id) ?? "never";
    const seen = state === "never" ? {} : { lastSeenAt: 1 };
    return { state, stateSince: 0, heardMs: 0, duplicateAgent: false, reportsStored: 0, ...seen };
  };
  const world: BookWorld = {
    store,
    clock,
    servers,
    records,
    states,
    add: async (id, traffic = {}) => {
      const { server } = await servers.create(
        fields(id, { traffic: { ...fields(id).traffic, ...traffic } }),
        {
          id,
          actor,
        },
      );
      records.set(id, server);
      return server;
    },
    reload: async () => {
      records.clear();
      for (const record of await servers.listAll()) records.set(record.id, record);
    },
    start: async (options = {}) => {
      const book = createUsage({
        store: options.store ?? store,
        clock,
        bus: options.bus ?? createLocalBus("alone"),
        origin: options.origin ?? "alone",
        live: { get: toLive },
        directory: { findRecord: (id) => records.get(id), records: () => [...records.values()] },
      });
      await book.load();
      return book;
    },
  };
  return world;
}

/** Waits until messages between the nodes of a hub have arrived. */
export async function arrive(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** How a store handles changes: normally, not at all, or with an unknown outcome. */
export type FaultMode = "calm" | "refused" | "unsure";
export type FaultyStore = Store & { mode: FaultMode };

/** A store as one process sees it: it may refuse changes, or make them and then say that it could not. */
export function createFaultyStore(store: Store): FaultyStore {
  const faulty: FaultyStore = {
    mode: "calm",
    read: (work) => store.read(work),
    check: () => store.check(),
    close: () => store.close(),
    transact: async (work) => {
      if (faulty.mode === "refused") throw new StoreError("store_unavailable", "The disk is full");
      const result = await store.transact(work);
      if (faulty.mode === "unsure") throw new StoreError("store_unavailable", "The connection was lost");
      return result;
    },
  };
  return faulty;
}

/** Heartbeats over a store in memory and a fixed clock, with a directory that knows what it is given. */
import type { Bus } from "../../../src/bus/bus.ts";
import { createLocalBus } from "../../../src/bus/local.ts";
import { createLocalLimits } from "../../../src/bus/shared-limit.ts";
import { checks } from "../../../src/monitor/checks/records.ts";
import { type CheckFields, type CheckRecord, checkFieldsSchema } from "../../../src/monitor/checks/schema.ts";
import { type Heartbeats, createHeartbeats } from "../../../src/monitor/heartbeats/heartbeats.ts";
import type { Ping } from "../../../src/monitor/heartbeats/pings.ts";
import type { Judgement } from "../../../src/monitor/checks/standings.ts";
import type { Store } from "../../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { createTestStore } from "../fixtures.ts";

export const KEY = "3m8x0d5c7tq1w9b2r4k6v0zhfa";
export const RID = "0b1f3c5e-7a2d-4e6f-8091-a2b3c4d5e6f7";
export const OTHER_RID = "1c2f3c5e-7a2d-4e6f-8091-a2b3c4d5e6f7";

/** A target of a heartbeat with a period of 60 s and 30 s of grace unless told otherwise. */
export function heartbeatFields(target: object = {}, more: object = {}): CheckFields {
  return checkFieldsSchema.parse({
    name: "Backup",
    target: { kind: "heartbeat", schedule: { type: "period", seconds: 60 }, graceSeconds: 30, ...target },
    ...more,
  });
}

export interface TestHeartbeats {
  readonly heartbeats: Heartbeats;
  readonly clock: FixedClock;
  readonly store: Store;
  readonly verdicts: { id: string; verdict: Judgement }[];
  isLeader: boolean;
  /** Puts a check into the store and the directory. */
  make(fields: CheckFields, more?: { id?: string; pingKey?: string }): Promise<CheckRecord>;
  /** Changes a check as an administrator does. */
  change(id: string, fields: Partial<CheckFields>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Reads the checks of the store into the directory. */
  reload(): Promise<void>;
  ping(signal?: Ping["signal"], more?: Partial<Ping> & { key?: string; from?: string }): Promise<void>;
  /** Lets seconds pass, with what the service does in each. */
  pass(seconds: number): Promise<void>;
  /** The newest word on a check. */
  last(id?: string): Judgement | undefined;
}

export async function createTestHeartbeats(
  options: { store?: Store; clock?: FixedClock; bus?: Bus; isLeader?: boolean } = {},
): Promise<TestHeartbeats> {
  const store = options.store ?? createTestStore();
  const clock = options.clock ?? createFixedClock();
  const verdicts: TestHeartbeats["verdicts"] = [];
  let records: readonly CheckRecord[] = [];
  let revision = 0;
  const checkDirectory = {
    records: () => records,
    findRecord: (id: string) => records.find((record) => record.id === id),
    findStanding: (id: string) => {
      const record = records.find((each) => each.id === id);
      const told = verdicts.findLast((each) => each.id === id)?.verdict;
      if (record === undefined) return undefined;
      const { state = "unknown" as const, fault, detail = "", at = record.createdAt } = told ?? {};
      const place = {
        place: "center",
        at,
        isDown: state === "down",
        counts: true,
        failures: 0,
        fault,
        detail,
      };
      const stands = { id, version: 1, revision: 1, since: at, places: told === undefined ? [] : [place] };
      return { ...stands, state: record.paused ? ("paused" as const) : state };
    },
    get recordsRevision() {
      return revision;
    },
  };
  const made = createHeartbeats({
    store,
    checks: { create: () => Promise.reject(new Error("Here no ping creates a heartbeat")) },
    clock,
    bus: options.bus ?? createLocalBus("test"),
    limits: createLocalLimits(clock),
    checkDirectory,
    nodes: {
      get isLeader() {
        return test.isLeader;
      },
    },
    checkIntake: { judge: (id, verdict) => verdicts.push({ id, verdict }) },
  });
  const heartbeats: Heartbeats = {
    ...made,
    changePingKey: async (id, change) => {
      const changed = await made.changePingKey(id, change);
      await test.reload();
      return changed;
    },
  };
  const test: TestHeartbeats = {
    heartbeats,
    clock,
    store,
    verdicts,
    isLeader: options.isLeader ?? true,
    make: async (fields, { id = "chk_1", pingKey = KEY } = {}) => {
      const now = clock.now();
      const record = { ...fields, id, revision: 1, pingKey, createdAt: now, updatedAt: now };
      const made = await store.transact((tx) => tx.insert(checks, record));
      await test.reload();
      return made;
    },
    change: async (id, fields) => {
      await store.transact(async (tx) => {
        const record = await tx.get(checks, id);
        if (record !== undefined) await tx.put(checks, { ...record, ...fields });
      });
      await test.reload();
    },
    remove: async (id) => {
      await store.transact((tx) => tx.remove(checks, id));
      await test.reload();
    },
    reload: async () => {
      records = (await store.read((tx) => tx.list(checks, "id", { limit: 1_000 }))).items;
      revision += 1;
    },
    ping: async (signal = "success", { key = KEY, from = "192.0.2.1", ...more } = {}) => {
      const id = await heartbeats.pings.find(key, from);
      const sent = { rid: "", text: "", isCut: false, method: "GET", clientAddress: from, userAgent: "test" };
      await heartbeats.pings.take({ id, key }, { signal, ...sent, ...more });
    },
    pass: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        await heartbeats.watch.tick();
      }
    },
    last: (id = "chk_1") => verdicts.findLast((each) => each.id === id)?.verdict,
  };
  await test.reload();
  await heartbeats.watch.load();
  await heartbeats.watch.tick();
  return test;
}

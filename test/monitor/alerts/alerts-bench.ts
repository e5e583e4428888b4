/**
 * Alerts over a store in memory and a live state that the test changes; notifications are kept in the store, in the
 * same transaction. A restart recreates everything but the store.
 */
import { z } from "zod";
import { type Alerts, type AlertsDeps, createAlerts } from "../../../src/monitor/alerts/alerts.ts";
import {
  type AlertRuleRecord,
  type IncidentRecord,
  alertRuleFieldsSchema,
} from "../../../src/monitor/alerts/schema.ts";
import { incidents } from "../../../src/monitor/alerts/records.ts";
import type { AddressedNotice, Notices } from "../../../src/monitor/channels/notification.ts";
import { channels } from "../../../src/monitor/channels/records.ts";
import { type Live, createLive } from "../../../src/monitor/fleet/live.ts";
import { metrics } from "../../../src/monitor/base/metric-table.ts";
import { type MetricName, type StoredMetricName, metricIndex } from "../../../src/monitor/base/metrics.ts";
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import {
  type ServerFields,
  type ServerRecord,
  type SettingsFields,
  quietHoursSchema,
  settingsFieldsSchema,
} from "../../../src/monitor/base/schema.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type Collection, type Store, defineCollection, StoreError } from "../../../src/store/store.ts";
import { withTestKey } from "../../support/audited-store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { actor, fields } from "../fixtures.ts";
import { FakeChecks } from "./fake-checks.ts";

const sentSchema = z.object({ id: z.string(), version: z.number().int(), seq: z.number(), text: z.string() });
const sent = defineCollection({
  name: "testSent",
  revision: 1,
  schema: sentSchema,
  ordered: { bySeq: ["seq"] },
});

/** A notice as one channel got it. */
export interface Told extends AddressedNotice {
  readonly channelId: string;
}

export interface AlertsBench {
  readonly clock: FixedClock;
  readonly checks: FakeChecks;
  readonly store: Store;
  readonly facts: Map<
    string,
    { expiresAt?: number; percent?: number; cycleFrom?: number; limitBytes?: number }
  >;
  alerts: Alerts;
  live: Live;
  /** While true, the store refuses changes. */
  failing: boolean;
  /** How often sending was begun. */
  wakes: number;
  quietHours(hours: Partial<SettingsFields["quietHours"]>): Promise<void>;
  /** Adds a server, or changes its fields. */
  /** Lets notifications speak a language, by the clock of a zone. */
  speak(settings: Pick<SettingsFields, "language" | "timeZone">): Promise<void>;
  server(id: string, more?: Partial<ServerFields>): ServerRecord;
  remove(id: string): void;
  /** A rule that tells channel "a" unless told otherwise. */
  rule(rule: object): Promise<AlertRuleRecord>;
  replaceRule(id: string, rule: object): Promise<AlertRuleRecord>;
  up(...ids: string[]): void;
  down(...ids: string[]): void;
  report(id: string, values: Partial<Record<StoredMetricName, number>>): void;
  /** Lets seconds pass, with a tick in each; servers that are up keep reporting. */
  pass(seconds: number): Promise<void>;
  restart(): Promise<void>;
  /** Notifications since the last call, in order. */
  takeTold(): Promise<readonly Told[]>;
  /** Titles of the same without sign and times, with the channel in front when it is not "a". */
  takeTitles(): Promise<readonly string[]>;
  listIncidents(): Promise<readonly IncidentRecord[]>;
}

/** A line of a notification without its sign, and without since when and how long. */
export function toTimeless(line: string): string {
  return line
    .replace(/^(?:🔵|🟠|🔴|🟢|⚪) /u, "")
    .replace(/ since (?:[\d-]+ )?[\d:]+(?: \([\w ]+\))?$| after \d[\w ]+$/u, "");
}

/** Rejects changes on request. */
function createFragile(inner: Store, isFailing: () => boolean): Store {
  return {
    transact: (work) =>
      isFailing()
        ? Promise.reject(new StoreError("store_unavailable", "The disk is full"))
        : inner.transact(work),
    read: (work) => inner.read(work),
    check: () => inner.check(),
    close: () => inner.close(),
  };
}

class Bench implements AlertsBench {
  readonly clock = createFixedClock();
  readonly checks = new FakeChecks(this.clock);
  readonly store: Store;
  readonly facts: AlertsBench["facts"] = new Map();
  failing = false;
  wakes = 0;
  live: Live;
  alerts: Alerts;
  readonly #servers = new Map<string, ServerRecord>();
  readonly #online = new Set<string>();
  readonly #settings = { ...settingsFieldsSchema.parse({}), id: "settings" as const, version: 1 };
  #revision = 1;
  #seq = 0;
  readonly #taken = new Set<string>();

  readonly #more: Partial<AlertsDeps>;

  constructor(inner: Store, more: Partial<AlertsDeps>) {
    this.#more = more;
    this.store = createFragile(withTestKey(inner), () => this.failing);
    this.live = createLive({ clock: this.clock });
    this.alerts = this.#createAlerts();
  }

  async start(channelIds: readonly string[]): Promise<void> {
    const times = { createdAt: 0, updatedAt: 0 };
    const settings = { type: "gotify" as const, serverUrl: "https://gotify.example" };
    await this.store.transact(async (tx) => {
      for (const id of channelIds) {
        if ((await tx.get(channels, id)) !== undefined) continue;
        await tx.insert(channels, { id, name: id, settings, sealed: "", ...times });
      }
    });
    await this.alerts.load();
  }

  async quietHours(hours: Partial<SettingsFields["quietHours"]>): Promise<void> {
    this.#settings.quietHours = quietHoursSchema.parse({ enabled: true, ...hours });
    await this.alerts.reload();
  }

  async speak(settings: Pick<SettingsFields, "language" | "timeZone">): Promise<void> {
    Object.assign(this.#settings, settings);
    await this.alerts.reload();
  }

  server(id: string, more: Partial<ServerFields> = {}): ServerRecord {
    const before = this.#servers.get(id);
    const now = this.clock.now();
    const record: ServerRecord = {
      ...(before ?? fields(id)),
      ...more,
      id,
      version: (before?.version ?? 0) + 1,
      editVersion: 1,
      displayOrder: 1,
      keys: [],
      keyRotatedAt: now,
      hostname: "",
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    this.#servers.set(id, record);
    this.#revision += 1;
    return record;
  }

  remove(id: string): void {
    this.#servers.delete(id);
    this.#online.delete(id);
    this.live.drop(id);
    this.#revision += 1;
  }

  rule(rule: object): Promise<AlertRuleRecord> {
    return this.alerts.rules.create(this.#toRule(rule), actor);
  }

  replaceRule(id: string, rule: object): Promise<AlertRuleRecord> {
    return this.alerts.rules.replace(id, { rule: this.#toRule(rule), actor });
  }

  up(...ids: string[]): void {
    for (const id of ids) {
      if (!this.#servers.has(id)) this.server(id);
      this.#online.add(id);
      this.live.connected(id);
    }
  }

  down(...ids: string[]): void {
    for (const id of ids) {
      this.#online.delete(id);
      this.live.disconnected(id);
    }
  }

  report(id: string, values: Partial<Record<StoredMetricName, number>>): void {
    const row = metrics.map(() => Number.NaN);
    for (const [name, value] of Object.entries(values)) row[metricIndex(name as StoredMetricName)] = value; // the keys of its type
    const at = this.clock.now();
    this.live.reported(id, { collectedAt: at, receivedAt: at, sample: { v: 1 }, flags: [], row });
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      this.clock.advance(1_000);
      for (const id of this.#online) this.live.heard(id);
      this.live.tick();
      await this.alerts.tick();
    }
  }

  async restart(): Promise<void> {
    const before = this.live;
    this.live = createLive({ clock: this.clock });
    this.alerts = this.#createAlerts();
    for (const id of this.#servers.keys()) {
      const { lastSeenAt, latest, reportsStored } = before.get(id);
      // As ingest does: what was never heard of is not in the sample log.
      if (lastSeenAt === undefined) continue;
      this.live.restore(id, { lastSeenAt, reportsStored, ...(latest === undefined ? {} : { latest }) });
    }
    await this.alerts.load();
    // The agents connect again.
    this.live.tick();
    this.up(...this.#online);
  }

  async takeTold(): Promise<readonly Told[]> {
    const from = [Math.max(0, this.#seq - 500)];
    const { items } = await this.store.read((tx) => tx.list(sent, "bySeq", { from, limit: 1_000 }));
    // Another process on the same store counts on its own.
    const fresh = items.filter(({ id }) => !this.#taken.has(id));
    for (const { id } of fresh) this.#taken.add(id);
    return fresh.map(({ text }) => JSON.parse(text) as Told); // as `enqueue` wrote it
  }

  async takeTitles(): Promise<readonly string[]> {
    const told = await this.takeTold();
    return told.map(({ channelId, title }) => {
      const line = toTimeless(title);
      return channelId === "a" ? line : `${channelId}: ${line}`;
    });
  }

  listIncidents(): Promise<readonly IncidentRecord[]> {
    return this.store.read(async (tx) => (await tx.list(incidents, "byTime", { limit: 1_000 })).items);
  }

  #toRule(rule: object): AlertRuleRecord["rule"] {
    return alertRuleFieldsSchema.parse({ name: "rule", channelIds: ["a"], ...rule });
  }

  #createAlerts(): Alerts {
    const servers = this.#servers;
    const revision = (): number => this.#revision;
    const notices: Notices = {
      enqueue: async (tx, notice) => {
        for (const channelId of notice.channelIds) {
          const id = `${notice.key}:${channelId}`;
          if ((await tx.get(sent, id)) !== undefined) continue;
          await tx.insert(sent, { id, seq: this.#seq, text: JSON.stringify({ ...notice, channelId }) });
          this.#seq += 1;
        }
      },
      wake: () => {
        this.wakes += 1;
      },
    };
    return createAlerts({
      store: this.store,
      clock: this.clock,
      live: this.live,
      directory: {
        records: () => [...servers.values()],
        findRecord: (id) => servers.get(id),
        get recordsRevision() {
          return revision();
        },
      },
      checks: this.checks,
      settings: { read: () => Promise.resolve(this.#settings) },
      facts: {
        traffic: ({ id }) => {
          const { percent, cycleFrom = 0, limitBytes = 1_000 } = this.facts.get(id) ?? {};
          return { limitBytes, cycleFrom, ...(percent === undefined ? {} : { percent }) };
        },
        expiresAt: ({ id }) => this.facts.get(id)?.expiresAt,
      },
      notices,
      address: { publicUrl: "https://status.example" },
      ...this.#more,
    });
  }
}

/** What the store of a bench must know. */
export const benchCollections: readonly Collection[] = [...monitorCollections, sent];

/** Creates a bench with the channels "a" and "b"; benches on one store act as processes of one service. */
export async function createAlertsBench(
  store: Store = createMemoryStore({ collections: benchCollections }),
  more: Partial<AlertsDeps> = {},
): Promise<AlertsBench> {
  const bench = new Bench(store, more);
  await bench.start(["a", "b"]);
  return bench;
}

/** A metric's name as rules take it. */
export const CPU: MetricName = "cpu.usagePercent";

/** What must be true of what the monitor keeps, read from the disk of the stopped machine. */
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import { incidents } from "../../../src/monitor/alerts/records.ts";
import type { IncidentRecord } from "../../../src/monitor/alerts/schema.ts";
import { metricIndex, metricKinds } from "../../../src/monitor/base/metrics.ts";
import { servers } from "../../../src/monitor/fleet/records.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { toKey } from "../../../src/monitor/base/server-key.ts";
import { notices } from "../../../src/monitor/channels/records.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import { months } from "../../../src/monitor/usage/records.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { Findings } from "../../../src/service/check/finding.ts";
import { checkStore } from "../../../src/service/check/store-check.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { openPostgresRollups } from "../../../src/store/postgres/rollups.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { openFileRollups } from "../../../src/store/series/rollups/file-rollups.ts";
import type { RollupStore } from "../../../src/store/series/rollups/rollups.ts";
import { openSampleLog } from "../../../src/store/series/samples/file-sample-log.ts";
import { readOrigin } from "../../../src/store/series/samples/origin.ts";
import type { Store } from "../../../src/store/store.ts";
import { listAll } from "../../shop/race-checks.ts";
import { START_MS } from "../kernel/kernel.ts";
import { Violation } from "../world/client.ts";
import type { Machine } from "../world/machine.ts";
import type { PostOffice } from "../world/post.ts";
import type { AgentMachine } from "./agent-machine.ts";
import { type MinuteSum, checkMinutes, checkTraffic, findLongestGap } from "./fleet.ts";
import type { Hooks } from "./hooks.ts";
import { GRACE_SECONDS } from "./operator.ts";

const FOLDER = "/simulated/data/monitor";
const MINUTE = 60_000;
/** How far a wall clock is from the virtual time, and how late a process may have looked. */
const WRONG_MS = 150_000;
/** How far a wall clock is from the virtual time. */
const SKEW_MS = 65_000;
/** So much shorter than the grace is a gap in which nothing can have been missed. */
const SLACK_MS = 20_000;
const COLUMN = metricIndex("memory.usedBytes");

export interface MonitorFacts {
  /** Those that run the monitor. */
  readonly nodes: readonly [Machine, ...Machine[]];
  /** Where several nodes keep their records and the history. */
  readonly databaseUrl: string | undefined;
  readonly machines: readonly AgentMachine[];
  readonly hooks: Hooks;
  readonly post: PostOffice;
  readonly secret: string;
  /** Whether a write may have failed of which it is not known what the disk has. */
  readonly hasFailedWrites: boolean;
  /** Whether no fault has set a clock. */
  readonly isClockRight: boolean;
  /** Whether something may have gone wrong within some minutes of this time. */
  readonly wasTroubled: (atMs: number) => boolean;
  /** Whether a report that was under way between two moments may have been stored by two nodes. */
  readonly mayRepeat: (fromMs: number, toMs: number) => boolean;
}

function add(sums: Map<number, MinuteSum>, minute: number, more: MinuteSum): void {
  const known = sums.get(minute);
  sums.set(
    minute,
    known === undefined
      ? more
      : {
          count: known.count + more.count,
          least: Math.min(known.least, more.least),
          greatest: Math.max(known.greatest, more.greatest),
          sum: known.sum + more.sum,
        },
  );
}

async function openRollups({ databaseUrl: url }: MonitorFacts): Promise<RollupStore> {
  const tiers = createTiers(retentionSchema.parse({}));
  const origin = await readOrigin(`${FOLDER}/samples`);
  if (url === undefined)
    return openFileRollups({ folder: `${FOLDER}/history`, tiers, clock: systemClock, origin });
  const place = { prefix: "monitor_history", applicationName: "check" };
  return openPostgresRollups({ url, ...place, tiers, clock: systemClock, origin });
}

/** Adds what only the sample log of a node has yet, and with `withHistory` the minutes of the history. */
async function readNode(
  minutes: ReadonlyMap<string, Map<number, MinuteSum>>,
  facts: MonitorFacts,
  withHistory: boolean,
): Promise<void> {
  const rollups = await openRollups(facts);
  for (const [key, sums] of withHistory ? minutes : []) {
    const view = await rollups.read({ tier: "1m", key, from: 0, to: Number.MAX_SAFE_INTEGER });
    for (const { at, stats } of view.buckets) {
      const [count = 0, least = 0, greatest = 0, sum = 0] = stats.subarray(4 * COLUMN, 4 * COLUMN + 4);
      if (count > 0) add(sums, at, { count, least, greatest, sum });
    }
  }
  const samples = await openSampleLog({
    folder: `${FOLDER}/samples`,
    columns: metricKinds,
    checkpoint: () => [],
    clock: systemClock,
    log: silentLog,
  });
  const seen = new Set<string>();
  await samples.replay({
    onCheckpoint: () => undefined,
    onRow: ({ key, at, values }, seq) => {
      // A row whose first write has failed may be there twice, and counts once.
      if (seq < rollups.flushedSeq || (facts.hasFailedWrites && seen.has(`${key} ${at}`))) return;
      seen.add(`${key} ${at}`);
      const value = values[COLUMN] ?? Number.NaN;
      const sums = minutes.get(key);
      if (sums === undefined || Number.isNaN(value)) return;
      add(sums, Math.floor(at / MINUTE) * MINUTE, { count: 1, least: value, greatest: value, sum: value });
    },
  });
  await samples.close();
  await rollups.close();
}

async function checkReports(store: Store, facts: MonitorFacts): Promise<void> {
  const { machines, isClockRight, mayRepeat } = facts;
  const all = await store.read((tx) => listAll(tx, servers));
  const keys = new Map(all.map(({ id, createdAt }) => [id, toKey(id, createdAt)]));
  const minutes = new Map([...keys.values()].map((key) => [key, new Map<number, MinuteSum>()]));
  for (const node of facts.nodes)
    await node.runAs(node.createOwner(), () => readNode(minutes, facts, node === facts.nodes[0]));
  const used = await store.read((tx) => listAll(tx, months));
  for (const machine of machines) {
    const { id } = machine.place;
    checkMinutes(machine, minutes.get(keys.get(id) ?? "") ?? new Map<number, MinuteSum>(), mayRepeat);
    const days = used.filter(({ serverId }) => serverId === id).flatMap((month) => month.days);
    const sum = (column: 1 | 2): number => days.reduce((bytes, day) => bytes + day[column], 0);
    checkTraffic(machine, { rx: sum(1), tx: sum(2) }, { isClockRight });
  }
}

/** An alert about a server needs a silence of the server. */
function checkOutage(
  { serverId, openedAt, condition }: IncidentRecord,
  machines: readonly AgentMachine[],
): void {
  const machine = machines.find(({ place }) => place.id === serverId);
  if (machine === undefined || condition.kind !== "offline") return;
  const openedMs = openedAt - START_MS;
  const [from, to] = [openedMs - GRACE_SECONDS * 1_000 - WRONG_MS, openedMs + WRONG_MS];
  const gap = findLongestGap(machine, from, to);
  if (gap < GRACE_SECONDS * 1_000 - SLACK_MS)
    throw new Violation(`${serverId} was reported as offline, and was never silent for ${gap} ms`);
}

/** Between two alerts about a server there was a sign of life of it. */
function checkRepeats(all: readonly IncidentRecord[], machines: readonly AgentMachine[]): void {
  for (const machine of machines) {
    const opened = all
      .filter(({ serverId, condition }) => serverId === machine.place.id && condition.kind === "offline")
      .map(({ openedAt }) => openedAt - START_MS)
      .toSorted((a, b) => a - b);
    for (const [at, openedMs] of opened.entries()) {
      const before = opened[at - 1] ?? -Infinity;
      const isAlive = [...machine.acknowledged.values()].some(
        (atMs) => atMs > before - SKEW_MS && atMs < openedMs + SKEW_MS,
      );
      if (!isAlive) throw new Violation(`One outage of ${machine.name} was told twice`);
    }
  }
}

async function checkAlerts(
  store: Store,
  { machines, hooks, post, wasTroubled }: MonitorFacts,
): Promise<void> {
  const all = await store.read((tx) => listAll(tx, incidents));
  checkRepeats(all, machines);
  for (const incident of all) {
    checkOutage(incident, machines);
    const { id, told, state, closedBy, owed } = incident;
    if (owed !== undefined) throw new Violation(`A notification of the incident ${id} still waits`);
    if (!told.down) throw new Violation(`The incident ${id} was told to nobody`);
    if (!hooks.has("firing", id)) throw new Violation(`The receiver has not got the incident ${id}`);
    if (state === "closed" && closedBy === "recovered" && !hooks.has("resolved", id))
      throw new Violation(`The receiver has not got the end of the incident ${id}`);
  }
  for (const { id, state, attempts } of await store.read((tx) => listAll(tx, notices)))
    if (state !== "sent")
      throw new Violation(`The notification ${id} is ${state} after ${attempts} attempts`);
  if (all.length > 0 && post.taken.length === 0) throw new Violation("No alert was sent by email");
  const first = new Map<string, number>();
  for (const { kind, key, sentMs, atMs, isAnswered } of hooks.taken) {
    const name = `${kind} ${key}`;
    const firstMs = first.get(name);
    if (firstMs !== undefined && sentMs > firstMs && !wasTroubled(firstMs))
      throw new Violation(`The receiver has "${name}" twice, and nothing had gone wrong`);
    if (isAnswered) first.set(name, firstMs ?? atMs);
  }
}

function openStore({ databaseUrl: url }: MonitorFacts): Promise<Store> {
  const declared = { name: "monitor", collections: monitorCollections };
  return url === undefined
    ? openJournalStore({ folder: FOLDER, ...declared, compactOnClose: false })
    : openPostgresStore({ url, ...declared });
}

/** Reads all, as a process of the first node. @throws Violation */
export async function checkMonitor(facts: MonitorFacts): Promise<void> {
  const store = await openStore(facts);
  try {
    await checkReports(store, facts);
    await checkAlerts(store, facts);
    const findings = new Findings();
    const place = { secret: facts.secret, where: "MONITOR_SECRET" };
    await checkStore({ service: "monitor", collections: monitorCollections, store, secret: place, findings });
    const [finding] = findings.list;
    if (finding !== undefined) throw new Violation(`trivet check: ${finding.where}: ${finding.problem}`);
  } finally {
    await store.close();
  }
}

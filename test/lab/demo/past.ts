/**
 * A past for the demonstration: the monitor itself lives through the days before, on a clock that is moved by hand,
 * with reports of the simulated machines.
 */
import { runtime } from "#runtime";
import { openBase } from "../../../src/service/run.ts";
import { createLocalBus } from "../../../src/bus/local.ts";
import { monitorCollections, monitorSecretCheck } from "../../../src/monitor/app/records.ts";
import { openMonitor } from "../../../src/monitor/service-storage.ts";
import { loadConfig } from "../../../src/config.ts";
import type { Clock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import type { AlertRuleFields } from "../../../src/monitor/alerts/schema.ts";
import type { AgentSession } from "../../../src/monitor/ingest/agent-session.ts";
import type { Monitor } from "../../../src/monitor/app/monitor.ts";
import { channelInputSchema } from "../../../src/monitor/channels/schema.ts";
import { type ServerFields, serverFieldsSchema } from "../../../src/monitor/base/schema.ts";
import type { DemoMachine } from "./machine.ts";
import { type Targets, createPastProbe, listDemoChecks, listPings } from "./checks.ts";
import type { DemoPlan } from "./plans.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Each part of the past until so long before its end: how far the clock moves, and how often machines report. */
const parts = [
  { untilMs: 14 * DAY_MS, stepMs: MINUTE_MS, reportMs: 20 * MINUTE_MS },
  { untilMs: 26 * HOUR_MS, stepMs: MINUTE_MS, reportMs: 10 * MINUTE_MS },
  { untilMs: 17 * MINUTE_MS, stepMs: MINUTE_MS, reportMs: MINUTE_MS },
  { untilMs: 0, stepMs: 3 * SECOND_MS, reportMs: 3 * SECOND_MS },
] as const;
/** How often the history and usage are written meanwhile. */
const KEEP_MS = DAY_MS;
/** Since when machines that are shown as offline are away: one of the first, and one of the others. */
const awayMs = [3 * HOUR_MS + 12 * MINUTE_MS, 50 * HOUR_MS] as const;
/** Since when a machine is paused. */
const PAUSED_MS = 40 * DAY_MS;
const actor = { name: "demonstration", requestId: "demonstration" };

/** A machine of the demonstration with what its agent needs. */
export interface DemoAgent {
  readonly machine: DemoMachine;
  readonly agentKey: string;
  /** Its report of this moment; moments only grow. */
  readonly payload: (nowMs: number) => string;
}

export interface PastOptions {
  readonly dataDir: string;
  readonly machines: readonly DemoMachine[];
  readonly days: number;
  /** Watch over the machines all that time, and notify `receiverUrl`. */
  readonly rules: readonly AlertRuleFields[];
  readonly receiverUrl: string;
  /** What checks look at. */
  readonly targets: Targets;
  /** When the past ends, epoch ms. */
  readonly endMs: number;
  /** Creates the reports of a machine, from `startMs` on. */
  readonly createPayload: (machine: DemoMachine, startMs: number) => (nowMs: number) => string;
  /** Called now and then with the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

interface MovedClock extends Clock {
  advance(ms: number): void;
}

function createMovedClock(startMs: number): MovedClock {
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => SECOND_MS + elapsedMs,
    advance: (ms) => {
      elapsedMs += ms;
    },
  };
}

function toFields(plan: DemoPlan, endMs: number): ServerFields {
  const { name, group, tags, region, publicNote, note, billing, autoRenew, trafficLimitBytes } = plan;
  const [priceMinor, currency, unit, days] = billing ?? [];
  const expiresAt = new Date(Math.floor(endMs / DAY_MS) * DAY_MS + (days ?? 0) * DAY_MS).toISOString();
  return serverFieldsSchema.parse({
    name,
    group,
    tags,
    region,
    publicNote,
    note,
    ...(billing === undefined
      ? {}
      : { billing: { priceMinor, currency, cycle: { n: 1, unit }, expiresAt, autoRenew } }),
    traffic: { limitBytes: trafficLimitBytes },
  });
}

/** Whether a machine reports at this moment of the past. */
function isThere(
  { plan, isAway }: DemoMachine,
  index: number,
  { nowMs, endMs }: { nowMs: number; endMs: number },
): boolean {
  if (plan.presence === "never" || isAway(nowMs)) return false;
  if (plan.presence === "offline") return nowMs < endMs - awayMs[index < 10 ? 0 : 1];
  return plan.presence === "online" || nowMs < endMs - PAUSED_MS;
}

interface Living {
  readonly agent: DemoAgent;
  readonly index: number;
  session?: AgentSession | undefined;
}

async function liveMoment(
  living: Living,
  moment: { monitor: Monitor; nowMs: number; endMs: number; reports: boolean },
): Promise<void> {
  const { machine, agentKey, payload } = living.agent;
  const { monitor, nowMs, reports } = moment;
  if (!isThere(machine, living.index, moment)) {
    living.session?.close();
    living.session = undefined;
    return;
  }
  const isNew = living.session === undefined;
  const serverId = machine.plan.id;
  living.session ??= await monitor.ingest.open({
    serverId,
    agentKey,
    hostname: serverId,
    remoteAddress: "127.0.0.1",
  });
  living.session.heartbeat();
  if (reports || isNew) await living.session.report(payload(nowMs), nowMs);
}

/** Pauses the machines of which the plan says so. */
async function pause(monitor: Monitor, { machines, endMs }: PastOptions): Promise<void> {
  for (const { plan } of machines) {
    if (plan.presence !== "disabled") continue;
    const fields = { ...toFields(plan, endMs), disabled: true };
    await monitor.servers.replace(plan.id, { fields, version: undefined, actor });
  }
}

/** Tries what is due, and lets the jobs say that they are done. */
async function liveChecks(
  { checkDirectory, checkWatch, heartbeats }: Monitor,
  { fromMs, nowMs }: { fromMs: number; nowMs: number },
): Promise<void> {
  await checkWatch.tick();
  for (const { id, pingKey: key, paused } of checkDirectory.records())
    if (key !== undefined && !paused)
      for (const ping of listPings(fromMs, nowMs)) await heartbeats.pings.take({ id, key }, ping);
  await heartbeats.watch.tick();
  await checkWatch.keep();
}

async function liveThrough(
  { monitor, clock }: { readonly monitor: Monitor; readonly clock: MovedClock },
  options: PastOptions,
  agents: readonly DemoAgent[],
): Promise<void> {
  const { machines, endMs, onProgress } = options;
  const living = agents.map((agent): Living => ({ agent, index: machines.indexOf(agent.machine) }));
  const startMs = clock.now();
  let keptMs = startMs;
  let isPaused = false;
  for (const { untilMs, stepMs, reportMs } of parts) {
    // Living through the past takes a while: the last part goes on until the present.
    while (clock.now() < (untilMs === 0 ? Date.now() : endMs - untilMs)) {
      clock.advance(stepMs);
      const nowMs = clock.now();
      const reports = (nowMs - startMs) % reportMs === 0;
      await Promise.all(living.map((one) => liveMoment(one, { monitor, nowMs, endMs, reports })));
      monitor.tick();
      await liveChecks(monitor, { fromMs: nowMs - stepMs, nowMs });
      await monitor.alerts.tick();
      if (reports) await monitor.notices.deliver();
      if (!isPaused && nowMs >= endMs - PAUSED_MS) {
        isPaused = true;
        await pause(monitor, options);
      }
      if (nowMs - keptMs < KEEP_MS) continue;
      keptMs = nowMs;
      await monitor.maintain();
      await monitor.usage.flush();
      await monitor.history.maintain();
      onProgress?.((nowMs - startMs) / (endMs - startMs));
    }
  }
  for (const { session } of living) session?.close();
  await monitor.usage.flush();
  onProgress?.(1);
}

/** Writes the history into an unused data folder; returns what the agents need to continue it. */
export async function writePast(options: PastOptions): Promise<readonly DemoAgent[]> {
  const { dataDir, machines, days, endMs, createPayload } = options;
  const startMs = endMs - days * DAY_MS;
  const clock = createMovedClock(startMs);
  const base = await openBase(
    {
      config: loadConfig({ DATA_DIR: dataDir, NOTIFY_PRIVATE: "1", CHECKS_PRIVATE: "1" }),
      runtime,
      clock,
      log: silentLog,
      bus: createLocalBus("demo"),
      services: [],
      tokenHashes: [],
    },
    { name: "monitor", collections: monitorCollections, secretCheck: monitorSecretCheck },
  );
  try {
    const probe = createPastProbe({ now: clock.now, endMs });
    const { monitor } = await openMonitor(base, { checking: { probe } });
    const agents: DemoAgent[] = [];
    for (const machine of machines) {
      const { id } = machine.plan;
      const { agentKey } = await monitor.servers.create(toFields(machine.plan, endMs), { id, actor });
      agents.push({ machine, agentKey, payload: createPayload(machine, startMs) });
    }
    const channel = { type: "http", name: "Operations chat", url: options.receiverUrl } as const;
    const { id: channelId } = await monitor.channels.create(channelInputSchema.parse(channel), actor);
    for (const rule of options.rules)
      await monitor.alerts.rules.create({ ...rule, channelIds: [channelId] }, actor);
    for (const input of listDemoChecks(options.targets)) await monitor.checks.create(input, { actor });
    await liveThrough({ monitor, clock }, options, agents);
    return agents;
  } finally {
    await base.close();
  }
}

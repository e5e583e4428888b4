/** Many simulated agents in one process, with the link of the real one over a few shared connections. */
import { createCollectionTimes } from "../../../src/agent/collection-times.ts";
import { createLink, type Link } from "../../../src/agent/connection/link.ts";
import { createReportQueue, type ReportQueue } from "../../../src/agent/queue/report-queue.ts";
import { type Timers, systemTimers } from "../../../src/agent/timers.ts";
import {
  type OpenStream,
  createChannelStreams,
  openChannel,
} from "../../../src/agent/connection/transport.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import type { AgentAccount, Ledger } from "./ledger.ts";
import { type SimulatedMachine, createSimulatedMachine } from "./payloads.ts";
import type { FleetKey } from "./servers.ts";

export interface FleetAgentsOptions {
  readonly keys: readonly FleetKey[];
  /** gRPC address, "host:port". */
  readonly address: string;
  readonly connections: number;
  readonly intervalMs: number;
  readonly ledger: Ledger;
}

export interface FleetAgents {
  /** Stops creating reports. */
  quiet(): void;
  /** Ends all streams and connections. */
  stop(): Promise<void>;
  /** By how much this process itself was late since the last call, at worst, in milliseconds. */
  takeLagMs(): number;
  /** Time until the last agent has started, in milliseconds. */
  readonly rampMs: number;
  /** Reasons of lost connections, by how often. */
  readonly reasons: ReadonlyMap<string, number>;
}

interface Simulated {
  readonly link: Link;
  readonly queue: ReportQueue;
  readonly machine: SimulatedMachine;
  readonly account: AgentAccount;
  readonly times: ReturnType<typeof createCollectionTimes>;
  /** After the fleet's start. */
  readonly startMs: number;
  running: Promise<void> | undefined;
}

/** Reports that one agent keeps at most: half an hour at 3 s. */
const QUEUE_LIMIT = 600;
const WHEEL_MS = 20;
/** Opening a stream costs both sides a millisecond or two: more at once would measure only that. */
const STARTS_PER_SECOND = 250;
const TICK_MS = 1000;

/** Thousands of sessions tick once a second: one timer walks them all. */
function createSharedTimers(): Timers & { close(): void } {
  const ticks = new Set<() => void>();
  const timer = setInterval(() => {
    for (const tick of ticks) tick();
  }, TICK_MS);
  return {
    sleep: systemTimers.sleep,
    every: (ms, work) => {
      if (ms !== TICK_MS) return systemTimers.every(ms, work);
      ticks.add(work);
      return () => void ticks.delete(work);
    },
    close: () => clearInterval(timer),
  };
}

function report(agent: Simulated, intervalMs: number): void {
  const collectedAtUnixMs = agent.times.next(Date.now());
  agent.account.collected();
  const dropped = agent.queue.add({ collectedAtUnixMs, payloadJson: agent.machine.next(intervalMs) });
  if (dropped.length > 0) agent.account.lost(dropped.length);
  agent.link.wake();
}

interface AgentsScope extends FleetAgentsOptions {
  readonly opens: readonly OpenStream[];
  readonly timers: Timers;
  readonly reasons: Map<string, number>;
  readonly rampMs: number;
}

function createAgents(scope: AgentsScope): Simulated[] {
  const { keys, intervalMs, ledger, opens, timers, reasons, rampMs } = scope;
  return keys.map(({ id, agentKey }, index): Simulated => {
    const account = ledger.open(id);
    const queue = createReportQueue({ limit: QUEUE_LIMIT });
    const link = createLink({
      identity: { serverId: id, agentKey, hostname: `fleet-${index + 1}` },
      reports: queue,
      open: opens[index % opens.length] ?? createChannelStreams(openChannel({ address: scope.address })),
      clock: systemClock,
      timers,
      log: silentLog,
      random: Math.random,
      events: {
        onOnline: () => account.online(true),
        onOffline: (reason) => {
          account.online(false);
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        },
        onSent: account.sent,
        onAcknowledged: account.acknowledged,
        onRejected: account.rejected,
      },
    });
    const machine = createSimulatedMachine(index, { intervalMs, nowMs: Date.now() });
    const times = createCollectionTimes(undefined);
    return {
      link,
      queue,
      machine,
      account,
      times,
      startMs: (rampMs * index) / keys.length,
      running: undefined,
    };
  });
}

/** Starts the agents, one after another over at least an interval; so are their reports spread. */
export function startAgents(options: FleetAgentsOptions): FleetAgents {
  const { keys, intervalMs } = options;
  const channels = Array.from({ length: options.connections }, () =>
    openChannel({ address: options.address }),
  );
  const opens: OpenStream[] = channels.map(createChannelStreams);
  const timers = createSharedTimers();
  // One for each agent: thousands of listeners on one signal would look like a leak.
  const stops: AbortController[] = [];
  const reasons = new Map<string, number>();
  const rampMs = Math.max(intervalMs, (keys.length / STARTS_PER_SECOND) * 1000);

  const agents = createAgents({ ...options, opens, timers, reasons, rampMs });

  // A wheel of one interval: each agent's slot comes round once, whenever the agent started.
  const slots = Array.from({ length: intervalMs / WHEEL_MS }, (): Simulated[] => []);
  for (const agent of agents) slots[Math.floor(agent.startMs / WHEEL_MS) % slots.length]?.push(agent);

  function turnTo(slot: number): void {
    for (const agent of slots[slot % slots.length] ?? []) {
      if (agent.startMs >= (slot + 1) * WHEEL_MS) continue;
      if (agent.running === undefined) {
        const stop = new AbortController();
        stops.push(stop);
        agent.running = agent.link.run(stop.signal);
      }
      report(agent, intervalMs);
    }
  }

  const beganMs = performance.now();
  let next = 0;
  let lagMs = 0;
  const wheel = setInterval(() => {
    const nowMs = performance.now() - beganMs;
    lagMs = Math.max(lagMs, nowMs - next * WHEEL_MS);
    for (; next * WHEEL_MS <= nowMs; next += 1) turnTo(next);
  }, WHEEL_MS);

  return {
    quiet: () => clearInterval(wheel),
    async stop() {
      clearInterval(wheel);
      for (const each of stops) each.abort();
      for (const { running } of agents) await running;
      for (const channel of channels) channel.close();
      timers.close();
    },
    takeLagMs() {
      const taken = Math.round(lagMs);
      lagMs = 0;
      return taken;
    },
    rampMs,
    reasons,
  };
}

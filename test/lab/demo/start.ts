/** The demonstration as a whole: its past, the program, agents that go on reporting. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DrivenAgent, startDrivenAgent } from "../fleet/driven-agent.ts";
import { type MonitorProgram, startMonitorProgram } from "../program.ts";
import { type DemoMachine, createDemoMachine } from "./machine.ts";
import { type Targets, startTargets } from "./checks.ts";
import { demoRules, startReceiver } from "./extras.ts";
import { type DemoAgent, writePast } from "./past.ts";
import { createPayloads } from "./payload.ts";
import { demoPlans } from "./plans.ts";

const INTERVAL_MS = 3_000;

export interface DemoOptions {
  /** Length of the past. */
  readonly days: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (share: number) => void;
}

export interface Demo {
  readonly monitor: MonitorProgram;
  /** Stops everything and removes its folder. */
  stop(): Promise<void>;
}

/** Agents report every 3 s, spread over that time. */
export function startAgents(agents: readonly DemoAgent[], address: string): { stop(): Promise<void> } {
  const driven: DrivenAgent[] = [];
  const timers: NodeJS.Timeout[] = [];
  for (const [index, { machine, agentKey, payload }] of agents.entries()) {
    if (machine.plan.presence !== "online") continue;
    const { id } = machine.plan;
    const agent = startDrivenAgent({ id, agentKey, address });
    driven.push(agent);
    // What was not sent is not missed: the next report comes soon.
    const report = (): void => void agent.send(payload(Date.now())).catch(() => undefined);
    report();
    const begin = setTimeout(
      () => timers.push(setInterval(report, INTERVAL_MS)),
      (INTERVAL_MS * index) / agents.length,
    );
    timers.push(begin);
  }
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(driven.map((agent) => agent.stop()));
    },
  };
}

export const demoMachines: readonly DemoMachine[] = demoPlans.map(createDemoMachine);

export interface MonitorPast {
  readonly dataDir: string;
  /** Length of the past. */
  readonly days: number;
  readonly receiverUrl: string;
  readonly targets: Targets;
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Writes the monitor's data; gives what its agents report from then on. */
export function writeMonitorPast({ onProgress, ...past }: MonitorPast): Promise<readonly DemoAgent[]> {
  return writePast({
    ...past,
    machines: demoMachines,
    rules: demoRules,
    endMs: Date.now(),
    createPayload: (machine, startMs) =>
      createPayloads({ machine, index: demoMachines.indexOf(machine), intervalMs: INTERVAL_MS, startMs }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

/** Starts a demonstration in a folder of its own. */
export async function startDemo({ days, env = {}, onProgress }: DemoOptions): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-demo-"));
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0)) await step();
  };
  try {
    const dataDir = join(folder, "data");
    const receiver = await startReceiver();
    undo.unshift(async () => receiver.close());
    const targets = await startTargets();
    undo.unshift(async () => targets.close());
    const agents = await writeMonitorPast({
      dataDir,
      days,
      receiverUrl: receiver.url,
      targets,
      onProgress,
    });
    const monitor = await startMonitorProgram({
      dataDir,
      env: { NOTIFY_PRIVATE: "1", CHECKS_PRIVATE: "1", ...env },
    });
    undo.unshift(() => monitor.stop());
    const reporting = startAgents(agents, monitor.grpc);
    undo.unshift(() => reporting.stop());
    await monitor.admin("PATCH", "/api/admin/settings", { siteTitle: "Northwind servers" });
    return { monitor, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

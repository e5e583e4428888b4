/** What main.ts bundles, loads and calls: a run of a seed. */
import "./platform/globals.ts";
import { simulateMonitor } from "./monitor/simulate-monitor.ts";
import { simulateNodes } from "./nodes/simulate-nodes.ts";
import { type SimulationOptions, type SimulationResult, simulateInstall } from "./simulate.ts";

/** Runs a seed from its beginning to its end. */
export function simulate(options: SimulationOptions): Promise<SimulationResult> {
  if (options.scene === "monitor") return simulateMonitor(options);
  if (options.scene === "nodes") return simulateNodes(options);
  return simulateInstall(options);
}

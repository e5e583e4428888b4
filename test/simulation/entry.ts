/** What main.ts bundles, loads and calls: a run of a seed. */
import "./platform/globals.ts";
import { simulateMonitor } from "./monitor/simulate-monitor.ts";
import { type SimulationOptions, type SimulationResult, simulateInstall } from "./simulate.ts";

/** Runs a seed from its beginning to its end. */
export function simulate(options: SimulationOptions): Promise<SimulationResult> {
  return options.scene === "monitor" ? simulateMonitor(options) : simulateInstall(options);
}

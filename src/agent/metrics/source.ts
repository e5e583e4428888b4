/** PORT: where measurements come from; one adapter for Linux, one for other systems. Hidden here: which of them runs. */
import { platform } from "node:os";
import type { Clock } from "../../kit/clock.ts";
import type { HostFacts, Measurements } from "../payload.ts";
import { createLinuxSource } from "./linux.ts";
import { systemFiles } from "./system-files.ts";

export interface MetricsSource {
  /** Measures now; undefined while CPU usage cannot be told, as at the first call. */
  measure(): Promise<Measurements | undefined>;
  /** Facts of the machine. */
  host(): Promise<HostFacts>;
}

export interface MetricsSourceOptions {
  readonly clock: Clock;
  readonly agentVersion: string;
}

/** The source for this machine. */
export async function createMetricsSource(options: MetricsSourceOptions): Promise<MetricsSource> {
  if (platform() === "linux") return createLinuxSource({ ...options, files: systemFiles });
  // systeminformation costs 20 MB: only where it is needed.
  const { createOtherSource, loadSysteminformation } = await import("./other-systems.ts");
  return createOtherSource({ ...options, system: await loadSysteminformation() });
}

/** The source of measurements for the machine at hand. */
import { networkInterfaces, platform } from "node:os";
import type { Clock } from "../../kit/time/clock.ts";
import { pickAddresses } from "./addresses.ts";
import { createLinuxSource } from "./linux.ts";
import type { MetricsSource } from "./source.ts";
import { createSystemFiles } from "./system-files.ts";

export interface MetricsSourceOptions {
  readonly clock: Clock;
  readonly agentVersion: string;
  /** Where a container sees the machine's "/"; absent outside of one. */
  readonly root?: string | undefined;
}

async function createSource(options: MetricsSourceOptions): Promise<MetricsSource> {
  if (platform() === "linux")
    return createLinuxSource({ ...options, files: createSystemFiles(options.root) });
  // systeminformation costs 20 MB: only where it is needed.
  const { createOtherSource, loadSysteminformation } = await import("./other-systems.ts");
  return createOtherSource({ ...options, system: await loadSysteminformation() });
}

/** The source for this machine. */
export async function createMetricsSource(options: MetricsSourceOptions): Promise<MetricsSource> {
  const { measure, host } = await createSource(options);
  return {
    measure,
    host: async () => ({ ...(await host()), addresses: pickAddresses(networkInterfaces()) }),
  };
}

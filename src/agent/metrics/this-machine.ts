/** The source of measurements for the machine at hand. */
import { cpus, machine, networkInterfaces, platform, release } from "node:os";
import type { Clock } from "../../kit/time/clock.ts";
import type { FactReader } from "../facts.ts";
import { createLinuxSource } from "./linux.ts";
import { type NameFilters, noFilters } from "../name-filter.ts";
import type { MetricsSource, OwnSystem } from "./source.ts";
import { createSystemFiles } from "./system-files.ts";

export interface MetricsSourceOptions {
  readonly clock: Clock;
  readonly facts: FactReader;
  /** The owner's filters. */
  readonly filters?: NameFilters | undefined;
  readonly agentVersion: string;
  /** Where a container sees the machine's "/"; absent outside of one. */
  readonly root?: string | undefined;
}

const ownSystem: OwnSystem = { cpus, machine, release, networkInterfaces };

export async function createMetricsSource(options: MetricsSourceOptions): Promise<MetricsSource> {
  const { root, filters = noFilters, ...shared } = options;
  const common = { ...shared, filters, system: ownSystem };
  if (platform() === "linux")
    return createLinuxSource({
      ...common,
      files: createSystemFiles(root),
      // In a container that looks at its machine, they are limits of the agent alone.
      hasOwnCgroup: root === undefined,
    });
  // systeminformation costs 20 MB: only where it is needed.
  const { createOtherSource, loadSysteminformation } = await import("./other-systems.ts");
  return createOtherSource({ ...common, information: await loadSysteminformation() });
}

/** The source of measurements for the machine at hand. */
import { readFileSync } from "node:fs";
import { cpus, hostname, machine, networkInterfaces, platform, release } from "node:os";
import type { Clock } from "../../kit/time/clock.ts";
import type { FactReader } from "../facts.ts";
import { createLinuxSource } from "./linux.ts";
import { sharesNetwork } from "./machine-paths.ts";
import { type NameFilters, noFilters } from "../name-filter.ts";
import type { MetricsSource, OwnSystem } from "./source.ts";
import { type SystemFiles, createSystemFiles } from "./system-files.ts";

export interface MetricsSourceOptions {
  readonly clock: Clock;
  readonly facts: FactReader;
  /** The owner's filters. */
  readonly filters?: NameFilters | undefined;
  readonly agentVersion: string;
  /** Where a container sees the machine's "/"; absent outside of one. */
  readonly root?: string | undefined;
}

const LONGEST_NAME = 100;
const ownSystem: OwnSystem = { cpus, machine, release, networkInterfaces };

/** The system as a container sees it: addresses of a network of its own are not the machine's. */
function createSeenSystem(files: SystemFiles): OwnSystem {
  return {
    ...ownSystem,
    networkInterfaces: () =>
      sharesNetwork(files.text("/proc/net/dev"), readFileSync("/proc/net/dev", "utf8"))
        ? networkInterfaces()
        : {},
  };
}

/** How the machine calls itself. A container has a host name of its own. */
export function readMachineName(root: string | undefined): string {
  const given = root === undefined ? undefined : createSystemFiles(root).text("/etc/hostname")?.trim();
  return given === undefined || given === "" || given.length > LONGEST_NAME ? hostname() : given;
}

export async function createMetricsSource(options: MetricsSourceOptions): Promise<MetricsSource> {
  const { root, filters = noFilters, ...shared } = options;
  if (platform() === "linux") {
    const files = createSystemFiles(root);
    return createLinuxSource({
      ...shared,
      filters,
      system: root === undefined ? ownSystem : createSeenSystem(files),
      files,
      // In a container that looks at its machine, they are limits of the agent alone.
      hasOwnCgroup: root === undefined,
    });
  }
  // systeminformation costs 20 MB: only where it is needed.
  const { createOtherSource, loadSysteminformation } = await import("./other-systems.ts");
  return createOtherSource({
    ...shared,
    filters,
    system: ownSystem,
    information: await loadSysteminformation(),
  });
}

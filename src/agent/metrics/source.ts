/** PORT: where measurements come from; one adapter for Linux, one for other systems. */
import type { CpuInfo, NetworkInterfaceInfo } from "node:os";
import type { HostFacts, Measurements } from "../payload.ts";

/** Values that the runtime reads from the machine; every call may throw where the system forbids it. */
export interface OwnSystem {
  cpus(): CpuInfo[];
  machine(): string;
  release(): string;
  networkInterfaces(): Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;
}

export interface MetricsSource {
  /** Measures now; undefined at the first call, when CPU usage cannot be known yet. Never fails: see `FactReader`. */
  measure(): Promise<Measurements | undefined>;
  /** Facts of the machine. */
  host(): Promise<HostFacts>;
}

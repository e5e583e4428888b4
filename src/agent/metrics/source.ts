/** PORT: where measurements come from; one adapter for Linux, one for other systems. */
import type { HostFacts, Measurements } from "../payload.ts";

export interface MetricsSource {
  /** Measures now; undefined while CPU usage is not known, as at the first call. */
  measure(): Promise<Measurements | undefined>;
  /** Facts of the machine. */
  host(): Promise<HostFacts>;
}

/** In place of the figures of the process: a simulated one has none of its own. */
import type { Clock } from "../../../src/kit/time/clock.ts";
import type { ProcessFacts } from "../../../src/kit/observe/process-metrics.ts";

export function createProcessFacts(clock: Clock): { read(): ProcessFacts; stop(): void } {
  const startMs = clock.monotonic();
  return {
    read: () => ({
      uptimeSeconds: Math.floor((clock.monotonic() - startMs) / 1_000),
      residentBytes: 0,
      heapUsedBytes: 0,
      eventLoopDelayMaxMs: 0,
    }),
    stop: () => undefined,
  };
}

export function addProcessMetrics(): () => void {
  return () => undefined;
}

/** A service application for tests, with what it logged and counted. */
import { createServiceApp, type ServiceApp, type ServiceAppOptions } from "../../src/kit/http/app.ts";
import { createLog } from "../../src/kit/observe/log.ts";
import { createMetrics, type Metrics } from "../../src/kit/observe/metrics.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

export interface AppHarness {
  readonly app: ServiceApp;
  readonly clock: FixedClock;
  readonly metrics: Metrics;
  /** Log lines, parsed. */
  logged(): Record<string, unknown>[];
  /** Everything that was written. */
  logText(): string;
}

/** Creates an application with a body limit of 1,000 bytes and no trusted proxy or origin. */
export function createAppHarness(options: Partial<ServiceAppOptions> = {}): AppHarness {
  const lines: string[] = [];
  const clock = createFixedClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const metrics = createMetrics();
  const app = createServiceApp({
    name: "test",
    title: "Test service",
    version: "1.0.0",
    description: "A service for tests",
    log: createLog({ level: "debug", clock, write: (line) => lines.push(line) }),
    clock,
    metrics,
    bodyLimitBytes: 1_000,
    allowedOrigins: [],
    trustedProxies: [],
    ...options,
  });
  return {
    app,
    clock,
    metrics,
    logText: () => lines.join("\n"),
    logged: () => lines.map((line): Record<string, unknown> => Object(JSON.parse(line))),
  };
}

/** The body of a problem document. */
export async function readProblem(response: Response): Promise<Record<string, unknown>> {
  return Object(await response.json());
}

/** The health report of a service. */
import type { Clock } from "../time/clock.ts";

const CHECK_TIMEOUT_MS = 1_000;

/** One check's outcome. */
export interface HealthCheck {
  readonly status: "ok" | "failing";
  readonly durationMs: number;
}

/** The response of `/api/health`. */
export interface HealthReport {
  /** "degraded": the service works, but something that only a part of it needs is unavailable. */
  readonly status: "ok" | "degraded" | "failing";
  readonly version: string;
  /** A version that is out and newer, where the owner wants to know. */
  readonly newerVersion?: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly uptimeSeconds: number;
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** The state of the stored data. */
  readonly data?: DataState;
}

/** How much of what is stored is damaged, and when all of it was read through last (ISO 8601). */
export interface DataState {
  readonly damaged: number;
  readonly checkedAt?: string;
}

/** Parts of a report; a check passes when it resolves within 1 s. */
export interface HealthOptions {
  readonly version: string;
  readonly clock: Clock;
  readonly findNewer?: () => string | undefined;
  readonly readData?: () => DataState;
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Checks that only a part of the service needs: when one fails the report is "degraded", not "failing". */
  readonly optional?: readonly string[];
  /** Called with why a check failed, which the public report does not show. */
  readonly onFailure?: (name: string, error: unknown) => void;
}

async function bounded(check: () => Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([Promise.resolve().then(check), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates a function that runs all checks together and reports. Uptime counts from here. */
export function createHealth(options: HealthOptions): () => Promise<HealthReport> {
  const { clock } = options;
  const startedAt = clock.monotonic();
  async function run(name: string, check: () => Promise<void>): Promise<[string, HealthCheck]> {
    const from = clock.monotonic();
    let status: HealthCheck["status"] = "ok";
    try {
      await bounded(check);
    } catch (error) {
      status = "failing";
      options.onFailure?.(name, error);
    }
    return [name, { status, durationMs: Math.round(clock.monotonic() - from) }];
  }
  return async () => {
    const results = await Promise.all(
      Object.entries(options.checks).map(([name, check]) => run(name, check)),
    );
    const failing = results.filter(([, result]) => result.status === "failing");
    const isDown = failing.some(([name]) => options.optional?.includes(name) !== true);
    return {
      status: isDown ? "failing" : failing.length > 0 ? "degraded" : "ok",
      version: options.version,
      newerVersion: options.findNewer?.(),
      timestamp: new Date(clock.now()).toISOString(),
      uptimeSeconds: Math.floor((clock.monotonic() - startedAt) / 1_000),
      checks: Object.fromEntries(results),
      ...(options.readData === undefined ? {} : { data: options.readData() }),
    };
  };
}

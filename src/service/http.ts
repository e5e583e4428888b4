/** The HTTP listener of a service, and what its application is given. */
import type { ServiceName } from "../config.ts";
import type { CommonAppOptions, ServiceApp } from "../kit/http/app.ts";
import { createHealth } from "../kit/observe/health.ts";
import type { Metrics } from "../kit/observe/metrics.ts";
import type { Listener } from "../runtime/runtime.ts";
import { VERSION } from "../version.ts";
import { toBusChecks } from "./bus.ts";
import { toUrlHost } from "./local-url.ts";
import type { ServiceContext } from "./service.ts";

export interface HttpParts {
  /** What the health report looks at beside the bus. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Checks without which most of the service does its work. */
  readonly optional?: readonly string[];
  /** Default: that of the program. */
  readonly version?: string;
}

/** What every application takes of the context and the configuration. */
export function toAppOptions(
  context: ServiceContext & { readonly metrics: Metrics },
  service: ServiceName,
  { checks, optional = [], version = VERSION }: HttpParts,
): CommonAppOptions {
  const { config, clock, log, bus, metrics } = context;
  return {
    version,
    log,
    clock,
    metrics,
    health: createHealth({
      version,
      clock,
      checks: { ...checks, ...toBusChecks(bus) },
      optional: [...optional, "bus"],
      onFailure: (name, error) => log.warn("A health check failed", { check: name, error }),
    }),
    allowedOrigins: config.allowedOrigins[service],
    trustedProxies: config.trustedProxies,
    metricsPublic: config.metricsPublic,
  };
}

/** Starts the listener. */
export function serveApp(
  { config, runtime, log }: ServiceContext,
  service: ServiceName,
  app: ServiceApp,
): Promise<Listener> {
  return runtime.serveHttp({
    hostname: config.host,
    port: config.ports[service],
    handler: (request, connection) => app.fetch(request, connection),
    onError: (error) => log.warn("A connection failed", { error }),
  });
}

/** Lines for people: where the service listens. */
export function listAddresses(
  { config }: Pick<ServiceContext, "config">,
  service: ServiceName,
  port: number,
): string[] {
  const url = `http://${toUrlHost(config.host)}:${port}`;
  return [`${service.padEnd(8)} ${url}/`, `         API documents   ${url}/swagger/index.html`];
}

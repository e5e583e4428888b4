/** The HTTP listener of a service, and what its application is given. */
import type { ServiceName } from "../kit/services.ts";
import type { CommonAppOptions, ServiceApp } from "../kit/http/app.ts";
import { createHealth } from "../kit/observe/health.ts";
import type { Metrics } from "../kit/observe/metrics.ts";
import type { HttpHandler } from "../runtime/runtime.ts";
import { VERSION } from "../version.ts";
import { toBusChecks } from "./bus.ts";
import type { DataWatch } from "./data-watch.ts";
import type { Observer } from "./observed.ts";
import type { OwnsHost } from "./gateway.ts";
import { guardHost } from "./hosts/host-guard.ts";
import { type SocketAddress, isSocketAddress } from "../kit/text/socket-address.ts";
import { toUrlHost } from "../kit/outbound/places.ts";
import { describeConsole } from "./local-url.ts";
import type { ServiceContext } from "./service.ts";

export interface HttpParts {
  /** Health checks other than the bus. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Checks without which most of the service does its work. */
  readonly optional?: readonly string[];
  /** Default: that of the program. */
  readonly version?: string;
}

/** Common options of every application, from the context and the configuration. */
export function toAppOptions(
  context: ServiceContext & {
    readonly metrics: Metrics;
    readonly observer: Observer;
    readonly data: DataWatch;
  },
  service: ServiceName,
  { checks, optional = [], version = VERSION }: HttpParts,
): CommonAppOptions {
  const { config, clock, log, bus, metrics, backups, updates, observer, data } = context;
  return {
    onUntrustedProxy: observer.noteUntrustedProxy,
    version,
    log,
    clock,
    metrics,
    health: createHealth({
      version,
      clock,
      findNewer: updates?.newer,
      checks: {
        ...checks,
        data: () => data.check(),
        ...toBusChecks(bus),
        ...(backups === undefined ? {} : { backup: () => backups.check() }),
      },
      // A part that is damaged is refused by itself; the rest is served.
      optional: [...optional, "data", "bus", "backup"],
      readData: data.report,
      onFailure: (name, error) => log.warn("A health check failed", { check: name, error }),
    }),
    allowedOrigins: config.allowedOrigins[service],
    trustedProxies: config.trustedProxies,
    securityContacts: config.securityContacts,
    metricsPublic: config.metricsPublic,
    readOnly: config.readOnly,
    basePath: config.places[service].basePath,
  };
}

/** The listeners of a service: its own, the shared one, or both. */
export interface Served {
  /** The port or the socket of its listener, if it has one. */
  readonly port: number | SocketAddress | undefined;
  close(options: { graceMs: number }): Promise<void>;
}

/** Starts the listener, unless it is off, and hands the service to the one that is shared. */
export async function serveApp(
  { config, runtime, log, gateway }: ServiceContext,
  service: ServiceName,
  { app, ownsHost }: { readonly app: ServiceApp; readonly ownsHost?: OwnsHost | undefined },
): Promise<Served> {
  const handler: HttpHandler = (request, connection) => app.fetch(request, connection);
  const port = config.ports[service];
  // Requests may come before the listener is known here.
  const place: { port?: number } = {};
  const own =
    port === "off"
      ? undefined
      : await runtime.serveHttp({
          hostname: config.host,
          port,
          socketMode: config.socketMode,
          handler: isSocketAddress(port)
            ? handler
            : guardHost(handler, {
                config,
                log,
                port: () => place.port,
                ownsHost: (hostname) => ownsHost?.(hostname) === true,
              }),
          onError: (error) => log.warn("A connection failed", { error }),
        });
  if (own !== undefined) place.port = own.port;
  gateway?.add(service, handler, ownsHost);
  return {
    port: isSocketAddress(port) ? port : own?.port,
    close: async (options) => {
      await Promise.all([own?.close(options), gateway?.close(options)]);
    },
  };
}

/** Lines for people: where the service listens. */
export function listAddresses(
  { config }: Pick<ServiceContext, "config">,
  service: ServiceName,
  port: number | SocketAddress | undefined,
): string[] {
  if (port === undefined) return [];
  if (isSocketAddress(port)) {
    const { url = "" } = config.places[service];
    return [`${service.padEnd(8)} ${url}/  through a proxy to ${port}`, describeConsole(url)];
  }
  const url = `http://${toUrlHost(config.host)}:${port}`;
  return [
    `${service.padEnd(8)} ${url}/`,
    describeConsole(url),
    `         API documents   ${url}/swagger/index.html`,
  ];
}

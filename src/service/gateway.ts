/** One listener for all services of the process: finds the service by the host name and the path of a request. */
import type { Config } from "../config.ts";
import type { ServiceName } from "../kit/services.ts";
import { AppError } from "../kit/errors.ts";
import { type ServiceApp, createServiceApp } from "../kit/http/app.ts";
import { type SocketAddress, isSocketAddress } from "../kit/text/socket-address.ts";
import { INTERNAL_PATH, type Place, toUrlHost } from "../kit/outbound/places.ts";
import { stripBase } from "../kit/text/base-path.ts";
import { type PageAssets, addAssets, loadPageAssets } from "../kit/http/web-assets.ts";
import { createErrorPage, createPlainVisits } from "../html/error-page.tsx";
import { createHealth } from "../kit/observe/health.ts";
import type { Log } from "../kit/observe/log.ts";
import { createMetrics } from "../kit/observe/metrics.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { HttpHandler, Listener, Runtime } from "../runtime/runtime.ts";
import { VERSION } from "../version.ts";
import { guardHost } from "./hosts/host-guard.ts";
import { describeConsole } from "./local-url.ts";

/** Options of a gateway. */
export interface GatewayOptions {
  readonly config: Pick<Config, "host" | "places" | "socketMode" | "trustedProxies" | "securityContacts"> & {
    readonly gatewayPort: number | SocketAddress;
  };
  readonly runtime: Pick<Runtime, "serveHttp">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether a host, in small letters and without a port, is a service's alone, whatever the path. */
export type OwnsHost = (hostname: string) => boolean;

/** The listener that services share. */
export interface Gateway {
  /** Serves a service from now on, also at the hosts that it owns, such as those of status pages. */
  add(service: ServiceName, handler: HttpHandler, ownsHost?: OwnsHost): void;
  /** Begins to listen; gives lines for people. Throws with `code` "EADDRINUSE" or "EACCES" when it cannot. */
  listen(): Promise<readonly string[]>;
  /** Idempotent: stops accepting connections and waits for running requests. */
  close(options: { graceMs: number }): Promise<void>;
}

interface Route extends Place {
  readonly service: ServiceName;
  /** Where people find it: a URL, or a path of every host. */
  readonly address: string;
  readonly handler: HttpHandler;
  readonly ownsHost: OwnsHost | undefined;
  /** Throws unless the service is well. */
  readonly check: () => Promise<void>;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;

/** Splits "http://Host:1/path?query" without making a URL of it, which each request would pay for. */
function splitUrl(url: string): { hostname: string; path: string } {
  const start = url.indexOf("://") + 3;
  const slash = url.indexOf("/", start);
  const query = url.indexOf("?", slash);
  const hostname = url.slice(start, slash).replace(/:\d*$/u, "").replace(/\.$/u, "").toLowerCase();
  return { hostname, path: url.slice(slash, query === -1 ? undefined : query) };
}

/** The service that has the host for itself; addresses of services go first. */
function findOwner(routes: readonly Route[], hostname: string): Route | undefined {
  const owner = routes.find(({ ownsHost }) => ownsHost?.(hostname));
  return owner === undefined || routes.some((route) => route.hostname === hostname) ? undefined : owner;
}

/** The rest of an internal path, with the service that it names. */
const INTERNAL = /^\/\.services\/([a-z]+)(\/.*)$/u;

/** Leads a request of this machine for a service to it, whatever host name the service has. */
function toInternal(
  routes: readonly Route[],
  request: Request,
): [route: Route, request: Request] | undefined {
  const url = new URL(request.url);
  const [, name, path = "/"] = INTERNAL.exec(url.pathname) ?? [];
  const route = routes.find(({ service }) => service === name);
  if (route === undefined) return undefined;
  url.pathname = path;
  return [route, new Request(url, request)];
}

/** The route with the longest path that a path is below. */
function findByPath(routes: readonly Route[], path: string): Route | undefined {
  let best: Route | undefined;
  for (const route of routes) {
    const isBelow = route.basePath === "" || stripBase(path, route.basePath) !== path;
    if (isBelow && (best === undefined || route.basePath.length > best.basePath.length)) best = route;
  }
  return best;
}

const METADATA = "/.well-known/oauth-authorization-server";

/** The auth center below a path: its metadata is between the host and that path (RFC 8414 section 3.1). */
function findByMetadata(routes: readonly Route[], path: string): Route | undefined {
  if (!path.startsWith(METADATA)) return undefined;
  return routes.find(({ service, basePath }) => service === "auth" && path === METADATA + basePath);
}

/** Crawlers read the rules of a host at its root alone (RFC 9309 section 2.3): the shop's, which is the only service with rules. */
function findByRobots(routes: readonly Route[], path: string): Route | undefined {
  return path === "/robots.txt" ? routes.find(({ service }) => service === "shop") : undefined;
}

/** Groups routes by host; those of services without a host name are everywhere. */
function groupRoutes(routes: readonly Route[]) {
  const anywhere = routes.filter(({ hostname }) => hostname === undefined);
  const named = new Map<string, readonly Route[]>();
  for (const { hostname } of routes)
    if (hostname !== undefined)
      named.set(hostname, [...routes.filter((route) => route.hostname === hostname), ...anywhere]);
  // On the machine itself a path is enough, where only one service has it.
  const local = routes.filter(
    ({ basePath }) => routes.filter((route) => route.basePath === basePath).length === 1,
  );
  return (hostname: string): readonly Route[] =>
    named.get(hostname) ?? (anywhere.length === 0 && LOOPBACK.test(hostname) ? local : anywhere);
}

/** Answers who came to a place where no service is, and those who ask for the health of all. */
function createUnknownApp(
  { config, clock, log }: GatewayOptions,
  parts: { routes: readonly Route[]; isKnownHost: (url: string) => boolean; assets: PageAssets },
): ServiceApp {
  const { routes, isKnownHost, assets } = parts;
  const listAddresses = (): string[] => routes.map(({ address }) => address);
  const app = createServiceApp({
    name: "gateway",
    title: "Trivet",
    description: "A single port for all services",
    version: VERSION,
    log,
    clock,
    metrics: createMetrics(),
    bodyLimitBytes: 0,
    allowedOrigins: [],
    trustedProxies: config.trustedProxies,
    securityContacts: config.securityContacts,
    errorPage: createErrorPage(createPlainVisits({ readName: async () => "Trivet", assets }), listAddresses),
  });
  addAssets(app, "/assets/:file", assets.find);
  // Browsers ask at the root for the icon of pages that name none, such as Swagger UI's.
  addAssets(app, "/favicon.ico", () => assets.find(assets.icon));
  app.get("/api/health", async (c) => {
    const checks = Object.fromEntries(routes.map(({ service, check }) => [service, check]));
    const report = await createHealth({ version: VERSION, clock, checks })();
    return c.json(report, report.status === "ok" ? 200 : 503, { "cache-control": "no-store" });
  });
  app.all("*", (c) => {
    const details = { addresses: listAddresses() };
    if (isKnownHost(c.req.url))
      throw new AppError("not_found", "This path does not belong to a service", { details });
    throw new AppError(
      "misdirected",
      "This host name does not belong to a service. A proxy must forward the public host name, and PUBLIC_URL, AUTH_PUBLIC_URL or SHOP_PUBLIC_URL must contain it",
      { details },
    );
  });
  return app;
}

/** Checks a service's health. */
async function checkHealth(handler: HttpHandler): Promise<void> {
  const request = new Request("http://127.0.0.1/api/health");
  const response = await handler(request, { remoteAddress: "127.0.0.1" });
  if (!response.ok) throw new Error(`The health check returned status ${response.status}`);
}

/** Creates the listener. Throws when the files of its page are missing: they come with the program. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, runtime, log } = options;
  const { places, host, gatewayPort } = config;
  const ownHost = toUrlHost(host);
  const routes: Route[] = [];
  let routesOf = groupRoutes(routes);
  const isKnownHost = (url: string): boolean => routesOf(splitUrl(url).hostname).length > 0;
  const unknown = createUnknownApp(options, { routes, isKnownHost, assets: await loadPageAssets() });
  const handler: HttpHandler = (request, connection) => {
    const { hostname, path } = splitUrl(request.url);
    if (path.startsWith(INTERNAL_PATH) && (LOOPBACK.test(hostname) || hostname === ownHost)) {
      const found = toInternal(routes, request);
      if (found !== undefined) return found[0].handler(found[1], connection);
    }
    // Proxies pass this on under the host names of the sites that the auth center protects.
    const isForwarded = path.startsWith("/.trivet/");
    const route = isForwarded
      ? routes.find(({ service }) => service === "auth")
      : (findOwner(routes, hostname) ??
        findByMetadata(routesOf(hostname), path) ??
        findByRobots(routesOf(hostname), path) ??
        findByPath(routesOf(hostname), path));
    return route === undefined ? unknown.fetch(request, connection) : route.handler(request, connection);
  };
  let listener: Listener | undefined;
  return {
    add: (service, serve, ownsHost) => {
      const place = places[service];
      const address = place.url ?? `${place.basePath}/`;
      routes.push({ ...place, service, address, handler: serve, ownsHost, check: () => checkHealth(serve) });
      routesOf = groupRoutes(routes);
    },
    listen: async () => {
      listener = await runtime.serveHttp({
        hostname: host,
        port: gatewayPort,
        socketMode: config.socketMode,
        handler: isSocketAddress(gatewayPort)
          ? handler
          : guardHost(handler, {
              config,
              log,
              port: () => listener?.port,
              ownsHost: (hostname) => findOwner(routes, hostname) !== undefined,
            }),
        onError: (error) => log.warn("A connection failed", { error }),
      });
      const isSocket = isSocketAddress(gatewayPort);
      const own = isSocket ? gatewayPort : `http://${toUrlHost(host)}:${listener.port}`;
      log.info("Listening for all services", { http: isSocket ? gatewayPort : listener.port });
      return routes.flatMap(({ service, address, hostname }, index) => {
        const name = index === 0 ? "gateway" : "";
        const place = hostname === undefined ? own + address : address;
        const shown = hostname === undefined ? place : `${isSocket ? own : `${own}/`} as ${place}`;
        return [`${name.padEnd(8)} ${shown}  ${service}`, describeConsole(place.replace(/\/$/u, ""))];
      });
    },
    close: async (closeOptions) => listener?.close(closeOptions),
  };
}

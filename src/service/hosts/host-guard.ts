/**
 * Requests under a name that someone else points at this machine (DNS rebinding): a page of that name would read what
 * the services show on loopback. A proxy passes on names without our port, and a browser that was led here names it.
 */
import type { Config } from "../../config.ts";
import { AppError } from "../../kit/errors.ts";
import { toProblemResponse } from "../../kit/http/problem.ts";
import type { Log } from "../../kit/observe/log.ts";
import { createRequestIds } from "../../kit/observe/request-id.ts";
import { isLocalHost } from "../../kit/outbound/origin.ts";
import type { HttpHandler } from "../../runtime/runtime.ts";

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/u;
const HTTP_PORT = 80;

export interface HostGuardOptions {
  readonly config: Pick<Config, "host" | "places">;
  readonly log: Log;
  /** That of the listener, once it listens. */
  readonly port: () => number | undefined;
  /** Other names that are ours. */
  readonly ownsHost: (hostname: string) => boolean;
}

/** The host name that a request came under when it is neither ours nor passed on by a proxy. */
function findStrange(url: string, port: number | undefined): string | undefined {
  const start = url.indexOf("://") + 3;
  const authority = url.slice(start, url.indexOf("/", start)).toLowerCase();
  const suffix = port === HTTP_PORT ? "" : `:${port}`;
  if (!authority.endsWith(suffix)) return undefined;
  const hostname = authority.slice(0, authority.length - suffix.length).replace(/\.$/u, "");
  return isLocalHost(hostname) || (suffix === "" && hostname.includes(":")) ? undefined : hostname;
}

/**
 * Serves requests under names that can belong to this service; others get 421. The names of listeners beyond
 * loopback are unknown.
 */
export function guardHost(handler: HttpHandler, options: HostGuardOptions): HttpHandler {
  const { config, log, port, ownsHost } = options;
  if (!LOOPBACK.test(config.host)) return handler;
  const known = new Set(Object.values(config.places).map(({ hostname }) => hostname));
  const newRequestId = createRequestIds();
  let isTold = false;
  return (request, connection) => {
    const hostname = findStrange(request.url, port());
    if (hostname === undefined || known.has(hostname) || ownsHost(hostname))
      return handler(request, connection);
    const message = `"${hostname}" is not a host name of this service. Open http://127.0.0.1:${port()}, or set PUBLIC_URL, AUTH_PUBLIC_URL or SHOP_PUBLIC_URL to its public URL`;
    if (!isTold) log.warn("Rejected a request for an unknown host name", { hostname, message });
    isTold = true;
    const requestId = newRequestId();
    const response = toProblemResponse(new AppError("misdirected", message), requestId);
    response.headers.set("x-request-id", requestId);
    return response;
  };
}

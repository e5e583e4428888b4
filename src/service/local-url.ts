/** Where a service is reached on this machine, for those who have set no public address yet. */
import type { Config, ServiceName } from "../config.ts";

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Its own port, or below the gateway's; "" when the port is not known. */
export function toLocalUrl(
  { host, ports, gatewayPort = 0, places }: Pick<Config, "host" | "ports" | "gatewayPort" | "places">,
  service: ServiceName,
): string {
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "127.0.0.1" : toUrlHost(host);
  const own = ports[service];
  if (own === "off")
    return gatewayPort === 0 ? "" : `http://${name}:${gatewayPort}${places[service].basePath}`;
  return own === 0 ? "" : `http://${name}:${own}`;
}

/** A line for people at the start: where the console of a service is, and how to get in. */
export function describeConsole(url: string): string {
  return `         administration  ${url}/admin (sign in with the administrator token)`;
}

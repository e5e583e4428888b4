/** Where a service is reached on this machine, for those who have set no public address yet. */
import type { Config } from "../config.ts";
import type { ServiceName } from "../kit/services.ts";
import { toSocketUrl } from "../kit/outbound/unix-socket.ts";
import { isSocketAddress } from "../kit/text/socket-address.ts";
import { toLocalHost, toSharedPath } from "../kit/outbound/places.ts";

type Addresses = Pick<Config, "host" | "ports" | "gatewayPort" | "places">;

/** Its own port, or below the gateway's at `sharedPath`; "" when the port is not known. */
function toUrl(
  { host, ports, gatewayPort = 0 }: Addresses,
  service: ServiceName,
  sharedPath: string,
): string {
  const own = ports[service];
  const place = own === "off" ? gatewayPort : own;
  const path = own === "off" ? sharedPath : "";
  if (isSocketAddress(place)) return toSocketUrl(place, path);
  return place === 0 ? "" : `http://${toLocalHost(host)}:${place}${path}`;
}

/** Where people on this machine reach a service that has no public address; "" when the port is not known. */
export function toLocalUrl(config: Addresses, service: ServiceName): string {
  return toUrl(config, service, config.places[service].basePath);
}

/** Where the programs of this machine reach a service, whatever its public address is; "" when the port is not known. */
export function toInternalUrl(config: Addresses, service: ServiceName): string {
  return toUrl(config, service, toSharedPath(config.places, service));
}

/** A line for people at the start: where the console of a service is, and how to get in. */
export function describeConsole(url: string): string {
  return `         administration  ${url}/admin (sign in with the administrator token)`;
}

/** The other services of the install as applications of its auth center: their ids, secrets and addresses, which both sides work out alike. */
import type { Config } from "../config.ts";
import { createSecretBox } from "../kit/secrets/secret-box.ts";
import { toLocalHost, toUrlHost } from "../kit/outbound/places.ts";

/** Services that sign people in at the center. */
export const ownClients = ["monitor", "shop"] as const;
export type OwnClient = (typeof ownClients)[number];

/** An address at which browsers reach a service, with that of the center for the same browser. */
export interface OwnAddress {
  readonly appUrl: string;
  readonly authUrl: string;
}

/** The secret of the application, made of that which seals what the service keeps. */
export function toClientSecret(serviceSecret: string): string {
  return `own_${createSecretBox(serviceSecret).mac("secret of the application", "auth center")}`;
}

/** Local host names, used if no public URL is set; other machines need a public URL. */
function listHosts(host: string): string[] {
  const isHere = ["127.0.0.1", "localhost", "0.0.0.0", "::"].includes(host);
  return isHere ? ["127.0.0.1", "localhost"] : [toUrlHost(host)];
}

type AddressConfig = Pick<Config, "host" | "ports" | "gatewayPort" | "places" | "authUrl" | "authPublicUrl">;

/** Its addresses on one host: at its own port, and at the one that all share. */
function listOnHost(
  { ports, gatewayPort, places }: AddressConfig,
  service: OwnClient | "auth",
  host: string,
): string[] {
  const own = ports[service];
  const shared =
    typeof gatewayPort === "number" ? [`http://${host}:${gatewayPort}${places[service].basePath}`] : [];
  return typeof own === "number" && own !== 0 ? [...shared, `http://${host}:${own}`] : shared;
}

/** Where browsers reach a service: its public address, or those of this machine. */
export function listOwnAddresses(config: AddressConfig, service: OwnClient): OwnAddress[] {
  const { url } = config.places[service];
  const isHere = config.authUrl.startsWith(`http://${toLocalHost(config.host)}:`);
  const toAuthUrl = (host: string): string =>
    config.authPublicUrl ?? (isHere ? listOnHost(config, "auth", host)[0] : undefined) ?? config.authUrl;
  if (url !== undefined) return [{ appUrl: url, authUrl: toAuthUrl(toUrlHost(new URL(url).hostname)) }];
  return listHosts(config.host).flatMap((host) =>
    listOnHost(config, service, host).map((appUrl) => ({ appUrl, authUrl: toAuthUrl(host) })),
  );
}

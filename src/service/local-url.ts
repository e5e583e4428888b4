/** Where a service is reached on this machine, for those who have set no public address yet. */
import type { Config } from "../config.ts";

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** "" when the port is not known. */
export function toLocalUrl(host: string, port: Config["ports"]["auth"]): string {
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "127.0.0.1" : toUrlHost(host);
  return port === 0 ? "" : `http://${name}:${port}`;
}

/** Where a service is reached on this machine, for those who have set no public address yet. */
import type { Config } from "../config.ts";

/** "" when the port is not known. */
export function toLocalUrl(host: string, port: Config["ports"]["auth"]): string {
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return port === 0 ? "" : `http://${name}:${port}`;
}

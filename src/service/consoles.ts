/** Which services of this install have a console, and where people reach it. */
import type { ConsolePlace } from "../kit/outbound/consoles.ts";
import type { ServiceContext } from "./service.ts";

/** In the order in which they are shown. */
const withConsole = ["monitor", "auth", "shop"] as const;

/** Those that run here, in that order. */
export function listConsoles({
  config,
  services,
}: Pick<ServiceContext, "config" | "services">): ConsolePlace[] {
  const { places, ports, gatewayPort } = config;
  return withConsole
    .filter((service) => services.includes(service))
    .map((service) => {
      const { url, basePath } = places[service];
      const port = ports[service];
      if (gatewayPort !== undefined) return { service, url, basePath };
      return { service, url, ...(port === "off" ? {} : { port }) };
    });
}

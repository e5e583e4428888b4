/** Which services of this install have a console, and where people reach it. */
import { serviceNames } from "../kit/services.ts";
import type { ConsolePlace } from "../kit/outbound/consoles.ts";
import type { ServiceContext } from "./service.ts";

/** Those that run here, in that order. */
export function listConsoles({
  config,
  services,
}: Pick<ServiceContext, "config" | "services">): ConsolePlace[] {
  const { places, ports, gatewayPort } = config;
  return serviceNames
    .filter((service) => services.includes(service))
    .map((service) => {
      const { url, basePath } = places[service];
      const port = ports[service];
      if (gatewayPort !== undefined) return { service, url, basePath };
      return { service, url, ...(typeof port === "number" ? { port } : {}) };
    });
}

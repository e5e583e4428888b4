/** Where the parts of a cluster are, in a form that goes through a variable of the environment. */
import { z } from "zod";

/** The nodes of a cluster. */
export const nodeNames = ["a", "b"] as const;
export type NodeName = (typeof nodeNames)[number];

/** Ports of loopback. */
export type ServicePorts = Readonly<Record<"monitor" | "auth" | "shop" | "grpc", number>>;

const serviceUrls = z.object({
  monitor: z.url(),
  auth: z.url(),
  shop: z.url(),
  /** "host:port" */
  grpc: z.string(),
});

/** HTTP addresses without a slash at their end, and "host:port" of the agents' listener. */
export type ServiceUrls = z.infer<typeof serviceUrls>;

/** Everything that a test needs to know of a cluster. */
export const clusterAddresses = z.object({
  front: serviceUrls,
  nodes: z.object({ a: serviceUrls, b: serviceUrls }),
  adminToken: z.string(),
  databaseUrl: z.string(),
  natsUrl: z.string(),
});
export type ClusterAddresses = z.infer<typeof clusterAddresses>;

/** Addresses of services on loopback. */
export function toServiceUrls(ports: ServicePorts): ServiceUrls {
  const toUrl = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    monitor: toUrl(ports.monitor),
    auth: toUrl(ports.auth),
    shop: toUrl(ports.shop),
    grpc: `127.0.0.1:${ports.grpc}`,
  };
}

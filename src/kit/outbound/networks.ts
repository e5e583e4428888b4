/** Networks as administrators name them: addresses and CIDR ranges. */
import { z } from "zod";
import { createNetworkCheck, toNetwork } from "./ip-address.ts";

/** An address or a CIDR range. */
export const networkSchema = z
  .string()
  .trim()
  .max(64)
  .refine((text) => toNetwork(text) !== undefined, {
    error: "must be an IP address or a CIDR range such as 203.0.113.0/24 or 2001:db8::/32",
  });

const checks = new WeakMap<readonly string[], (address: string) => boolean>();

/** Whether an address belongs to one of the networks; false for text that is not an address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  let check = checks.get(networks);
  if (check === undefined) {
    check = createNetworkCheck(networks);
    // Lists of stored records are frozen and replaced whole.
    checks.set(networks, check);
  }
  return check(address);
}

/** Whether a host is this machine or in its own network, where a connection may go unencrypted. */
import { isIP } from "node:net";
import { lookUpAll } from "../../kit/outbound/look-up.ts";
import { classifyAddress } from "../../kit/outbound/allowed-networks.ts";

/** The addresses of a name. @throws if it has none, or the lookup fails */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** Location of a host; "unknown" if its name does not resolve now. */
export type Place = "own network" | "elsewhere" | "unknown";

/** Where a host is: a name, or an address with or without brackets. One address elsewhere is enough. */
export async function findPlace(host: string, lookUp: LookUp | undefined = lookUpAll): Promise<Place> {
  const bare = host.replace(/^\[|\]$/gu, "");
  // Of this machine, whatever a resolver says (RFC 6761 section 6.3).
  if (bare === "localhost") return "own network";
  let addresses: readonly string[];
  try {
    addresses = isIP(bare) === 0 ? await lookUp(bare) : [bare];
  } catch {
    return "unknown";
  }
  if (addresses.length === 0) return "unknown";
  return addresses.every((address) => classifyAddress(address) === "private") ? "own network" : "elsewhere";
}

/** Addresses of names, as the system knows them. */
import { lookup } from "node:dns/promises";

/** All addresses of a name, IPv4 first: a machine without IPv6 often has names that have it. @throws when it has none */
export async function lookUpAll(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
}

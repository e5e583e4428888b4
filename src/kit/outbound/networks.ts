/** Networks as administrators name them: addresses and CIDR ranges. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { toPlainAddress } from "./address.ts";

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** One address counts as the range that holds it alone; undefined for what is neither. */
function findRange(text: string): Range | undefined {
  const range = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;
  return ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : undefined;
}

/** An address or a CIDR range. */
export const networkSchema = z
  .string()
  .max(60)
  .refine((text) => findRange(text) !== undefined, {
    error: "must be an address or a CIDR range such as 192.168.0.0/16 or 2001:db8::/32",
  });

const parsed = new WeakMap<readonly string[], readonly Range[]>();

/** Lists of stored records are frozen and replaced whole: each is parsed once. */
function toRanges(networks: readonly string[]): readonly Range[] {
  const known = parsed.get(networks);
  if (known !== undefined) return known;
  const ranges = networks.map(findRange).filter((range) => range !== undefined);
  parsed.set(networks, ranges);
  return ranges;
}

/** Whether an address belongs to one of the networks; false for text that is not an address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const plain = toPlainAddress(address);
  if (!ipaddr.isValid(plain)) return false;
  const one = ipaddr.process(plain);
  return toRanges(networks).some(
    ([network, bits]) => one.kind() === network.kind() && one.match(network, bits),
  );
}

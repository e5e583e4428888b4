/** Which network addresses a request may go to that an administrator's settings caused. */
import ipaddr from "ipaddr.js";
import { toPlainAddress } from "./ip-address.ts";

/** "private" may be allowed for receivers in the own network; "never" is no receiver at all. */
export type AddressKind = "public" | "private" | "never";

/** Own machine, own network (RFC 1918, RFC 4193), networks of providers and VPNs (RFC 6598). */
const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/** Metadata services that are not in the link-local range: AWS, Google, Alibaba, Azure. */
const METADATA = new Set(["fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16"]);

/** 2000::/3, of which all public IPv6 addresses are (RFC 4291 section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** The IPv4 address in the last 32 bits, as NAT64 (RFC 6052) puts it there. */
function toEmbedded(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function classify(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  if (METADATA.has(address.toString())) return "never";
  const range = address.range();
  if (PRIVATE_RANGES.has(range)) return "private";
  if (address instanceof ipaddr.IPv4) return range === "unicast" ? "public" : "never";
  // The well-known prefix alone: with a prefix of the network's own, the place of the IPv4 address is not known.
  if (address.match(ipaddr.IPv6.parse("64:ff9b::"), 96)) return classify(toEmbedded(address));
  return range === "unicast" && address.match(GLOBAL_UNICAST) ? "public" : "never";
}

/** The kind of an address; "never" for an invalid one. IPv4 inside IPv6 counts as IPv4. */
export function classifyAddress(text: string): AddressKind {
  const plain = toPlainAddress(text);
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return classify(ipaddr.IPv4.parse(plain));
  return ipaddr.IPv6.isValid(plain) ? classify(ipaddr.process(plain)) : "never";
}

/** Whether an address is of this machine. */
export function isLoopbackAddress(text: string): boolean {
  const plain = toPlainAddress(text);
  return ipaddr.isValid(plain) && ipaddr.process(plain).range() === "loopback";
}

/** Which addresses may be sent to. */
export interface AddressRules {
  /** Whether receivers may be on this machine or in private networks. */
  readonly allowPrivate: boolean;
  /** How to allow it, such as "set NOTIFY_PRIVATE=1 to allow that". */
  readonly privateRemedy: string;
}

/** Results have 200 characters: a long name must not push out what to do. */
const MAX_NAME = 60;

function toShort(host: string): string {
  return host.length <= MAX_NAME ? host : `${host.slice(0, MAX_NAME - 1)}…`;
}

/** Why nothing may be sent to a host with these addresses, or undefined. One forbidden address is enough. */
export function findAddressFault(
  host: string,
  { addresses, allowPrivate, privateRemedy }: AddressRules & { readonly addresses: readonly string[] },
): string | undefined {
  for (const address of addresses) {
    const kind = classifyAddress(address);
    if (kind === "public" || (kind === "private" && allowPrivate)) continue;
    const place = address === host ? `"${host}" is` : `"${toShort(host)}" is at ${address},`;
    return kind === "private"
      ? `${place} a private address; ${privateRemedy}`
      : `${place} a reserved address that Trivet never connects to`;
  }
  return undefined;
}

/** Network addresses as text. */
import ipaddr from "ipaddr.js";
import { UNIX_PEER } from "../text/socket-address.ts";

/** The address without an IPv4-mapped prefix ("::ffff:127.0.0.1") and without a zone ("fe80::1%eth0"). */
export function toPlainAddress(address: string): string {
  const zone = address.indexOf("%");
  const bare = zone === -1 ? address : address.slice(0, zone);
  const isMapped = bare.length > 7 && bare.slice(0, 7).toLowerCase() === "::ffff:" && bare.includes(".");
  return isMapped ? bare.slice(7) : bare;
}

/** Strips a port and brackets; undefined when what is left is no address. */
function parseForwarded(entry: string): string | undefined {
  const text = entry.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/u.exec(text)?.[1];
  const withPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/u.exec(text)?.[1];
  const candidate = toPlainAddress(bracketed ?? withPort ?? text);
  if (ipaddr.IPv4.isValidFourPartDecimal(candidate)) return candidate;
  return ipaddr.IPv6.isValid(candidate) ? ipaddr.IPv6.parse(candidate).toString() : undefined;
}

/** IPv4-mapped IPv6 holds the IPv4 address in its last 32 bits. */
const MAPPED_BITS = 96;

/**
 * An address or CIDR range in its usual form with the prefix length, IPv4-mapped IPv6 as IPv4; undefined when it is
 * neither.
 */
export function toNetwork(entry: string): string | undefined {
  const text = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
  if (entry.length > 64 || !ipaddr.isValidCIDR(text)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(text);
  // "010.1" and other forms that programs read differently are no address here.
  if (address instanceof ipaddr.IPv4) {
    const [given = ""] = entry.split("/");
    return ipaddr.IPv4.isValidFourPartDecimal(given) ? `${address.toString()}/${bits}` : undefined;
  }
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  return address.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? `${address.toIPv4Address().toString()}/${bits - MAPPED_BITS}`
    : `${address.toString()}/${bits}`;
}

/**
 * Creates a check whether an address is in any of `networks` (addresses or CIDR ranges); IPv4-mapped IPv6 is IPv4.
 * Throws when an entry is neither.
 */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((entry) => {
    const network = toNetwork(entry);
    if (network === undefined) throw new Error(`"${entry}" is not an address or a CIDR range`);
    return ipaddr.parseCIDR(network);
  });
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
  };
}

/** Longest X-Forwarded-For that is looked at; behind real proxies it holds a handful of addresses. */
const MAX_FORWARDED_LENGTH = 1_024;

/** Finds who a request is from; see {@link createClientAddress}. */
export type ClientAddress = (remoteAddress: string, forwardedFor: string | null | undefined) => string;

/**
 * Creates a function that finds the client behind the proxies in `trustedProxies` (addresses or CIDR
 * ranges; "unix": the peers of Unix sockets): from the right of X-Forwarded-For, the first address that is not itself
 * a trusted proxy.
 * From any other peer the header is ignored. Throws when an entry is not an address or range.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isInNetwork = createNetworkCheck(trustedProxies.filter((entry) => entry !== UNIX_PEER));
  const trustsSockets = trustedProxies.includes(UNIX_PEER);
  const isTrusted = (address: string): boolean =>
    address === UNIX_PEER ? trustsSockets : isInNetwork(address);
  return (remoteAddress, forwardedFor) => {
    if (trustedProxies.length === 0 || forwardedFor === null || forwardedFor === undefined)
      return remoteAddress;
    if (forwardedFor.length > MAX_FORWARDED_LENGTH || !isTrusted(remoteAddress)) return remoteAddress;
    let client = remoteAddress;
    for (const entry of forwardedFor.split(",").reverse()) {
      const address = parseForwarded(entry);
      if (address === undefined) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  };
}

/**
 * The part of an address that may be kept to distinguish networks without distinguishing people: IPv4 /24,
 * IPv6 /48; "" for what is no address.
 */
export function toAddressPrefix(address: string): string {
  const plain = toPlainAddress(address);
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return `${plain.split(".").slice(0, 3).join(".")}.0/24`;
  if (!ipaddr.IPv6.isValid(plain)) return "";
  const parts = ipaddr.IPv6.parse(plain).parts.slice(0, 3);
  return `${parts.map((part) => part.toString(16)).join(":")}::/48`;
}

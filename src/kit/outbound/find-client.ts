/** The client of a request behind proxies, and a word to the operator when a proxy is there that is not trusted. */
import { createClientAddress } from "./ip-address.ts";
import { classifyAddress } from "./allowed-networks.ts";
import { UNIX_PEER } from "../text/socket-address.ts";
import type { Log } from "../observe/log.ts";

export interface FindClientOptions {
  readonly trustedProxies: readonly string[];
  readonly log: Log;
  readonly onUntrustedProxy?: (address: string) => void;
}

/** Requests whose header is looked at while no proxy is trusted, and after them every so many: each look costs time. */
const FIRST = 200;
const EVERY = 64;

/** A visitor's own browser sends no such header, and proxies of others do not reach us from private addresses. */
function isProxy(remoteAddress: string, forwardedFor: string | null): boolean {
  const isNear = remoteAddress === UNIX_PEER || classifyAddress(remoteAddress) === "private";
  return forwardedFor !== null && isNear;
}

/** Creates what gives the address that limits and logs go by. */
export function createFindClient({ trustedProxies, log, onUntrustedProxy }: FindClientOptions) {
  const toClientAddress = createClientAddress(trustedProxies);
  let requests = 0;
  let isTold = false;

  function tell(address: string): void {
    isTold = true;
    log.warn(
      "A proxy forwards visitors' IP addresses but is not trusted, so all visitors share its rate limits. If the proxy is yours, add its IP address ('unix' for a Unix socket) to TRUSTED_PROXIES",
      { proxy: address },
    );
    onUntrustedProxy?.(address);
  }

  if (trustedProxies.length > 0)
    return (remoteAddress: string, headers: Headers): string => {
      const forwardedFor = headers.get("x-forwarded-for");
      const client = toClientAddress(remoteAddress, forwardedFor);
      if (!isTold && client === remoteAddress && isProxy(remoteAddress, forwardedFor)) tell(remoteAddress);
      return client;
    };
  return (remoteAddress: string, headers: Headers): string => {
    if (isTold) return remoteAddress;
    requests += 1;
    if (requests <= FIRST || requests % EVERY === 0)
      if (isProxy(remoteAddress, headers.get("x-forwarded-for"))) tell(remoteAddress);
    return remoteAddress;
  };
}

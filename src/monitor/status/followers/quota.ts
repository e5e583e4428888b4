/**
 * How many emails and requests anonymous visitors may cause with the form of a page: by client, by recipient, by page
 * and in total. Each network gets a share of the total, so that none of them can use it up. The time of a confirmation
 * request is also stored with the subscriber, so that a restart only forgets the counts of the day.
 */
import type { LimitSource } from "../../../bus/shared-limit.ts";
import { AppError } from "../../../kit/errors.ts";
import { addressKey } from "../../../kit/limits/rate-limit.ts";
import { toAddressPrefix } from "../../../kit/outbound/ip-address.ts";
import type { SubscriptionWay } from "./schema.ts";

const HOUR_MS = 3_600_000;
/** By one network address (IPv6 by /64), whatever it asks for. */
const BY_CALLER_AN_HOUR = 10;
/** By all of an IPv4 /24 or IPv6 /48, which one customer may have as a whole (RFC 6177). */
const BY_NETWORK_AN_HOUR = 20;
/** By all of an IPv4 /16 or IPv6 /32, as one provider has. */
const BY_PROVIDER_AN_HOUR = 60;
/** To one mailbox or webhook, over all pages. */
const TO_ONE_A_DAY = 3;
const OF_A_PAGE_AN_HOUR = 100;
const IN_ALL_AN_HOUR = 300;
/** An address gets one confirmation request in this time. */
export const ASK_AGAIN_MS = HOUR_MS;

export interface AskedSubscription {
  readonly clientAddress: string;
  readonly way: SubscriptionWay;
  /** As it is stored. */
  readonly address: string;
  readonly pageId: string;
}

/** The first 16 bits of an IPv4 address, the first 32 of an IPv6 one. */
function toProvider(prefix: string): string {
  return prefix
    .split(prefix.includes(":") ? ":" : ".")
    .slice(0, 2)
    .join(".");
}

/** One mailbox has many names: what follows a plus sign, and capital letters. One host has many paths. */
function toReceiver(way: SubscriptionWay, address: string): string {
  if (way === "webhook") return new URL(address).host;
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at).split("+")[0] ?? ""}${address.slice(at)}`.toLowerCase();
}

export type SubscriptionQuota = ReturnType<typeof createSubscriptionQuota>;

/** Creates the quota; once for a process. */
export function createSubscriptionQuota(limits: LimitSource) {
  const byCaller = limits.create("status-callers", { limit: BY_CALLER_AN_HOUR, windowMs: HOUR_MS });
  const byNetwork = limits.create("status-networks", { limit: BY_NETWORK_AN_HOUR, windowMs: HOUR_MS });
  const byProvider = limits.create("status-providers", { limit: BY_PROVIDER_AN_HOUR, windowMs: HOUR_MS });
  const toOne = limits.create("status-receivers", { limit: TO_ONE_A_DAY, windowMs: 24 * HOUR_MS });
  const ofPage = limits.create("status-pages", { limit: OF_A_PAGE_AN_HOUR, windowMs: HOUR_MS });
  const inAll = limits.create("status-subscriptions", { limit: IN_ALL_AN_HOUR, windowMs: HOUR_MS });
  return {
    /**
     * Counts a request; false if the receiver got too many, which is not revealed.
     * @throws AppError `rate_limited` when the client, the page or the site requested too many
     */
    take: ({ clientAddress, way, address, pageId }: AskedSubscription): boolean => {
      const network = toAddressPrefix(clientAddress);
      for (const [limit, key] of [
        [byCaller, addressKey(clientAddress)],
        [byNetwork, network],
        [byProvider, toProvider(network)],
        [ofPage, pageId],
        [inAll, ""],
      ] as const) {
        const { allowed, retryAfterSeconds } = limit.hit(key);
        if (allowed) continue;
        const message = "Too many subscription requests for this page. Try again later";
        throw new AppError("rate_limited", message, { retryAfterSeconds });
      }
      return toOne.hit(toReceiver(way, address)).allowed;
    },
  };
}

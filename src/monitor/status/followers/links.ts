/** URLs of a page and of a subscription: signed, so that they cannot be forged, and not stored. */
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";
import { isSameText } from "../../../kit/secrets/same-text.ts";
import type { PublicAddress } from "../../base/public-url.ts";
import type { StatusPageRecord } from "../schema.ts";
import type { SubscriberRecord } from "./schema.ts";

const PURPOSE = "status-subscription";

/** The part of a page for its URLs. */
export type AddressedPage = Pick<StatusPageRecord, "slug" | "host">;

/** The public URL of a page; undefined if the monitor's is unknown. Without a trailing slash. */
export function findPageUrl(
  { publicUrl }: Pick<PublicAddress, "publicUrl">,
  { slug, host }: AddressedPage,
): string | undefined {
  if (host !== "") return `https://${host}`;
  return publicUrl === undefined ? undefined : `${publicUrl}/status/${slug}`;
}

/** Proves that its holder received the email (or request): 43 characters. */
export function toSubscriptionToken(
  box: Pick<SecretBox, "mac">,
  { id }: Pick<SubscriberRecord, "id">,
): string {
  return box.mac(id, PURPOSE);
}

/** Whether a token is that of a subscriber, compared in constant time. */
export function isSubscriptionToken(
  box: Pick<SecretBox, "mac">,
  { id, token }: { readonly id: string; readonly token: string },
): boolean {
  return isSameText(token, toSubscriptionToken(box, { id }));
}

/** The page on which a subscriber says yes, changes what it follows, and ends it, behind a page's address. */
export function toSubscriptionUrl(
  box: Pick<SecretBox, "mac">,
  { pageUrl, id }: { readonly pageUrl: string; readonly id: string },
): string {
  return `${pageUrl}/subscription/${id}/${toSubscriptionToken(box, { id })}`;
}

/** Where a POST ends it at once (RFC 8058). */
export function toUnsubscribeUrl(subscriptionUrl: string): string {
  return `${subscriptionUrl}/unsubscribe`;
}

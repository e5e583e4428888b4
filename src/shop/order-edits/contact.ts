/** The contact, the addresses and the note of an order, as an edit changes them. */
import { AppError } from "../../kit/errors.ts";
import type { Address, OrderRecord } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { toCompactVatId, hasVatPrefix } from "../tax/vat-id.ts";
import { toAddressText } from "./changes.ts";
import { assertAddress } from "./rules.ts";
import type { WantedEdit } from "./schema.ts";

/** Throws `invalid` for a language that the shop does not have. */
export function assertLanguage(
  language: string | undefined,
  { languages }: Pick<SiteSettings, "languages">,
): void {
  if (language === undefined || languages.includes(language)) return;
  throw new AppError("invalid", "The shop does not have this language", {
    errors: [{ pointer: "/language", code: "invalid", message: `must be one of ${languages.join(", ")}` }],
  });
}

function toVatId(vatId: string): string | undefined {
  if (vatId === "") return undefined;
  return hasVatPrefix(vatId) ? toCompactVatId(vatId) : vatId;
}

/** An address without its empty members, as a checkout stores it. */
function toKept(address: Address): Address {
  const { name, line1, city, country } = address;
  const rest = Object.entries(address).filter(([, value]) => value !== "");
  return { name, line1, city, country, ...Object.fromEntries(rest) };
}

/**
 * An order with what an edit says about its buyer; amounts stay.
 * @throws AppError `invalid`, `conflict` (already shipped)
 */
export function applyContact(order: OrderRecord, wanted: WantedEdit): OrderRecord {
  const { email = order.email, language = order.language, buyersNote: note = order.note } = wanted;
  const { country = order.country, vatId } = wanted;
  const shippingAddress = wanted.shippingAddress && toKept(wanted.shippingAddress);
  const billingAddress = wanted.billingAddress ? toKept(wanted.billingAddress) : undefined;
  const isMoved = shippingAddress && toAddressText(shippingAddress) !== toAddressText(order.shippingAddress);
  if (isMoved === true) assertAddress(order, shippingAddress);
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  return Object.assign({}, order, {
    email,
    emailLower: email.toLowerCase(),
    language,
    note,
    shippingAddress: shippingAddress ?? order.shippingAddress,
    billingAddress: wanted.billingAddress === undefined ? order.billingAddress : billingAddress,
    country,
    vatId: vatId === undefined ? order.vatId : toVatId(vatId),
  });
}

/** What tax and shipping depend on: amounts stay as long as this does. */
export function toPlaceKey({ shippingAddress, billingAddress, country, vatId }: OrderRecord): string {
  const sentTo = shippingAddress?.country ?? country ?? "";
  const buyer = billingAddress?.country ?? country ?? shippingAddress?.country ?? "";
  const isNorthern = sentTo === "GB" && /^bt\d/iu.test((shippingAddress?.postalCode ?? "").trim());
  return [sentTo, buyer, String(isNorthern), vatId ?? ""].join(" ");
}

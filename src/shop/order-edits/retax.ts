/** Another country or VAT ID of an order: its lines are taxed again, at the prices that the buyer then pays. */
import { AppError } from "../../kit/errors.ts";
import type { PreviewInput } from "../checkout/schema.ts";
import { type Wanted, findVatQuestion } from "../checkout/quote.ts";
import type { TaxTerms } from "../checkout/pricing.ts";
import { withAttention, withoutAttention } from "../orders/order.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { type Business, readBusiness } from "../tax/business.ts";
import { type SaleTax, STANDARD, toSaleTax } from "../tax/rates.ts";
import { taxOn, toUntaxed } from "../tax/tax.ts";
import type { VatVerdict } from "../tax/vat-checks.ts";
import { toPlaceKey } from "./contact.ts";
import { isFrozen } from "./rules.ts";

/** What an order is taxed by now. */
export interface Retaxed {
  readonly terms: TaxTerms;
  readonly business: Business;
}

function toInput(order: OrderRecord): PreviewInput {
  const { shippingAddress, billingAddress, country, vatId } = order;
  return { items: [], shippingAddress, billingAddress, country, vatId };
}

/** Whether an edit of the buyer changes what the tax depends on. */
export function isRetaxed(before: OrderRecord, after: OrderRecord): boolean {
  return before.tax !== undefined && toPlaceKey(before) !== toPlaceKey(after);
}

/** The VAT ID to ask VIES about, before the transaction. */
export function findEditedVatId(order: OrderRecord, site: SiteSettings): string | undefined {
  const wanted: Pick<Wanted, "site" | "input"> = { site, input: toInput(order) };
  return findVatQuestion(wanted);
}

/**
 * How an order is taxed after its buyer was edited.
 * @throws AppError `invalid` for a VAT ID that is none, or that lacks the company; `conflict` where the shop taxes
 *   in another way now
 */
export function toRetaxed(order: OrderRecord, site: SiteSettings, verdict: VatVerdict | undefined): Retaxed {
  const { tax, seller } = site;
  const { pricesIncludeTax = true, shippingAddress, billingAddress, country, vatId } = order;
  if (!tax.enabled || seller.country === "" || tax.pricesIncludeTax !== pricesIncludeTax)
    throw new AppError(
      "conflict",
      "The tax settings changed since this order was placed, so it cannot be taxed again. Cancel the order and place a new one",
    );
  const sentTo = shippingAddress?.country ?? country;
  const buyer = billingAddress?.country ?? country ?? shippingAddress?.country;
  const claim = { seller: seller.country, vatId, shippingAddress, billingAddress, buyer };
  const business = readBusiness(tax, claim, verdict);
  const errors = [...business.faults, ...business.lacks];
  const [first] = errors;
  if (first !== undefined) {
    const name = first.pointer === "/vatId" ? "The VAT ID" : first.pointer.slice(1);
    throw new AppError("invalid", `${name} ${first.message}`, { errors });
  }
  const isNorthern = sentTo === "GB" && /^bt\d/iu.test((shippingAddress?.postalCode ?? "").trim());
  const place = { seller: seller.country, sentTo, buyer, business: business.relief };
  return {
    business,
    terms: { settings: tax, place: { ...place, isSentToNorthernIreland: isNorthern } },
  };
}

/** Whether the tax of a line, or the country that something is sent to, becomes another. */
export function changesTax(before: OrderRecord, after: OrderRecord, { terms }: Retaxed): boolean {
  const isSent = before.lines.some(({ deliveryType }) => deliveryType === "shipping");
  if (isSent && before.shippingAddress?.country !== after.shippingAddress?.country) return true;
  return before.lines.some((line) => {
    const { kind, country, rate } = toLineSale(line, terms);
    return kind !== line.taxKind || country !== line.taxCountry || rate !== line.taxRate;
  });
}

/** Throws `conflict` once something was delivered: its tax stays. */
export function assertTaxOpen({ lines }: OrderRecord): void {
  if (!lines.some(isFrozen)) return;
  throw new AppError(
    "conflict",
    "Some items were delivered, so the tax of this order can no longer change. Refund the order and place a new one",
  );
}

function toLineSale(
  { taxClass = STANDARD, deliveryType }: OrderLine,
  { settings, place }: TaxTerms,
): SaleTax {
  return toSaleTax(settings, place, {
    taxClass,
    isSent: deliveryType === "shipping",
    isVoucher: deliveryType === "gift_card",
  });
}

/** Whether prices of a sale are without the tax that is in those of the shop. */
function isNet(kind: SaleTax["kind"] | undefined): boolean {
  return kind !== undefined && kind !== "taxed" && kind !== "exempt" && kind !== "voucher";
}

/** A line as it is sold now: the seller's tax goes out of its price, or into it, where that is so for all buyers. */
export function toRetaxedLine(line: OrderLine, { terms }: Retaxed): { line: OrderLine; sale: SaleTax } {
  const { settings } = terms;
  const { taxClass = STANDARD } = line;
  const sale = toLineSale(line, terms);
  const taxed = { taxClass, taxKind: sale.kind, taxCountry: sale.country, taxRate: sale.rate };
  const moves =
    settings.pricesIncludeTax && settings.netWhereUntaxed && isNet(line.taxKind) !== isNet(sale.kind);
  if (!moves) return { sale, line: { ...line, ...taxed } };
  const move = (price: number): number =>
    isNet(sale.kind) ? toUntaxed(price, sale) : price + taxOn(price, sale.homeRate);
  const priceSteps = line.priceSteps?.map(({ from, price }) => ({ from, price: move(price) }));
  return { sale, line: { ...line, ...taxed, unitPrice: move(line.unitPrice), priceSteps } };
}

/** The order with the check of its VAT ID. */
export function withVatCheck(order: OrderRecord, { business }: Retaxed, atMs: number): OrderRecord {
  const { check, vatId } = business;
  const checked = { ...order, vatId, vatCheck: check && { ...check, at: check.at ?? atMs } };
  return check?.isHeld === true ? withAttention(checked, "vat_id") : withoutAttention(checked, "vat_id");
}

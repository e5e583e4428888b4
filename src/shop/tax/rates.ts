/** Which rate a sale is taxed by: where, and why. */
import type { TaxSettings } from "../site/selling-schema.ts";
import { euRates, isInEu } from "./eu-rates.ts";
import type { TaxKind } from "./schema.ts";
import type { VatId } from "./vat-id.ts";

/** The class of what names none, and what a class unknown in a country falls back to. */
export const STANDARD = "standard";
const ZERO = "zero";

/** The buyer and the countries, as far as they are known. */
export interface TaxPlace {
  /** The seller's country. */
  readonly seller: string;
  /** Where goods are sent. */
  readonly sentTo?: string | undefined;
  /** Where the buyer lives. */
  readonly buyer?: string | undefined;
  /** Of a business of another EU country that pays the tax itself (`readBusiness`). */
  readonly business?: Pick<VatId, "country" | "isForGoodsOnly"> | undefined;
  /** Goods go to Northern Ireland, which follows the EU's rules for goods; its country is GB. */
  readonly isSentToNorthernIreland?: boolean | undefined;
}

export interface SaleTax {
  readonly kind: TaxKind;
  readonly country: string;
  /** Basis points. */
  readonly rate: number;
  /** The rate that prices with tax are made with: that of the seller's country. */
  readonly homeRate: number;
}

/** The rate of a class in a country, in basis points; undefined for countries that nothing is known of. */
export function findRate({ rates }: TaxSettings, country: string, taxClass: string): number | undefined {
  if (taxClass === ZERO) return 0;
  const set = (wanted: string): number | undefined =>
    rates.find((rate) => rate.country === country && rate.taxClass === wanted)?.basisPoints;
  const table: Record<string, number | undefined> = { ...(isInEu(country) ? euRates[country] : {}) };
  const known = new Map(Object.entries(table));
  return set(taxClass) ?? known.get(taxClass) ?? set(STANDARD) ?? known.get(STANDARD);
}

/** Where a sale to a consumer is taxed; undefined: nowhere by us. */
function findTaxCountry(settings: TaxSettings, seller: string, buyer: string): string | undefined {
  if (buyer === seller) return seller;
  if (isInEu(seller) && isInEu(buyer)) return settings.destination === "seller" ? seller : buyer;
  // Registered there, when the seller has set a rate for it.
  return settings.rates.some(({ country }) => country === buyer) ? buyer : undefined;
}

/** How something is taxed. What is not sent is taken for an electronic service: it is taxed where the buyer lives. */
export function toSaleTax(
  settings: TaxSettings,
  place: TaxPlace,
  {
    taxClass = STANDARD,
    isSent,
    isVoucher = false,
  }: { readonly taxClass?: string | undefined; readonly isSent: boolean; readonly isVoucher?: boolean },
): SaleTax {
  const { seller } = place;
  // Sold for what it is worth: no rate is in its price, and none is taken out of it.
  if (isVoucher) return { kind: "voucher", country: seller, rate: 0, homeRate: 0 };
  const homeRate = findRate(settings, seller, taxClass) ?? 0;
  const untaxed = (kind: TaxKind, country: string): SaleTax => ({ kind, country, rate: 0, homeRate });
  if (settings.smallBusiness) return untaxed("exempt", seller);
  const home = place.buyer ?? place.sentTo ?? seller;
  const target = isSent ? (place.sentTo ?? home) : home;
  const { business, isSentToNorthernIreland = false } = place;
  if (business !== undefined) {
    if (!isSent && !business.isForGoodsOnly) return untaxed("reverse_charge", business.country);
    const isEuTarget = isInEu(target) || isSentToNorthernIreland;
    if (isSent && target !== seller && isEuTarget) return untaxed("intra_community", target);
  }
  const country = findTaxCountry(settings, seller, target);
  if (country === undefined) return untaxed("export", target);
  return { kind: "taxed", country, rate: findRate(settings, country, taxClass) ?? 0, homeRate };
}

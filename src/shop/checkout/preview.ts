/** The preview of an order in addition to its prices: stock and shipping methods. */
import type { ReadTx } from "../../store/store.ts";
import { type OrderDiscount, toOrderDiscounts } from "../coupons/order-discounts.ts";
import type { OrderLine } from "../orders/schema.ts";
import type { CardShare } from "../gift-cards/find-cards.ts";
import type { Totals } from "./pricing.ts";
import type { Delivery, Priced } from "./quote.ts";
import { type ConsentNeed, findOrderButton, listConsents } from "./consents.ts";
import { lacksSecret } from "../licence-keys/product-secret.ts";
import type { VatCheck } from "../tax/schema.ts";
import { readLeft } from "../stock/stock.ts";

export interface PreviewLine extends OrderLine {
  readonly isAvailable: boolean;
  /** Units that are left; absent for unlimited stock, and where the shop does not show how many. */
  readonly left?: number | undefined;
}

/** The price of an order. */
export interface Preview extends Omit<Totals, "lines" | "applied">, Pick<Delivery, "isEstimate"> {
  readonly discounts: OrderDiscount[];
  readonly currency: string;
  readonly lines: readonly PreviewLine[];
  /** To choose from, with what each costs for these goods. */
  readonly shippingMethods: Delivery["quotes"];
  readonly shippingMethodId: string | undefined;
  /** Consents required from the buyer. */
  readonly consents: readonly ConsentNeed[];
  /** Whether it costs nothing and waits for a sign-in. */
  readonly needsAccount: boolean;
  /** The order button required by law. */
  readonly orderButton: string | undefined;
  /** The check of the VAT ID, where the shop wants one. */
  readonly vatCheck: Pick<VatCheck, "state" | "isHeld"> | undefined;
  /** Gift cards that pay; none without codes. */
  readonly giftCards: PreviewCard[];
  /** The total without what gift cards pay. */
  readonly amountDue: number;
}

/** A gift card in a preview, in the order of the codes. */
export interface PreviewCard {
  readonly lastFour: string;
  /** What it pays of this order. */
  readonly amount: number;
  /** What it has now. */
  readonly balance: number;
}

/** Shows for each line whether there is enough for all lines that share its stock. */
async function toPreviewLines(
  tx: ReadTx,
  { site, totals, lines: priced }: Pick<Priced, "site" | "totals" | "lines">,
): Promise<PreviewLine[]> {
  const left = await readLeft(tx, totals.lines);
  return totals.lines.map((line, index) => {
    const product = priced[index]?.product;
    const isLacking = product !== undefined && lacksSecret(product);
    const units = isLacking ? 0 : (left.get(line.stockId) ?? 0);
    const sharing = totals.lines.filter(({ stockId }) => stockId === line.stockId);
    const isAvailable = units >= sharing.reduce((sum, { quantity }) => sum + quantity, 0);
    // A buyer who orders too many sees how many there are, as in the error of the order itself.
    const isShown = Number.isFinite(units) && (!isAvailable || site.stockDisplay === "exact");
    return { ...line, isAvailable, left: isShown ? Math.max(0, units) : undefined };
  });
}

/** Lines of one bundle as one, as the buyer ordered it. */
function foldBundles(lines: readonly PreviewLine[]): PreviewLine[] {
  const sum = (all: readonly PreviewLine[], read: (line: PreviewLine) => number): number =>
    all.reduce((total, line) => total + read(line), 0);
  return lines.flatMap((line, index): PreviewLine[] => {
    const { bundle } = line;
    if (bundle === undefined) return [line];
    if (lines[index - 1]?.bundle?.id === bundle.id) return [];
    const all = lines.filter((one) => one.bundle?.id === bundle.id);
    const left = all.flatMap((one) =>
      one.left === undefined ? [] : [Math.floor(one.left / (one.bundle?.each ?? 1))],
    );
    const rates = new Set(all.map(({ taxRate }) => taxRate));
    return [
      {
        ...line,
        productId: bundle.productId,
        variantId: undefined,
        title: bundle.title,
        options: {},
        quantity: bundle.quantity,
        unitPrice: sum(all, ({ subtotal }) => subtotal) / bundle.quantity,
        subtotal: sum(all, ({ subtotal }) => subtotal),
        discount: sum(all, ({ discount }) => discount),
        total: sum(all, ({ total }) => total),
        taxRate: rates.size === 1 ? line.taxRate : undefined,
        tax: line.tax === undefined ? undefined : sum(all, ({ tax = 0 }) => tax),
        deliveryType: all.some(({ deliveryType }) => deliveryType === "shipping") ? "shipping" : "manual",
        isAvailable: all.every(({ isAvailable }) => isAvailable),
        left: left.length === 0 ? undefined : Math.min(...left),
      },
    ];
  });
}

/** A priced order as its buyer looks at it before ordering. */
export async function toPreview(
  tx: ReadTx,
  priced: Priced,
  { needsAccount, shares }: Pick<Preview, "needsAccount"> & { readonly shares: readonly CardShare[] },
): Promise<Preview> {
  const { site, delivery } = priced;
  const { applied, ...totals } = priced.totals;
  return {
    ...totals,
    discounts: toOrderDiscounts(applied) ?? [],
    lines: foldBundles(await toPreviewLines(tx, priced)),
    currency: site.currency,
    isEstimate: delivery.isEstimate,
    shippingMethods: delivery.quotes,
    shippingMethodId: delivery.chosen?.id,
    needsAccount,
    consents: listConsents(priced),
    orderButton: findOrderButton(priced),
    giftCards: shares.map(({ card: { lastFour, balance }, amount }) => ({ lastFour, balance, amount })),
    amountDue: totals.total - shares.reduce((sum, { amount }) => sum + amount, 0),
    vatCheck: priced.vatCheck && { state: priced.vatCheck.state, isHeld: priced.vatCheck.isHeld },
  };
}

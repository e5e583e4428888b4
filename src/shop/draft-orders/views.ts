/** Draft orders in answers, as their schemas (answer-schema.ts) say. */
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Store } from "../../store/store.ts";
import type { Provider } from "../site/schema.ts";
import { wordsOfProvider } from "../site/site.ts";
import { readLeft } from "../stock/stock.ts";
import type { BuyersDraftView, DraftPricesView } from "./answer-schema.ts";
import type { DraftPrices } from "./drafts.ts";
import type { BuyersDraft } from "./placing.ts";

/** The prices with items that the stock has too few of. */
export async function toPricesView(
  store: Store,
  { priced, quoted, changes }: DraftPrices,
): Promise<DraftPricesView> {
  const { lines } = priced.totals;
  const left = await store.read((tx) => readLeft(tx, lines));
  const wanted = new Map<string, number>();
  for (const { stockId, quantity } of lines) wanted.set(stockId, (wanted.get(stockId) ?? 0) + quantity);
  const isFirst = (stockId: string, index: number): boolean =>
    lines.findIndex((line) => line.stockId === stockId) === index;
  return {
    quoted,
    shippingMethods: priced.delivery.quotes.map(({ id, title, price }) => ({ id, title, price })),
    changes: [...changes],
    short: lines.flatMap(({ stockId, title }, index) => {
      const units = left.get(stockId);
      const isShort = units !== undefined && units < (wanted.get(stockId) ?? 0) && isFirst(stockId, index);
      return isShort ? [{ title, left: Math.max(0, units) }] : [];
    }),
  };
}

/** A draft for its buyer. */
export function toBuyersView(
  { draft, preview, changes, order, orderToken = "" }: BuyersDraft,
  providers: readonly Provider[],
): BuyersDraftView {
  const { number, version, link, quoted } = draft;
  const known = { number, version, expiresAt: toIsoTime(link?.expiresAt ?? 0) };
  if (order !== undefined)
    return { ...known, order: { id: order.id, number: order.number, accessToken: orderToken } };
  if (preview === undefined) return known;
  const { currency, lines, subtotal, discount, shipping, total, tax, pricesIncludeTax } = preview;
  return {
    ...known,
    currency,
    lines: lines.map((line) => {
      const { id, productId, variantId, title, options, sku, quantity, unitPrice } = line;
      const { subtotal: sum, discount: off, total: rest, deliveryType, isAvailable } = line;
      const shown = { id, productId, variantId, title, options, sku, quantity, unitPrice, deliveryType };
      return Object.assign(shown, { subtotal: sum, discount: off, total: rest, isAvailable });
    }),
    subtotal,
    discount,
    shipping,
    shippingTitle: quoted?.shippingTitle,
    total,
    tax,
    pricesIncludeTax,
    changes: [...changes],
    consents: [...preview.consents],
    orderButton: preview.orderButton,
    paymentMethods: providers.map((provider) => ({
      id: provider.word,
      title: wordsOfProvider(provider, quoted?.language ?? "en").title,
    })),
  };
}

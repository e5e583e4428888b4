/** @jsxImportSource hono/jsx */
/** The price of an offer: now, before, and the lowest where the law requires it; with tax and shipping. */
import type { CatalogueItem } from "../../catalogue/item.ts";
import { isEuOn } from "../../eu/schema.ts";
import { findEuWords } from "../../eu/words.ts";
import type { ProductImage, ProductRecord, Variant } from "../../products/schema.ts";
import { type PriceStep, toPriceSteps } from "../../products/tier-prices.ts";
import { listEnabled } from "../../shipping/quotes.ts";
import type { Visit } from "../visit.tsx";

/** One thing that can be ordered: a variant, or the product itself. */
export interface Offer {
  readonly variant: Variant | undefined;
  readonly price: number;
  readonly currency: string;
  /** Beyond the price, or absent. */
  readonly compareAtPrice: number | undefined;
  /** The lowest one of the 30 days before the reduction. */
  readonly lowestPrice: number | undefined;
  /** Prices by quantity, that of one unit first; absent where there is one price. */
  readonly steps: readonly PriceStep[] | undefined;
  /** Units that can be ordered. */
  readonly available: number;
}

/** The offer of a variant; without variants, of the product. */
export function findOffer({ product, available, lowestPrices }: CatalogueItem, index: number): Offer {
  const variant = product.variants[index];
  const { price } = variant ?? product;
  const before = variant?.compareAtPrice ?? product.compareAtPrice;
  return {
    variant,
    price,
    currency: product.currency,
    compareAtPrice: before !== undefined && before > price ? before : undefined,
    lowestPrice: lowestPrices[index],
    steps: toPriceSteps(variant ?? product),
    available: available[index] ?? 0,
  };
}

/** The picture of a variant: its own, else one that no other variant has for its own. */
export function findPicture(
  { images, variants }: Pick<ProductRecord, "images" | "variants">,
  variant: Variant | undefined,
): ProductImage | undefined {
  const own = images.find(({ hash }) => hash === variant?.imageHash);
  if (own !== undefined || variant === undefined) return own ?? images[0];
  const others = new Set(variants.map(({ imageHash }) => imageHash));
  return images.find(({ hash }) => !others.has(hash));
}

/** All that can be ordered of a product. */
export function listOffers(item: CatalogueItem): Offer[] {
  return Array.from({ length: Math.max(1, item.product.variants.length) }, (_, index) =>
    findOffer(item, index),
  );
}

type Seen = Pick<Visit, "t" | "site" | "money" | "language">;

/** The struck-out price, and beside it the lowest one of 30 days where the law is on (Article 6a of Directive 98/6/EC). */
export function ReducedFrom({ offer, visit }: { readonly offer: Offer; readonly visit: Seen }) {
  const { t, site, money, language } = visit;
  const { compareAtPrice, lowestPrice, currency } = offer;
  if (compareAtPrice === undefined) return <></>;
  return (
    <>
      <span class="was num small">
        <span class="for-readers">{t("price.was")} </span>
        <s>{money(compareAtPrice, currency)}</s>
      </span>
      {lowestPrice === undefined || !isEuOn(site) ? (
        <></>
      ) : (
        <span class="lowest small muted num">
          {findEuWords(language).lowestPrice}: {money(lowestPrice, currency)}
        </span>
      )}
    </>
  );
}

/** Whether the price has its tax in it, and whether shipping comes on top: what consumer law wants beside a price. */
export function toPriceNote({ product }: CatalogueItem, { t, site }: Pick<Visit, "t" | "site">): string {
  const { tax, shipping, shippingFee } = site;
  const taxWords = !tax.enabled
    ? []
    : [
        t(
          tax.smallBusiness
            ? "price.withoutVat"
            : tax.pricesIncludeTax
              ? "price.withTax"
              : "price.withoutTax",
        ),
      ];
  if (product.deliveryType !== "shipping") return taxWords.join(", ");
  const costs = listEnabled(shipping.methods).length > 0 || shippingFee > 0;
  return [...taxWords, t(costs ? "price.plusShipping" : "price.freeShipping")].join(", ");
}

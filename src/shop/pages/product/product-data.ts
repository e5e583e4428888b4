/** A product for search engines and programs that compare prices: schema.org. */
import type { CatalogueItem } from "../../catalogue/item.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import { toDecimal } from "../../base/money.ts";
import { MAX_STARS } from "../../reviews/schema.ts";
import { toImageAddress } from "../../products/image-url.ts";
import { listOffers } from "../pieces/offer.tsx";
import type { Visit } from "../visit.tsx";
import { toVariantLabel } from "./choice.ts";
import { toProductPath } from "../../products/slug.ts";

const SCHEMA = "https://schema.org";

/** The product with an offer for each of its variants. */
export function toProductData(
  item: CatalogueItem,
  { site, sellersLanguage, publicUrl }: Pick<Visit, "site" | "sellersLanguage" | "publicUrl">,
): object {
  const { product } = item;
  const { title, summary, description } = wordsIn(product, sellersLanguage);
  const address = publicUrl + toProductPath(product.slug);
  const offers = listOffers(item).map(({ variant, price, available }, at) => ({
    "@type": "Offer",
    url: variant === undefined ? address : `${address}?v=${variant.id}`,
    name: variant === undefined ? undefined : toVariantLabel(variant, at),
    sku: (variant?.sku ?? product.sku) || undefined,
    price: toDecimal(price, product.currency),
    priceCurrency: product.currency,
    availability: `${SCHEMA}/${available >= product.minQuantity ? "InStock" : "OutOfStock"}`,
    seller: { "@type": "Organization", name: site.seller.name || site.name },
  }));
  return {
    "@context": SCHEMA,
    "@type": "Product",
    name: title,
    description: summary || description || undefined,
    sku: product.sku || undefined,
    url: address,
    image: product.images.map(({ hash }) => publicUrl + toImageAddress(hash)),
    aggregateRating:
      site.reviews.isOn && item.rating !== undefined
        ? {
            "@type": "AggregateRating",
            ratingValue: item.rating.average,
            reviewCount: item.rating.count,
            bestRating: MAX_STARS,
            worstRating: 1,
          }
        : undefined,
    offers: offers.length === 1 ? offers[0] : offers,
  };
}

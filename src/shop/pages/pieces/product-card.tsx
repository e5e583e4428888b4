/** @jsxImportSource hono/jsx */
/** A product in a list: its picture, its name, what it costs and whether it is there. */
import { wordsIn } from "../../catalogue/languages.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { imageWidths, toImageAddress, toSrcset } from "../../products/image-address.ts";
import type { Visit } from "../visit.tsx";

type Seen = Pick<Visit, "t" | "site" | "money" | "sellersLanguage">;

/** Whether it can be had, in words; undefined where the shop does not say. */
export function toStockWords(
  { product, totalAvailable, isInStock }: CatalogueItem,
  { t, site }: Seen,
): string | undefined {
  if (site.stockDisplay === "hidden") return undefined;
  if (!isInStock) return t("product.out");
  const { lowStockThreshold = site.lowStockThreshold } = product;
  if (totalAvailable > lowStockThreshold) return t("product.inStock");
  return site.stockDisplay === "exact" ? t("product.left", { count: totalAvailable }) : t("product.low");
}

/** What it costs: the lowest of its prices. */
export function toPriceWords({ product, price }: CatalogueItem, { t, money }: Seen): string {
  const isOne = product.variants.every((variant) => variant.price === price);
  const amount = money(price, product.currency);
  return isOne ? amount : t("product.from", { price: amount });
}

/** The card. */
export function ProductCard({ item, visit }: { readonly item: CatalogueItem; readonly visit: Seen }) {
  const { product } = item;
  const [image] = product.images;
  const { title } = wordsIn(product, visit.sellersLanguage);
  const stock = toStockWords(item, visit);
  return (
    <a class="product" href={`/p/${product.slug}`}>
      {image === undefined ? (
        <span class="picture"></span>
      ) : (
        <img
          class="picture"
          src={`${toImageAddress(image.hash)}?w=${imageWidths[1]}`}
          srcset={toSrcset(image)}
          sizes="(max-width: 40rem) 50vw, 16rem"
          width={image.width}
          height={image.height}
          alt={image.alt}
          loading="lazy"
        />
      )}
      <span class="product-name">{title}</span>
      <span class="row">
        <span class="price num">{toPriceWords(item, visit)}</span>
        {stock === undefined ? <></> : <span class="push small muted">{stock}</span>}
      </span>
    </a>
  );
}

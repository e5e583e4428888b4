/** @jsxImportSource hono/jsx */
/** A product in a list: its picture, its name, what it costs and whether it is there. */
import { raw } from "hono/html";
import { wordsIn } from "../../catalogue/languages.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { toMarkup } from "../../../html/render.ts";
import { imageWidths, toImageAddress, toPlate, toSrcset } from "../../products/image-url.ts";
import type { Visit } from "../visit.tsx";
import { ReducedFrom, findOffer, listOffers } from "./offer.tsx";
import { toProductPath } from "../../products/slug.ts";
import { RatingLine } from "./rating.tsx";

type Seen = Pick<Visit, "t" | "site" | "money" | "language" | "sellersLanguage">;

interface CardProps {
  readonly item: CatalogueItem;
  readonly visit: Seen;
  readonly isEager?: boolean;
}

/** Characters of cached cards; beyond it, all are rendered again. */
const MAX_CHARACTERS = 6_000_000;
/** Cards as HTML, by item: one is replaced when anything about it changes, and its cards go with it. */
let cards = new WeakMap<CatalogueItem, Map<string, { readonly site: object; readonly html: string }>>();
let characters = 0;

type Units = { readonly units: number; readonly visit: Pick<Seen, "t" | "site"> };

/** That few or none can be ordered, in words; undefined for others, and where the shop does not say. */
function toScarceWords({ product }: CatalogueItem, { units, visit: { t, site } }: Units): string | undefined {
  if (site.stockDisplay === "hidden") return undefined;
  if (units < product.minQuantity) return t("product.out");
  const { lowStockThreshold = site.lowStockThreshold } = product;
  if (units > lowStockThreshold) return undefined;
  return site.stockDisplay === "exact" ? t("product.left", { count: units }) : t("product.low");
}

/** Whether so many units can be had, in words; undefined where the shop does not say. */
export function toUnitWords(item: CatalogueItem, { units, visit }: Units): string | undefined {
  const isTold = visit.site.stockDisplay !== "hidden";
  return toScarceWords(item, { units, visit }) ?? (isTold ? visit.t("product.inStock") : undefined);
}

/** The lowest of its prices. */
export function toPriceWords({ product, price }: CatalogueItem, { t, money }: Seen): string {
  const open = toOpenPriceWords(product, { t, money });
  if (open !== undefined) return open;
  const isOne = product.variants.every((variant) => variant.price === price);
  const amount = money(price, product.currency);
  return isOne ? amount : t("product.from", { price: amount });
}

/** The least that buyers can pay where they choose the price, in words; undefined for other products. */
export function toOpenPriceWords(
  { payWhatYouWant, giftCard, currency }: CatalogueItem["product"],
  { t, money }: Pick<Seen, "t" | "money">,
): string | undefined {
  const { minimum } = payWhatYouWant ?? giftCard?.openAmount ?? {};
  if (minimum === undefined) return undefined;
  return minimum === 0 ? t("product.anyPrice") : t("product.from", { price: money(minimum, currency) });
}

function Card({ item, visit, isEager = false }: CardProps) {
  const { product } = item;
  const [image] = product.images;
  const { title } = wordsIn(product, visit.sellersLanguage);
  const scarce = toScarceWords(item, { units: item.totalAvailable, visit });
  const cheapest = listOffers(item).find(({ price }) => price === item.price) ?? findOffer(item, 0);
  return (
    <a class="product" href={toProductPath(product.slug)}>
      {image === undefined ? (
        <span class="picture is-empty" aria-hidden="true">
          {/./u.exec(title)?.[0]}
        </span>
      ) : (
        <img
          class={`picture${toPlate(image)}`}
          src={`${toImageAddress(image.hash)}?w=${imageWidths[1]}`}
          srcset={toSrcset(image)}
          sizes="(max-width: 40rem) 45vw, (max-width: 72rem) 30vw, 17rem"
          width={image.width}
          height={image.height}
          alt={image.alt}
          loading={isEager ? undefined : "lazy"}
        />
      )}
      <span class="product-name">{title}</span>
      {visit.site.reviews.isOn && item.rating !== undefined ? (
        <RatingLine rating={item.rating} visit={visit} isShort />
      ) : (
        <></>
      )}
      <span class="row product-facts">
        <span class="price num">{toPriceWords(item, visit)}</span>
        <ReducedFrom offer={cheapest} visit={visit} />
        {scarce === undefined ? <></> : <span class="small muted">{scarce}</span>}
      </span>
    </a>
  );
}

/** The card, rendered once for each language and settings. One that is in sight at once fetches its picture at once. */
export function ProductCard({ item, visit, isEager = false }: CardProps) {
  const { site, language, sellersLanguage } = visit;
  const key = `${language} ${sellersLanguage} ${isEager}`;
  const known = cards.get(item)?.get(key);
  if (known?.site === site) return raw(known.html);
  const html = toMarkup(<Card item={item} visit={visit} isEager={isEager} />);
  if (characters > MAX_CHARACTERS) {
    cards = new WeakMap();
    characters = 0;
  }
  characters += html.length;
  const ofItem = cards.get(item) ?? new Map<string, { readonly site: object; readonly html: string }>();
  cards.set(item, ofItem.set(key, { site, html }));
  return raw(html);
}

/** @jsxImportSource hono/jsx */
/** A product by itself. */
import { raw } from "hono/html";
import { AppError } from "../../../kit/errors.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { listRelated } from "../../catalogue/chosen.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Views } from "../../catalogue/page-view-counts.ts";
import { toCaller } from "../../edge/user-guard.ts";
import { renderMarkdown } from "../../legal/markdown.ts";
import { nameLine } from "../../orders/delivery.ts";
import { toImageAddress } from "../../products/image-url.ts";
import type { Rating } from "../../reviews/rating.ts";
import type { Reviews } from "../../reviews/reviews.ts";
import { toRenewalTerms } from "../../products/license-schema.ts";
import { listEnabled, sendsTo, wordsOf } from "../../shipping/quotes.ts";
import { ProductGrid } from "../listing/product-list.tsx";
import type { PageRoutes } from "../page.ts";
import { Crumbs, toCrumbData, toCrumbs } from "../pieces/crumbs.tsx";
import { type Offer, ReducedFrom, findOffer, findPicture, toPriceNote } from "../pieces/offer.tsx";
import { RenewalNote } from "../pieces/renewal-note.tsx";
import { WishForm } from "../pieces/wish-form.tsx";
import { toOpenPriceWords, toUnitWords } from "../pieces/product-card.tsx";
import type { Visit } from "../visit.tsx";
import { BuyBar, BuyForm, Choices } from "./buy-form.tsx";
import { chooseVariant } from "./choice.ts";
import { Gallery } from "./gallery.tsx";
import { toProductData } from "./product-data.ts";
import { RatingLine } from "../pieces/rating.tsx";
import { ProductReviews } from "./product-reviews.tsx";
import { toProductPath } from "../../products/slug.ts";

const RELATED = 4;
/** Reviews on a product's page, the newest. */
const REVIEWS = 20;

/** How long the first method to the seller's own country takes; where none goes there, what each of them takes. */
function toDeliveryTime({ site, language, sellersLanguage }: Visit): string {
  const methods = listEnabled(site.shipping.methods);
  const { country } = site.seller;
  const home = country === "" ? undefined : methods.find((method) => sendsTo(method, country));
  const times = (home === undefined ? methods : [home]).map(
    (method) => wordsOf(method, sellersLanguage).deliveryTime,
  );
  return new Intl.ListFormat(language, { type: "disjunction" }).format(
    new Set(times.filter((time) => time !== "")),
  );
}

/** How it comes to the buyer, with how long that takes where the seller said so. */
function toDeliveryWords({ product: { deliveryType } }: CatalogueItem, visit: Visit): string {
  const { t } = visit;
  const time = deliveryType === "shipping" ? toDeliveryTime(visit) : "";
  return time === "" ? t(`product.delivery.${deliveryType}`) : t("product.deliveryTime", { time });
}

/** Which amounts of a gift card buyers can choose. */
function AmountNote({ item: { product }, visit }: { readonly item: CatalogueItem; readonly visit: Visit }) {
  const { giftCard, currency } = product;
  if (giftCard?.openAmount === undefined) return <></>;
  const { minimum, maximum } = giftCard.openAmount;
  const { t, money } = visit;
  const range = { minimum: money(minimum, currency), maximum: money(maximum, currency) };
  return <p class="small">{t("giftCard.choose", range)}</p>;
}

/** The price and availability. */
function Price({
  item,
  offer,
  visit,
}: {
  readonly item: CatalogueItem;
  readonly offer: Offer;
  readonly visit: Visit;
}) {
  const stock = toUnitWords(item, { units: offer.available, visit });
  const isThere = offer.available >= item.product.minQuantity;
  const note = toPriceNote(item, visit);
  return (
    <div class="stack is-tight">
      <p class="row price-line">
        <span class="price is-large num">
          {toOpenPriceWords(item.product, visit) ?? visit.money(offer.price, offer.currency)}
        </span>
        <ReducedFrom offer={offer} visit={visit} />
      </p>
      {note === "" ? <></> : <p class="small muted">{note}</p>}
      <AmountNote item={item} visit={visit} />
      <RenewalNote terms={toRenewalTerms(item.product, offer.variant)} visit={visit} price={offer.price} />
      {stock === undefined ? (
        <></>
      ) : (
        <p>
          <span class={isThere ? "tag is-good" : "tag is-warn"}>{stock}</span>
        </p>
      )}
    </div>
  );
}

/** What each unit costs from a quantity on. */
function TierTable({
  offer: { steps, currency },
  visit: { t, money },
}: {
  readonly offer: Offer;
  readonly visit: Visit;
}) {
  if (steps === undefined) return <></>;
  return (
    <table class="tiers">
      <caption>{t("product.tiers")}</caption>
      <thead class="for-readers">
        <tr>
          <th scope="col">{t("product.quantity")}</th>
          <th scope="col">{t("product.tiers.price")}</th>
        </tr>
      </thead>
      <tbody>
        {steps.slice(1).map(({ from, price }) => (
          <tr>
            <th scope="row">{t("product.tiers.from", { count: from })}</th>
            <td class="num">{t("product.tiers.each", { price: money(price, currency) })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is in a bundle. */
function Parts({
  item: { product },
  catalogue,
  visit: { t, sellersLanguage },
}: {
  readonly item: CatalogueItem;
  readonly catalogue: Pick<Catalogue, "find" | "findPart">;
  readonly visit: Visit;
}) {
  if (product.parts === undefined) return <></>;
  const named = product.parts.flatMap(({ productId, variantId, quantity }) => {
    const part = catalogue.findPart(productId);
    if (part === undefined) return [];
    const { title } = wordsIn(part, sellersLanguage);
    const options = part.variants.find(({ id }) => id === variantId)?.options ?? {};
    const name = nameLine({ title, options });
    const isShown = catalogue.find(productId) !== undefined;
    return [{ quantity, name, path: isShown ? toProductPath(part.slug) : undefined }];
  });
  return (
    <div class="stack is-tight">
      <p class="field-label" id="parts">
        {t("product.parts")}
      </p>
      <ul class="parts" aria-labelledby="parts">
        {named.map(({ quantity, name, path }) => (
          <li>
            {quantity} × {path === undefined ? name : <a href={path}>{name}</a>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Further facts. */
function Facts({
  item,
  offer,
  visit,
}: {
  readonly item: CatalogueItem;
  readonly offer: Offer;
  readonly visit: Visit;
}) {
  const { t } = visit;
  const { tags, sku } = item.product;
  const number = (offer.variant?.sku ?? "") || sku;
  return (
    <dl class="facts">
      <dt>{t("product.delivery")}</dt>
      <dd>{toDeliveryWords(item, visit)}</dd>
      {number === "" ? (
        <></>
      ) : (
        <>
          <dt>{t("product.sku")}</dt>
          <dd>{number}</dd>
        </>
      )}
      {tags.length === 0 ? (
        <></>
      ) : (
        <>
          <dt>{t("product.tags")}</dt>
          <dd class="row">
            {tags.map((tag) => (
              <a href={`/search?tag=${encodeURIComponent(tag)}`}>{tag}</a>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

function Related({ items, visit }: { readonly items: readonly CatalogueItem[]; readonly visit: Visit }) {
  if (items.length === 0) return <></>;
  return (
    <section class="stack" aria-labelledby="related">
      <h2 id="related">{visit.t("product.related")}</h2>
      <ProductGrid items={items} visit={visit} eager={0} />
    </section>
  );
}

/** Filled by the script with what this browser saw before; the product itself is what it remembers. */
function Recent({
  item: { product },
  title,
  visit: { t },
}: {
  readonly item: CatalogueItem;
  readonly title: string;
  readonly visit: Pick<Visit, "t">;
}) {
  const [image] = product.images;
  const seen = {
    path: toProductPath(product.slug),
    title,
    image: image === undefined ? "" : toImageAddress(image.hash),
  };
  return (
    <section class="stack" aria-labelledby="recent" data-recent={JSON.stringify(seen)} hidden>
      <h2 id="recent">{t("product.recent")}</h2>
      <ul class="products" />
    </section>
  );
}

function Intro({
  title,
  summary,
  rating,
  visit,
}: {
  readonly title: string;
  readonly summary: string;
  readonly rating: Rating | undefined;
  readonly visit: Visit;
}) {
  return (
    <div class="stack is-tight">
      <h1>{title}</h1>
      {rating === undefined ? (
        <></>
      ) : (
        <p>
          <a class="rating-link" href="#reviews">
            <RatingLine rating={rating} visit={visit} />
          </a>
        </p>
      )}
      {summary === "" ? <></> : <p class="lead pre-line">{summary}</p>}
    </div>
  );
}

async function showProduct(
  visit: Visit,
  {
    item,
    catalogue,
    reviews,
    hasAccounts,
    browsingHead,
  }: {
    readonly item: CatalogueItem;
    readonly reviews: Pick<Reviews, "listPublished">;
    readonly catalogue: Catalogue;
    readonly hasAccounts: boolean;
    readonly browsingHead: string;
  },
) {
  const { c, t, sellersLanguage, publicUrl } = visit;
  const { product } = item;
  const { title, summary, description } = wordsIn(product, sellersLanguage);
  const { index, groups } = chooseVariant(item, c.req.query("v"));
  const offer = findOffer(item, index);
  const crumbs = toCrumbs(catalogue.tree(), { visit, categoryId: product.categoryId });
  const path = toProductPath(product.slug);
  const [image] = product.images;
  const related = listRelated(catalogue, item, RELATED);
  const rating = visit.site.reviews.isOn ? item.rating : undefined;
  const written =
    rating === undefined ? [] : (await reviews.listPublished(product.id, { limit: REVIEWS })).items;
  return visit.render({
    title,
    head: browsingHead,
    place: crumbs[1]?.path ?? "/",
    meta: {
      path,
      type: "product",
      description: summary || description,
      image: image && { path: toImageAddress(image.hash), width: image.width, height: image.height },
      data: [toProductData(item, visit), toCrumbData([...crumbs, { path, label: title }], publicUrl)],
    },
    body: (
      <>
        <Crumbs crumbs={crumbs} visit={visit} />
        <div class="product-page">
          <Gallery
            images={product.images}
            large={findPicture(product, offer.variant)}
            title={title}
            visit={visit}
          />
          <div class="stack product-main">
            <Intro title={title} summary={summary} rating={rating} visit={visit} />
            <Price item={item} offer={offer} visit={visit} />
            <Parts item={item} catalogue={catalogue} visit={visit} />
            <TierTable offer={offer} visit={visit} />
            <Choices groups={groups} slug={product.slug} visit={visit} />
            <BuyForm item={item} offer={offer} visit={visit} />
            {hasAccounts ? (
              <WishForm productId={product.id} variantId={offer.variant?.id} path={path} visit={visit} />
            ) : (
              <></>
            )}
            <Facts item={item} offer={offer} visit={visit} />
          </div>
        </div>
        {description === "" ? (
          <></>
        ) : (
          <section class="text" aria-labelledby="description">
            <h2 id="description">{t("product.description")}</h2>
            {raw(renderMarkdown(description))}
          </section>
        )}
        <ProductReviews visit={visit} rating={rating} items={written} />
        <Related items={related} visit={visit} />
        <Recent item={item} title={title} visit={visit} />
        <BuyBar item={item} offer={offer} visit={visit} />
      </>
    ),
  });
}

/** Adds /p/{slug}. */
export function addProductPage(
  pages: PageRoutes,
  {
    catalogue,
    views,
    reviews,
    hasAccounts,
    browsingHead,
  }: {
    readonly catalogue: Catalogue;
    readonly reviews: Pick<Reviews, "listPublished" | "report">;
    /** In the head of these pages. */
    readonly browsingHead: string;
    readonly views: Pick<Views, "count">;
    /** Whether people can sign in here. */
    readonly hasAccounts: boolean;
  },
): void {
  const findItem = (slug: string | undefined): CatalogueItem | undefined =>
    catalogue.find((slug ?? "").normalize("NFC"));
  pages.addCatalogue({
    path: "/p/:slug",
    toQuery: (c) => {
      const wanted = c.req.query("v") ?? "";
      const variants = findItem(c.req.param("slug"))?.product.variants ?? [];
      return variants.some(({ id }) => id === wanted) ? `v=${wanted}` : "";
    },
    onOpen: (c) => {
      const item = findItem(c.req.param("slug"));
      // Fetched in advance is not looked at.
      const isAhead = /prefetch/u.test(c.req.header("sec-purpose") ?? c.req.header("purpose") ?? "");
      if (item !== undefined && !isAhead && c.req.method === "GET") views.count(item.product.id, toCaller(c));
    },
    show: (visit) => {
      const item = findItem(visit.c.req.param("slug"));
      // A draft looks exactly like a product that does not exist.
      if (item === undefined) throw new AppError("not_found", "This product does not exist");
      return showProduct(visit, { item, catalogue, reviews, hasAccounts, browsingHead });
    },
  });
  pages.addForm("/reviews/:id/report", async ({ c, caller, t, render }) => {
    await reviews.report(c.req.param("id") ?? "", caller.clientAddress);
    return render({ title: t("review.reported"), narrow: true, body: <h1>{t("review.reported")}</h1> });
  });
}

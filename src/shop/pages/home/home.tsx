/** @jsxImportSource hono/jsx */
/** The first page of the shop. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { listCollected } from "../../catalogue/chosen.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import { search } from "../../catalogue/search.ts";
import { PAGE_SIZE, readListQuery, toKeptQuery } from "../listing/list-query.ts";
import {
  ListForm,
  ListPages,
  ListState,
  ProductGrid,
  findPage,
  toCountWords,
} from "../listing/product-list.tsx";
import type { CatalogueRoute } from "../page.ts";
import type { Visit } from "../visit.tsx";

/** Products of each part before the list of all. */
const SHOWN = 4;
const COLLECTIONS = 3;

/** Collections with some of their products. */
function Collections({ visit, catalogue }: { readonly visit: Visit; readonly catalogue: Catalogue }) {
  const shown = catalogue
    .collections()
    .filter(({ status }) => status === "published")
    .slice(0, COLLECTIONS);
  return (
    <>
      {shown.map((collection) => {
        const items = listCollected(catalogue, collection).slice(0, SHOWN);
        if (items.length === 0) return <></>;
        const { title, description } = shownWordsIn(collection, visit.sellersLanguage);
        return (
          <section class="stack" aria-labelledby={`collection-${collection.id}`}>
            <div class="row section-head">
              <div class="stack is-tight">
                <h2 id={`collection-${collection.id}`}>{title}</h2>
                {description === "" ? <></> : <p class="muted">{description}</p>}
              </div>
              <a
                class="push"
                href={`/collections/${collection.id}`}
                aria-label={`${visit.t("home.all")}: ${title}`}
              >
                {visit.t("home.all")}
              </a>
            </div>
            <ProductGrid items={items} visit={visit} />
          </section>
        );
      })}
    </>
  );
}

/** The newest products, where there are so many that the list of all shows others first. */
function Newest({ visit, catalogue }: { readonly visit: Visit; readonly catalogue: Catalogue }) {
  const { items, total } = search(catalogue, { isInStock: false, sort: "newest", limit: SHOWN });
  if (total <= PAGE_SIZE) return <></>;
  return (
    <section class="stack" aria-labelledby="newest">
      <div class="row section-head">
        <h2 id="newest">{visit.t("home.newest")}</h2>
        <a class="push" href="/?sort=newest" aria-label={`${visit.t("home.all")}: ${visit.t("home.newest")}`}>
          {visit.t("home.all")}
        </a>
      </div>
      <ProductGrid items={items} visit={visit} />
    </section>
  );
}

function showHome(visit: Visit, catalogue: Catalogue): Response {
  const { c, t, site } = visit;
  const query = { ...readListQuery(c, site.currency), q: "" };
  const { items, total, nextCursor } = findPage(catalogue, query);
  const isFirst = (toKeptQuery(c) ?? "other") === "";
  const list = { visit, path: "/", query };
  const isEmpty = catalogue.counts().products === 0;
  return visit.render({
    title: isFirst ? site.name : t("home.allProducts"),
    place: "/",
    meta: {
      path: "/",
      description: site.description,
      isPartial: !isFirst,
      data: [
        { "@context": "https://schema.org", "@type": "WebSite", name: site.name, url: `${visit.publicUrl}/` },
      ],
    },
    body: (
      <>
        {isFirst ? (
          <div class="stack is-tight intro">
            <h1>{site.name}</h1>
            {site.description === "" ? <></> : <p class="lead pre-line">{site.description}</p>}
          </div>
        ) : (
          <></>
        )}
        {isEmpty ? (
          <p class="muted">{t("home.empty")}</p>
        ) : (
          <>
            {isFirst ? (
              <>
                <Collections visit={visit} catalogue={catalogue} />
                <Newest visit={visit} catalogue={catalogue} />
              </>
            ) : (
              <></>
            )}
            <section class="stack" aria-labelledby="all">
              <div class="row section-head">
                {isFirst ? (
                  <h2 id="all">{t("home.allProducts")}</h2>
                ) : (
                  <h1 id="all">{t("home.allProducts")}</h1>
                )}
                <span class="push muted">{toCountWords(t, total)}</span>
              </div>
              <ListForm {...list} />
              <ListState {...list} />
              {items.length === 0 ? (
                <p class="muted">{t("list.nothing")}</p>
              ) : (
                <ProductGrid items={items} visit={visit} />
              )}
              <ListPages {...list} nextCursor={nextCursor} />
            </section>
          </>
        )}
      </>
    ),
  });
}

export function createHomePage({ catalogue }: { readonly catalogue: Catalogue }): CatalogueRoute {
  return { path: "/", toQuery: toKeptQuery, show: (visit) => showHome(visit, catalogue) };
}

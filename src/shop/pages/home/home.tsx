/** @jsxImportSource hono/jsx */
/** The first page of the shop, and the list of all its products. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { listCollected } from "../../catalogue/chosen.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import { search } from "../../catalogue/search.ts";
import { type Section, isKnownSection } from "../../site/storefront-schema.ts";
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
import { type FindLostPictures } from "./lost-pictures.ts";
import { ProductRow } from "./product-row.tsx";
import { findSectionProblem } from "./section-state.ts";
import { HomeSections } from "./sections.tsx";

/** Products of each part before the list of all. */
const SHOWN = 4;
const COLLECTIONS = 3;

interface HomeProps {
  readonly visit: Visit;
  readonly catalogue: Catalogue;
}

/** Collections with some of their products. */
function Collections({ visit, catalogue }: HomeProps) {
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
          <ProductRow
            id={`collection-${collection.id}`}
            title={title}
            description={description}
            path={`/collections/${collection.id}`}
            items={items}
            visit={visit}
          />
        );
      })}
    </>
  );
}

/** The newest products, where there are so many that the list of all shows others first. */
function Newest({ visit, catalogue }: HomeProps) {
  const { items, total } = search(catalogue, { isInStock: false, sort: "newest", limit: SHOWN });
  if (total <= PAGE_SIZE) return <></>;
  return (
    <ProductRow
      id="newest"
      title={visit.t("home.newest")}
      description=""
      path="/?sort=newest"
      items={items}
      visit={visit}
    />
  );
}

/** All products with sorting, filters and pages. */
function AllProducts({
  visit,
  catalogue,
  path,
  title,
  isTitle,
}: HomeProps & {
  readonly path: string;
  readonly title: string;
  /** It is what the page is about. */
  readonly isTitle: boolean;
}) {
  const { c, t, site } = visit;
  const query = { ...readListQuery(c, site.currency), q: "" };
  const { items, total, nextCursor, options: groups } = findPage(catalogue, query);
  const list = { visit, path, query, groups };
  return (
    <section class="stack" aria-labelledby="all">
      <div class="row section-head">
        {isTitle ? <h1 id="all">{title}</h1> : <h2 id="all">{title}</h2>}
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
  );
}

/** The page without sections: all collections, the newest products, and the list of all. */
function Usual({ visit, catalogue }: HomeProps) {
  const { t, site } = visit;
  return (
    <>
      <div class="stack is-tight intro">
        <h1>{site.name}</h1>
        {site.description === "" ? <></> : <p class="lead pre-line">{site.description}</p>}
      </div>
      {catalogue.counts().products === 0 ? (
        <p class="muted">{t("home.empty")}</p>
      ) : (
        <>
          <Collections visit={visit} catalogue={catalogue} />
          <Newest visit={visit} catalogue={catalogue} />
          <AllProducts
            visit={visit}
            catalogue={catalogue}
            path="/"
            title={t("home.allProducts")}
            isTitle={false}
          />
        </>
      )}
    </>
  );
}

/** The sections that can be shown now. */
async function listShown(
  visit: Visit,
  { catalogue, findLost }: { readonly catalogue: Catalogue; readonly findLost: FindLostPictures },
): Promise<readonly Section[]> {
  const { sections } = visit.site.storefront;
  if (sections.length === 0) return [];
  const lost = await findLost(visit.site);
  return sections
    .filter(isKnownSection)
    .filter((section) => !findSectionProblem(section, { catalogue, lost }));
}

export interface HomeParts {
  readonly catalogue: Catalogue;
  readonly findLost: FindLostPictures;
}

/** Shows the first page; a sorted or filtered list alone, where the URL says so. */
export async function showHome(visit: Visit, parts: HomeParts): Promise<Response> {
  const { c, site } = visit;
  if ((toKeptQuery(c) ?? "other") !== "") return showAllProducts(visit, { ...parts, path: "/" });
  const { catalogue } = parts;
  const sections = await listShown(visit, parts);
  const showAll = (title: string) => (
    <AllProducts
      visit={visit}
      catalogue={catalogue}
      path="/products"
      title={title || visit.t("home.allProducts")}
      isTitle={false}
    />
  );
  return visit.render({
    title: site.name,
    place: "/",
    meta: {
      path: "/",
      description: site.description,
      data: [
        { "@context": "https://schema.org", "@type": "WebSite", name: site.name, url: `${visit.publicUrl}/` },
      ],
    },
    body:
      sections.length === 0 ? (
        <Usual visit={visit} catalogue={catalogue} />
      ) : (
        <HomeSections sections={sections} visit={visit} catalogue={catalogue} showAll={showAll} />
      ),
  });
}

function showAllProducts(visit: Visit, { catalogue, path }: HomeParts & { readonly path: string }): Response {
  const { c, t } = visit;
  const title = t("home.allProducts");
  return visit.render({
    title,
    place: path,
    meta: { path, isPartial: path === "/" || toKeptQuery(c) !== "" },
    body:
      catalogue.counts().products === 0 ? (
        <>
          <h1>{title}</h1>
          <p class="muted">{t("home.empty")}</p>
        </>
      ) : (
        <AllProducts visit={visit} catalogue={catalogue} path={path} title={title} isTitle />
      ),
  });
}

export function createHomePage(parts: HomeParts): CatalogueRoute {
  return { path: "/", toQuery: toKeptQuery, show: (visit) => showHome(visit, parts) };
}

/** /products, which the navigation leads to where the first page has sections. */
export function createProductsPage(parts: HomeParts): CatalogueRoute {
  const path = "/products";
  return { path, toQuery: toKeptQuery, show: (visit) => showAllProducts(visit, { ...parts, path }) };
}

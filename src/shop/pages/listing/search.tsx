/** @jsxImportSource hono/jsx */
/** The results of a search, and suggestions without results. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import { search } from "../../catalogue/search.ts";
import type { PageRoutes } from "../page.ts";
import { Nothing } from "../pieces/nothing.tsx";
import type { Visit } from "../visit.tsx";
import { isFiltered, readListQuery } from "./list-query.ts";
import { ListForm, ListPages, ListState, ProductGrid, findPage, toCountWords } from "./product-list.tsx";

/** Products that are shown when nothing was found. */
const SUGGESTED = 8;
const SUGGESTED_CATEGORIES = 12;

function SearchForm({ visit: { t }, q }: { readonly visit: Visit; readonly q: string }) {
  return (
    <form class="stack is-tight" role="search" action="/search" method="get" aria-label={t("search.title")}>
      <label class="field-label" for="search-q">
        {t("frame.searchLabel")}
      </label>
      <p class="field-hint" id="search-hint">
        {t("search.hint")}
      </p>
      <div class="search">
        <input
          id="search-q"
          type="search"
          name="q"
          value={q}
          maxlength={200}
          aria-describedby="search-hint"
        />
        <button class="button primary" type="submit">
          {t("frame.search")}
        </button>
      </div>
    </form>
  );
}

/** Suggestions: categories, and best sellers. */
function Suggestions({ visit, catalogue }: { readonly visit: Visit; readonly catalogue: Catalogue }) {
  const { items } = search(catalogue, { isInStock: true, sort: "sold", limit: SUGGESTED });
  const categories = catalogue.tree().visible.slice(0, SUGGESTED_CATEGORIES);
  return (
    <>
      {categories.length === 0 ? (
        <></>
      ) : (
        <ul class="choices" aria-label={visit.t("frame.categories")}>
          {categories.map((category) => (
            <li>
              <a class="choice" href={`/c/${category.id}`}>
                {shownWordsIn(category, visit.sellersLanguage).title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {items.length === 0 ? <></> : <ProductGrid items={items} visit={visit} />}
    </>
  );
}

function showSearch(visit: Visit, catalogue: Catalogue): Response {
  const { c, t, site } = visit;
  const query = readListQuery(c, site.currency);
  const { q } = query;
  const title = q === "" && query.tag === "" ? t("search.title") : t("search.results", { q: q || query.tag });
  const path = "/search";
  const list = { visit, path, query };
  const isAsked = q !== "" || isFiltered(query);
  const { items, total, nextCursor } = findPage(catalogue, query);
  return visit.render({
    title,
    place: path,
    body: (
      <>
        <h1>{title}</h1>
        <SearchForm visit={visit} q={q} />
        {isAsked && total > 0 ? (
          <p class="muted" role="status">
            {toCountWords(t, total)}
          </p>
        ) : (
          <></>
        )}
        {isAsked && (total > 0 || isFiltered(query)) ? (
          <>
            <ListForm {...list} />
            <ListState {...list} />
          </>
        ) : (
          <></>
        )}
        {items.length > 0 && isAsked ? <ProductGrid items={items} visit={visit} /> : <></>}
        {items.length === 0 && isAsked ? (
          <Nothing
            visit={visit}
            text={
              isFiltered(query) || q === "" ? t("search.nothingFiltered", { q }) : t("search.nothing", { q })
            }
          >
            <Suggestions visit={visit} catalogue={catalogue} />
          </Nothing>
        ) : (
          <></>
        )}
        {isAsked ? (
          <ListPages {...list} nextCursor={nextCursor} />
        ) : (
          <Suggestions visit={visit} catalogue={catalogue} />
        )}
      </>
    ),
  });
}

export function addSearchPage(pages: PageRoutes, { catalogue }: { readonly catalogue: Catalogue }): void {
  pages.addCatalogue({
    path: "/search",
    // There is no end of what people look for.
    toQuery: () => undefined,
    show: (visit) => showSearch(visit, catalogue),
  });
}

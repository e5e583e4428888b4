/** @jsxImportSource hono/jsx */
/** The results of a search, and suggestions without results. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import { type SearchResult, search } from "../../catalogue/search.ts";
import { type Suggest, findCategories } from "../../catalogue/suggest.ts";
import type { PageRoutes } from "../page.ts";
import { Nothing } from "../pieces/nothing.tsx";
import type { Visit } from "../visit.tsx";
import { type ListQuery, isFiltered, readListQuery } from "./list-query.ts";
import { ListForm, ListPages, ListState, ProductGrid, findPage, toCountWords } from "./product-list.tsx";
import { showSuggestions } from "./suggestions.tsx";

/** Products that are shown when nothing was found. */
const SUGGESTED = 8;
const SUGGESTED_CATEGORIES = 12;

function SearchForm({ visit: { t }, q }: { readonly visit: Visit; readonly q: string }) {
  return (
    <form role="search" action="/search" method="get" aria-label={t("search.title")}>
      <div class="search">
        <input type="search" name="q" value={q} maxlength={200} aria-label={t("frame.searchLabel")} />
        <button class="button primary" type="submit">
          {t("frame.search")}
        </button>
      </div>
    </form>
  );
}

interface PartProps {
  readonly visit: Visit;
  readonly catalogue: Catalogue;
}

/** Suggestions: categories, and best sellers. */
function Suggestions({ visit, catalogue }: PartProps) {
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

/** What was found in place of what was typed; nothing where products have all words. */
function toMatchWords(
  { t }: Visit,
  q: string,
  { match, corrected, total }: SearchResult,
): string | undefined {
  if (match === "exact" || total === 0) return undefined;
  if (match === "partial") return t("search.partial");
  return corrected === undefined ? t("search.similarSpelling", { q }) : t("search.similar", { q, corrected });
}

/** Links to the categories that a search names. */
function FoundCategories({ visit, catalogue, q }: PartProps & { readonly q: string }) {
  const found = findCategories(catalogue.tree(), q);
  if (found.length === 0) return <></>;
  return (
    <ul class="choices" aria-label={visit.t("frame.categories")}>
      {found.map((category) => (
        <li>
          <a class="choice" href={`/c/${category.id}`}>
            {shownWordsIn(category, visit.sellersLanguage).title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Results({ visit, catalogue, query }: PartProps & { readonly query: ListQuery }) {
  const { t } = visit;
  const { q } = query;
  const result = findPage(catalogue, query);
  const { items, total, nextCursor } = result;
  const list = { visit, path: "/search", query, groups: result.options };
  const instead = toMatchWords(visit, q, result);
  return (
    <>
      <FoundCategories visit={visit} catalogue={catalogue} q={q} />
      {total > 0 ? (
        <p class="muted" role="status">
          {instead === undefined ? "" : `${instead} `}
          {toCountWords(t, total)}
        </p>
      ) : (
        <></>
      )}
      {total > 0 || isFiltered(query) ? (
        <>
          <ListForm {...list} />
          <ListState {...list} />
        </>
      ) : (
        <></>
      )}
      {items.length > 0 ? (
        <ProductGrid items={items} visit={visit} />
      ) : (
        <Nothing
          visit={visit}
          text={
            isFiltered(query) || q === "" ? t("search.nothingFiltered", { q }) : t("search.nothing", { q })
          }
        >
          <Suggestions visit={visit} catalogue={catalogue} />
        </Nothing>
      )}
      <ListPages {...list} nextCursor={nextCursor} />
    </>
  );
}

function showSearch(visit: Visit, catalogue: Catalogue): Response {
  const { c, t, site } = visit;
  const query = readListQuery(c, site.currency);
  const { q } = query;
  const title = q === "" && query.tag === "" ? t("search.title") : t("search.results", { q: q || query.tag });
  return visit.render({
    title,
    place: "/search",
    body: (
      <>
        <h1>{title}</h1>
        <SearchForm visit={visit} q={q} />
        {q !== "" || isFiltered(query) ? (
          <Results visit={visit} catalogue={catalogue} query={query} />
        ) : (
          <Suggestions visit={visit} catalogue={catalogue} />
        )}
      </>
    ),
  });
}

export function addSearchPage(
  pages: PageRoutes,
  { catalogue, suggest }: { readonly catalogue: Catalogue; readonly suggest: Suggest },
): void {
  pages.addCatalogue({
    path: "/search",
    // There is no end of what people look for.
    toQuery: () => undefined,
    show: (visit) => showSearch(visit, catalogue),
  });
  pages.addCatalogue({
    path: "/search/suggestions",
    toQuery: () => undefined,
    show: (visit) => showSuggestions(visit, suggest),
  });
}

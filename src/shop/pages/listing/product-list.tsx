/** @jsxImportSource hono/jsx */
/** Products in a list with its order, its filters and its pages. */
import { StoreError } from "../../../store/store.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { type SearchResult, search } from "../../catalogue/search.ts";
import { Icon } from "../pieces/icons.tsx";
import { ProductCard } from "../pieces/product-card.tsx";
import type { Texts } from "../texts.ts";
import type { Visit } from "../visit.tsx";
import { type ListQuery, PAGE_SIZE, isFiltered, listSortsOf, toListQuery } from "./list-query.ts";

/** How many things there are, in words. */
export function toCountWords(t: Texts, count: number): string {
  return t("list.count", { count });
}

/** Finds a page of products; a page number beyond the list shows the first page. */
export function findPage(
  catalogue: Pick<Catalogue, "list" | "tree" | "search">,
  { category, ...query }: ListQuery & { readonly category?: string | undefined },
): SearchResult {
  const { q, sort, isInStock, tag, minPrice, maxPrice, cursor } = query;
  const wanted = { q, category, sort, isInStock, minPrice, maxPrice, limit: PAGE_SIZE };
  const filter = { tag: tag === "" ? undefined : tag, ...wanted };
  try {
    return search(catalogue, { cursor, ...filter });
  } catch (error) {
    if (error instanceof StoreError && error.code === "bad_cursor") return search(catalogue, filter);
    throw error;
  }
}

/** Products side by side. The first ones are fetched at once, since they are in sight. */
export function ProductGrid({
  items,
  visit,
  eager = 4,
}: {
  readonly items: readonly CatalogueItem[];
  readonly visit: Visit;
  readonly eager?: number;
}) {
  return (
    <ul class="products">
      {items.map((item, at) => (
        <li>
          <ProductCard item={item} visit={visit} isEager={at < eager} />
        </li>
      ))}
    </ul>
  );
}

interface ListProps {
  readonly visit: Visit;
  /** The path of the list. */
  readonly path: string;
  readonly query: ListQuery;
}

function PriceField({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}) {
  return (
    <label class="filter-price">
      <span class="field-label">{label}</span>
      <input name={name} value={value} inputmode="decimal" size={6} maxlength={20} autocomplete="off" />
    </label>
  );
}

function countFilters({ isInStock, minPrice, maxPrice }: ListQuery): number {
  return [isInStock, minPrice !== undefined, maxPrice !== undefined].filter(Boolean).length;
}

/**
 * The form that sorts and filters a list. On phones it is a sheet that one button opens; on wide screens it is above
 * the list.
 */
export function ListForm({ visit, path, query }: ListProps) {
  const { t, site } = visit;
  const { q, sort, isInStock, tag, min, max } = query;
  const count = countFilters(query);
  return (
    <details class="list-sheet">
      <summary>
        <Icon name="filter" />
        {t("list.sheet")}
        {count === 0 ? <></> : <span class="badge num">{count}</span>}
      </summary>
      <form class="list-form" action={path} method="get" aria-label={t("list.filters")}>
        {q === "" ? <></> : <input type="hidden" name="q" value={q} />}
        {tag === "" ? <></> : <input type="hidden" name="tag" value={tag} />}
        <label class="filter-sort">
          <span class="field-label">{t("list.sort")}</span>
          <select name="sort">
            {listSortsOf(query).map((each) => (
              <option value={each} selected={each === sort}>
                {t(`list.sort.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <PriceField name="min" label={`${t("list.minPrice")} (${site.currency})`} value={min} />
        <PriceField name="max" label={`${t("list.maxPrice")} (${site.currency})`} value={max} />
        <label class="check">
          <input type="checkbox" name="stock" value="1" checked={isInStock} />
          <span>{t("list.inStock")}</span>
        </label>
        <button class="button primary" type="submit">
          {t("list.apply")}
        </button>
      </form>
    </details>
  );
}

/** The active filters of a list, with links to clear them. */
export function ListState({ visit, path, query }: ListProps) {
  const { t } = visit;
  const { tag, min, max, minPrice, maxPrice } = query;
  const bad = [min, max].filter((typed, at) => typed !== "" && [minPrice, maxPrice][at] === undefined);
  const toPath = (text: string): string => (text === "" ? path : `${path}?${text}`);
  return (
    <>
      {bad.map((price) => (
        <p class="note">{t("list.invalidPrice", { price })}</p>
      ))}
      {tag === "" ? (
        <></>
      ) : (
        <p>
          {t("list.tag", { tag })}{" "}
          <a href={toPath(toListQuery(query, { tag: "", cursor: undefined }))}>
            {t("list.withoutTag", { tag })}
          </a>
        </p>
      )}
      {isFiltered(query) ? (
        <p>
          <a
            href={toPath(
              toListQuery({ ...query, isInStock: false, tag: "", min: "", max: "", cursor: undefined }),
            )}
          >
            {t("list.reset")}
          </a>
        </p>
      ) : (
        <></>
      )}
    </>
  );
}

/** The ways to other pages of a list. */
export function ListPages({
  visit: { t },
  path,
  query,
  nextCursor,
}: ListProps & { readonly nextCursor: string | undefined }) {
  if (nextCursor === undefined && query.cursor === undefined) return <></>;
  const first = toListQuery(query, { cursor: undefined });
  return (
    <nav class="list-pages" aria-label={t("list.next")}>
      {query.cursor === undefined ? (
        <></>
      ) : (
        <a class="button" href={first === "" ? path : `${path}?${first}`}>
          {t("list.first")}
        </a>
      )}
      {nextCursor === undefined ? (
        <></>
      ) : (
        <a class="button" rel="next" href={`${path}?${toListQuery(query, { cursor: nextCursor })}`}>
          {t("list.next")}
        </a>
      )}
    </nav>
  );
}

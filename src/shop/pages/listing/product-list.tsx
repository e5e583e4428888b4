/** @jsxImportSource hono/jsx */
/** Products in a list with its order, its filters and its pages. */
import { StoreError } from "../../../store/store.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { type SearchResult, search } from "../../catalogue/search.ts";
import type { OptionGroup } from "../../catalogue/lookup/option-index.ts";
import { Icon } from "../pieces/icons.tsx";
import { ProductCard } from "../pieces/product-card.tsx";
import { Swatch } from "../pieces/swatch.tsx";
import type { Texts } from "../texts.ts";
import type { Visit } from "../visit.tsx";
import { findSwatches } from "../product/swatches.ts";
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
  const { q, sort, isInStock, tag, options, minPrice, maxPrice, cursor } = query;
  const wanted = { q, category, sort, isInStock, options, minPrice, maxPrice, limit: PAGE_SIZE };
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

interface FilterProps extends ListProps {
  /** Options that the products of the list have. */
  readonly groups: readonly OptionGroup[];
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

function listChosen(groups: readonly OptionGroup[]) {
  return groups.flatMap(({ values }) => values.filter(({ isChosen }) => isChosen));
}

function countFilters({ isInStock, minPrice, maxPrice }: ListQuery, groups: readonly OptionGroup[]): number {
  const others = [isInStock, minPrice !== undefined, maxPrice !== undefined].filter(Boolean);
  return others.length + listChosen(groups).length;
}

/** An option with its values: each says how many products have it. */
function OptionFilter({ group: { name, values } }: { readonly group: OptionGroup }) {
  const chosen = values.filter(({ isChosen }) => isChosen).length;
  const swatches = findSwatches(
    name,
    values.map(({ label }) => label),
  );
  return (
    <details class="facet" name="facet">
      <summary>
        {name}
        {chosen === 0 ? <></> : <span class="badge num">{chosen}</span>}
      </summary>
      <fieldset>
        <legend class="for-readers">{name}</legend>
        {values.map(({ key, label, count, isChosen }, at) => (
          <label class="check">
            <input type="checkbox" name="option" value={key} checked={isChosen} />
            {swatches === undefined ? <></> : <Swatch color={swatches[at] ?? ""} />}
            <span>{label}</span>
            <span class="num muted push">{count}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/**
 * The form that sorts and filters a list. On phones it is a sheet that one button opens; on wide screens it is above
 * the list.
 */
export function ListForm({ visit, path, query, groups }: FilterProps) {
  const { t, site } = visit;
  const { q, sort, isInStock, tag, min, max } = query;
  const count = countFilters(query, groups);
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
        {groups.map((group) => (
          <OptionFilter group={group} />
        ))}
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

const unfiltered = { isInStock: false, tag: "", options: [], min: "", max: "" };

function Chip({
  text,
  label,
  path,
}: {
  readonly text: string;
  readonly label: string;
  readonly path: string;
}) {
  return (
    <a class="chip" href={path} aria-label={label}>
      {text}
      <span aria-hidden="true">×</span>
    </a>
  );
}

/** The active filters of a list, with links to clear them. */
export function ListState({ visit, path, query, groups }: FilterProps) {
  const { t } = visit;
  const { tag, options, min, max, minPrice, maxPrice } = query;
  const first = { cursor: undefined };
  const bad = [min, max].filter((typed, at) => typed !== "" && [minPrice, maxPrice][at] === undefined);
  const toPath = (text: string): string => (text === "" ? path : `${path}?${text}`);
  return (
    <>
      {bad.map((price) => (
        <p class="note">{t("list.invalidPrice", { price })}</p>
      ))}
      {isFiltered(query) ? (
        <div class="row chips">
          {listChosen(groups).map(({ key, label }) => (
            <Chip
              text={label}
              label={t("list.without", { filter: label })}
              path={toPath(toListQuery(query, { options: options.filter((each) => each !== key), ...first }))}
            />
          ))}
          {tag === "" ? (
            <></>
          ) : (
            <Chip
              text={t("list.tag", { tag })}
              label={t("list.without", { filter: tag })}
              path={toPath(toListQuery(query, { tag: "", ...first }))}
            />
          )}
          <a href={toPath(toListQuery(query, { ...unfiltered, ...first }))}>{t("list.reset")}</a>
        </div>
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

/** @jsxImportSource hono/jsx */
/**
 * GET /search/suggestions: the list below a search field as a piece of HTML, which the storefront's script shows. It is the
 * listbox of the combobox pattern (WAI-ARIA Authoring Practices); without the script the field is a plain form.
 */
import type { Child } from "hono/jsx";
import { toMarkup } from "../../../html/render.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import { shownWordsIn, wordsIn } from "../../catalogue/languages.ts";
import type { Suggest, Suggestions } from "../../catalogue/suggest.ts";
import { imageWidths, toImageAddress, toPlate } from "../../products/image-url.ts";
import { toProductPath } from "../../products/slug.ts";
import { toPriceWords } from "../pieces/product-card.tsx";
import { pageHeaders, type Visit } from "../visit.tsx";

/** Products below the field; the page of results shows the others. */
const COUNT = 6;
const MAX_TEXT = 200;

function Option({ href, children }: { readonly href: string; readonly children: Child }) {
  return (
    <a role="option" aria-selected="false" tabindex={-1} href={href}>
      {children}
    </a>
  );
}

function Group({ label, children }: { readonly label: string; readonly children: Child }) {
  return (
    <div role="group" aria-label={label}>
      <span class="suggest-head" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}

function ProductOption({ item, visit }: { readonly item: CatalogueItem; readonly visit: Visit }) {
  const { product } = item;
  const [image] = product.images;
  const { title } = wordsIn(product, visit.sellersLanguage);
  return (
    <Option href={toProductPath(product.slug)}>
      {image === undefined ? (
        <span class="picture is-empty" aria-hidden="true" />
      ) : (
        <img
          class={`picture${toPlate(image)}`}
          src={`${toImageAddress(image.hash)}?w=${imageWidths[0]}`}
          width={48}
          height={48}
          alt=""
        />
      )}
      <span class="suggest-name">{title}</span>
      <span class="num">{toPriceWords(item, visit)}</span>
    </Option>
  );
}

function toSearchPath(q: string): string {
  return `/search?q=${encodeURIComponent(q)}`;
}

function SuggestionList({
  visit,
  q,
  found,
}: {
  readonly visit: Visit;
  readonly q: string;
  readonly found: Suggestions;
}) {
  const { t } = visit;
  const { items, categories, total, corrected } = found;
  const count = items.length + categories.length;
  return (
    <>
      <div role="listbox" aria-label={t("search.suggestions")}>
        {corrected === undefined ? (
          <></>
        ) : (
          <Option href={toSearchPath(corrected)}>{t("search.didYouMean", { corrected })}</Option>
        )}
        {categories.length === 0 ? (
          <></>
        ) : (
          <Group label={t("frame.categories")}>
            {categories.map((category) => (
              <Option href={`/c/${category.id}`}>
                {shownWordsIn(category, visit.sellersLanguage).title}
              </Option>
            ))}
          </Group>
        )}
        {items.length === 0 ? (
          <></>
        ) : (
          <Group label={t("search.products")}>
            {items.map((item) => (
              <ProductOption item={item} visit={visit} />
            ))}
          </Group>
        )}
        {total > items.length ? (
          <Option href={toSearchPath(q)}>{t("search.allResults", { count: total })}</Option>
        ) : (
          <></>
        )}
      </div>
      <p role="status">{t("search.found", { count })}</p>
    </>
  );
}

export function showSuggestions(visit: Visit, suggest: Suggest): Response {
  const { c } = visit;
  const q = (c.req.query("q") ?? "").trim().slice(0, MAX_TEXT);
  const found = suggest(q, { address: visit.caller.clientAddress, count: COUNT });
  return c.body(toMarkup(<SuggestionList visit={visit} q={q} found={found} />), 200, pageHeaders);
}

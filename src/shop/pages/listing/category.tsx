/** @jsxImportSource hono/jsx */
/** Categories: all of them, and the products of one. */
import { AppError } from "../../../kit/errors.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import type { CategoryTree } from "../../catalogue/category-tree.ts";
import type { CategoryRecord } from "../../categories/schema.ts";
import { toImageAddress } from "../../products/image-url.ts";
import type { PageRoutes } from "../page.ts";
import { Crumbs, toCrumbData, toCrumbs } from "../pieces/crumbs.tsx";
import { Nothing } from "../pieces/nothing.tsx";
import type { Visit } from "../visit.tsx";
import { isFiltered, readListQuery, toKeptQuery } from "./list-query.ts";
import { ListForm, ListPages, ListState, ProductGrid, findPage, toCountWords } from "./product-list.tsx";

function listBelow(tree: CategoryTree, id: string | undefined): CategoryRecord[] {
  return tree.visible.filter(({ parentId }) => parentId === id);
}

/** The categories directly below the one that is shown. */
function Below({
  visit,
  categories,
}: {
  readonly visit: Visit;
  readonly categories: readonly CategoryRecord[];
}) {
  if (categories.length === 0) return <></>;
  return (
    <nav aria-label={visit.t("category.subcategories")}>
      <ul class="choices">
        {categories.map((category) => (
          <li>
            <a class="choice" href={`/c/${category.id}`}>
              {shownWordsIn(category, visit.sellersLanguage).title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function showCategory(visit: Visit, catalogue: Catalogue): Response {
  const { c, t, site, sellersLanguage, publicUrl } = visit;
  const tree = catalogue.tree();
  const id = c.req.param("slug") ?? "";
  const category = tree.visible.find((each) => each.id === id);
  // A hidden one looks exactly like one that does not exist.
  if (category === undefined) throw new AppError("not_found", "There is no such category");
  const { title, description } = shownWordsIn(category, sellersLanguage);
  const path = `/c/${id}`;
  const query = { ...readListQuery(c, site.currency), q: "" };
  const { items, total, nextCursor, options: groups } = findPage(catalogue, { ...query, category: id });
  const crumbs = toCrumbs(tree, { visit, categoryId: id });
  const { image } = category;
  const list = { visit, path, query, groups };
  return visit.render({
    title,
    place: crumbs[1]?.path ?? path,
    meta: {
      path,
      description,
      image: image && { path: toImageAddress(image.hash), width: image.width, height: image.height },
      data: [toCrumbData(crumbs, publicUrl)],
      isPartial: query.cursor !== undefined || isFiltered(query),
    },
    body: (
      <>
        <Crumbs crumbs={crumbs.slice(0, -1)} visit={visit} />
        <div class="stack is-tight">
          <h1>{title}</h1>
          {description === "" ? <></> : <p class="lead">{description}</p>}
          <p class="muted">{toCountWords(t, total)}</p>
        </div>
        <Below visit={visit} categories={listBelow(tree, id)} />
        {total === 0 && !isFiltered(query) ? (
          <Nothing visit={visit} text={t("list.emptyCategory")} />
        ) : (
          <>
            <ListForm {...list} />
            <ListState {...list} />
            {items.length === 0 ? (
              <Nothing visit={visit} text={t("list.nothing")} />
            ) : (
              <ProductGrid items={items} visit={visit} />
            )}
            <ListPages {...list} nextCursor={nextCursor} />
          </>
        )}
      </>
    ),
  });
}

function Branch({
  visit,
  tree,
  id,
}: {
  readonly visit: Visit;
  readonly tree: CategoryTree;
  readonly id?: string;
}) {
  const below = listBelow(tree, id);
  if (below.length === 0) return <></>;
  return (
    <ul class="tree">
      {below.map((category) => (
        <li>
          <a href={`/c/${category.id}`}>{shownWordsIn(category, visit.sellersLanguage).title}</a>
          <Branch visit={visit} tree={tree} id={category.id} />
        </li>
      ))}
    </ul>
  );
}

/** Adds /c and /c/{slug}. */
export function addCategoryPages(pages: PageRoutes, { catalogue }: { readonly catalogue: Catalogue }): void {
  pages.addCatalogue({
    path: "/c",
    show: (visit) => {
      const tree = catalogue.tree();
      const title = visit.t("frame.moreCategories");
      return visit.render({
        title,
        place: "/c",
        meta: { path: "/c" },
        body: (
          <>
            <h1>{title}</h1>
            {tree.visible.length === 0 ? (
              <Nothing visit={visit} text={visit.t("home.empty")} />
            ) : (
              <Branch visit={visit} tree={tree} />
            )}
          </>
        ),
      });
    },
  });
  pages.addCatalogue({
    path: "/c/:slug",
    toQuery: toKeptQuery,
    show: (visit) => showCategory(visit, catalogue),
  });
}

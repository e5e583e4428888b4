/** @jsxImportSource hono/jsx */
/** A collection with its products. */
import { AppError } from "../../../kit/errors.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { listCollected } from "../../catalogue/chosen.ts";
import { shownWordsIn } from "../../catalogue/languages.ts";
import { toImageAddress } from "../../products/image-url.ts";
import type { PageRoutes } from "../page.ts";
import { Crumbs, toCrumbData } from "../pieces/crumbs.tsx";
import { Nothing } from "../pieces/nothing.tsx";
import type { Visit } from "../visit.tsx";
import { PAGE_SIZE } from "./list-query.ts";
import { ProductGrid, toCountWords } from "./product-list.tsx";

/** The page of a list that is not long: by number. */
function readPageNumber(text: string | undefined): number {
  return /^[1-9]\d{0,2}$/u.test(text ?? "") ? Number(text) : 1;
}

function showCollection(visit: Visit, catalogue: Catalogue): Response {
  const { c, t, sellersLanguage, publicUrl } = visit;
  const id = c.req.param("slug") ?? "";
  const collection = catalogue.collections().find((each) => each.id === id);
  // A hidden one looks exactly like one that does not exist.
  if (collection?.status !== "published") throw new AppError("not_found", "This collection does not exist");
  const { title, description } = shownWordsIn(collection, sellersLanguage);
  const path = `/collections/${id}`;
  const all = listCollected(catalogue, collection);
  const page = readPageNumber(c.req.query("page"));
  const items = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const crumbs = [
    { path: "/", label: t("crumbs.home") },
    { path, label: title },
  ];
  const { image } = collection;
  return visit.render({
    title,
    meta: {
      path,
      description,
      image: image && { path: toImageAddress(image.hash), width: image.width, height: image.height },
      data: [toCrumbData(crumbs, publicUrl)],
      isPartial: page > 1,
    },
    body: (
      <>
        <Crumbs crumbs={crumbs.slice(0, 1)} visit={visit} />
        <div class="stack is-tight">
          <h1>{title}</h1>
          {description === "" ? <></> : <p class="lead">{description}</p>}
          <p class="muted">{toCountWords(t, all.length)}</p>
        </div>
        {items.length === 0 ? (
          <Nothing visit={visit} text={t("list.emptyCategory")} />
        ) : (
          <ProductGrid items={items} visit={visit} />
        )}
        {page === 1 && all.length <= PAGE_SIZE ? (
          <></>
        ) : (
          <nav class="list-pages" aria-label={t("list.next")}>
            {page === 1 ? (
              <></>
            ) : (
              <a class="button" href={path}>
                {t("list.first")}
              </a>
            )}
            {page * PAGE_SIZE >= all.length ? (
              <></>
            ) : (
              <a class="button" rel="next" href={`${path}?page=${page + 1}`}>
                {t("list.next")}
              </a>
            )}
          </nav>
        )}
      </>
    ),
  });
}

export function addCollectionPage(pages: PageRoutes, { catalogue }: { readonly catalogue: Catalogue }): void {
  pages.addCatalogue({
    path: "/collections/:slug",
    toQuery: (c) => {
      const page = readPageNumber(c.req.query("page"));
      return page === 1 ? "" : `page=${page}`;
    },
    show: (visit) => showCollection(visit, catalogue),
  });
}

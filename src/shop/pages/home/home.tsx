/** @jsxImportSource hono/jsx */
/** The first page of the shop. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { search } from "../../catalogue/search.ts";
import type { PageRoute } from "../../../pages/page-routes.ts";
import { ProductCard } from "../pieces/product-card.tsx";
import type { Visit } from "../visit.tsx";

const SHOWN = 24;

/** The page. */
export function createHomePage({ catalogue }: { readonly catalogue: Catalogue }): PageRoute<Visit> {
  return {
    path: "/",
    show: (visit) => {
      const { t, site } = visit;
      const { items } = search(catalogue, { isInStock: false, sort: "featured", limit: SHOWN });
      return visit.render({
        title: site.name,
        place: "/",
        body: (
          <>
            <h1>{t("home.everything")}</h1>
            {items.length === 0 ? (
              <p class="muted">{t("home.empty")}</p>
            ) : (
              <div class="products">
                {items.map((item) => (
                  <ProductCard item={item} visit={visit} />
                ))}
              </div>
            )}
          </>
        ),
      });
    },
  };
}

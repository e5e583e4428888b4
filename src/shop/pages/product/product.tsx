/** @jsxImportSource hono/jsx */
/** A product by itself. */
import { AppError } from "../../../kit/errors.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import { toImageAddress, toSrcset } from "../../products/image-address.ts";
import type { PageRoutes } from "../page.ts";
import { toPriceWords, toStockWords } from "../pieces/product-card.tsx";

/** Adds /p/{slug}. */
export function addProductPage(pages: PageRoutes, { catalogue }: { readonly catalogue: Catalogue }): void {
  pages.addPublic({
    path: "/p/:slug",
    show: (visit) => {
      const item = catalogue.find(visit.c.req.param("slug") ?? "");
      // A draft looks exactly like a product that does not exist.
      if (item === undefined) throw new AppError("not_found", "There is no such product");
      const { product } = item;
      const { title, summary, description } = wordsIn(product, visit.sellersLanguage);
      const [image] = product.images;
      return visit.render({
        title,
        body: (
          <div class="product-page">
            {image === undefined ? (
              <span class="picture"></span>
            ) : (
              <img
                class="picture"
                src={toImageAddress(image.hash)}
                srcset={toSrcset(image)}
                sizes="(max-width: 60rem) 100vw, 36rem"
                width={image.width}
                height={image.height}
                alt={image.alt}
              />
            )}
            <div class="stack">
              <h1>{title}</h1>
              <p class="price num">{toPriceWords(item, visit)}</p>
              <p class="muted">{toStockWords(item, visit)}</p>
              <p>{summary}</p>
              <p class="pre-line">{description}</p>
            </div>
          </div>
        ),
      });
    },
  });
}

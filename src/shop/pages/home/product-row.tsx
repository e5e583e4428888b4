/** @jsxImportSource hono/jsx */
/** Some products under a title, with the way to all of them. */
import type { CatalogueItem } from "../../catalogue/item.ts";
import { ProductGrid } from "../listing/product-list.tsx";
import type { Visit } from "../visit.tsx";

export function ProductRow({
  id,
  title,
  description,
  path,
  items,
  visit,
}: {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly items: readonly CatalogueItem[];
  readonly visit: Visit;
}) {
  const all = visit.t("home.all");
  return (
    <section class="stack" aria-labelledby={id}>
      <div class="row section-head">
        <div class="stack is-tight">
          <h2 id={id}>{title}</h2>
          {description === "" ? <></> : <p class="muted">{description}</p>}
        </div>
        <a class="push" href={path} aria-label={`${all}: ${title}`}>
          {all}
        </a>
      </div>
      <ProductGrid items={items} visit={visit} />
    </section>
  );
}

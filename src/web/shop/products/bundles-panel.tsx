/** The bundles that a product is part of, with a warning once it cannot be sold in them. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ProductPage, ProductView } from "../../../shop/products/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { PRODUCTS } from "./product-data.ts";

const MOST = 50;

/** The panel; nothing for a product that is in no bundle. */
export function BundlesPanel({ product: { id, status } }: { product: ProductView }): JSX.Element | null {
  const [bundles, setBundles] = useState<ProductPage["items"]>([]);
  useEffect(() => {
    const query = new URLSearchParams({ partId: id, limit: String(MOST) });
    adminRequest<ProductPage>(`${PRODUCTS}?${query.toString()}`).then(
      ({ items }) => setBundles(items.filter((bundle) => bundle.status !== "archived")),
      () => undefined,
    );
  }, [id]);
  if (bundles.length === 0) return null;
  const isLost = status === "archived";
  return (
    <Panel title={text("shop.products.bundles")}>
      <p class={isLost ? "field-error" : "field-hint"} role={isLost ? "alert" : undefined}>
        {text(isLost ? "shop.products.bundles.archived" : "shop.products.bundles.text")}
      </p>
      <ul class="plain-list">
        {bundles.map((bundle) => (
          <li key={bundle.id}>
            <a href={`/admin/products/${bundle.id}`}>{bundle.title}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Panels outside a product's form that save at once: images, keys, files; also sales and price history. */
import type { JSX } from "preact";
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Moment } from "../../ui/console/pieces.tsx";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { Panel } from "../../ui/panel.tsx";
import { BundlesPanel } from "./bundles-panel.tsx";
import { PicturesPanel } from "./pictures-panel.tsx";
import { PricePanel } from "./price-panel.tsx";

// What one way of delivery alone needs comes when a product has it.
const FilesPanel = lazy(async () => (await import("./delivery/files-panel.tsx")).FilesPanel);
const GiftCardPanel = lazy(async () => (await import("../gift-cards/gift-card-panel.tsx")).GiftCardPanel);
const KeysPanel = lazy(async () => (await import("./delivery/keys-panel.tsx")).KeysPanel);
const LicensingPanel = lazy(async () => (await import("../licenses/licensing-panel.tsx")).LicensingPanel);
const SharedPanel = lazy(async () => (await import("./delivery/shared-panel.tsx")).SharedPanel);

function FiguresPanel({ product }: { product: ProductView }): JSX.Element {
  const { views, sold, stock, createdAt, publishedAt } = product;
  return (
    <Panel
      title={text("shop.products.figures")}
      action={
        <a class="button small" href={`/admin/stock?productId=${product.id}`}>
          {text("shop.nav.stock")}
        </a>
      }
    >
      <dl class="admin-facts">
        <div>
          <dt>{text("shop.ui.units")}</dt>
          <dd>{stock.available === undefined ? text("shop.ui.noLimit") : toNumber(stock.available)}</dd>
        </div>
        <div>
          <dt>{text("shop.products.sold")}</dt>
          <dd>{toNumber(sold)}</dd>
        </div>
        <div>
          <dt>{text("shop.products.views")}</dt>
          <dd>{toNumber(views)}</dd>
        </div>
        <div>
          <dt>{text("shop.products.created")}</dt>
          <dd>
            <Moment at={createdAt} />
          </dd>
        </div>
        {publishedAt !== undefined && (
          <div>
            <dt>{text("shop.products.published")}</dt>
            <dd>
              <Moment at={publishedAt} />
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}

/** The panels. */
export function ProductPanels({ view, mayWrite, refresh }: ItemTools<ProductView>): JSX.Element {
  const { deliveryType, version } = view;
  const all = { product: view, onChanged: () => void refresh() };
  return (
    <div class="stack">
      <BundlesPanel product={view} />
      <fieldset class="plain-fieldset stack" disabled={!mayWrite}>
        <PicturesPanel {...all} />
        {deliveryType === "auto_secret" && <LicensingPanel {...all} />}
        {deliveryType === "auto_secret" && view.license?.keys !== "generated" && <KeysPanel {...all} />}
        {deliveryType === "shared_secret" && <SharedPanel {...all} />}
        {deliveryType === "files" && <FilesPanel {...all} />}
        {deliveryType === "gift_card" && <GiftCardPanel {...all} key={version} />}
      </fieldset>
      <FiguresPanel product={view} />
      <PricePanel product={view} key={version} />
    </div>
  );
}

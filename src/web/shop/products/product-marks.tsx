/** How a product stands, in words. */
import type { JSX } from "preact";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Badge, type BadgeKind } from "../../ui/console/pieces.tsx";
import type { ProductStatus, ProductView } from "./product-data.ts";

const kinds: Readonly<Record<ProductStatus, BadgeKind>> = {
  published: "good",
  draft: "idle",
  archived: "warn",
};

/** Whether buyers see it. */
export function StatusMark({ status }: { status: ProductStatus }): JSX.Element {
  return <Badge kind={kinds[status]}>{text(`shop.products.status.${status}`)}</Badge>;
}

/** What can be ordered of it; `threshold` units or fewer are few. */
export function UnitsMark({ product, threshold }: { product: ProductView; threshold: number }): JSX.Element {
  const { stock, variants, lowStockThreshold = threshold } = product;
  if (stock.available === undefined) return <span>{text("shop.ui.noLimit")}</span>;
  if (stock.available === 0) return <Badge kind="bad">{text("shop.stock.soldOut")}</Badge>;
  const all = variants.length === 0 ? [stock] : variants.map((variant) => variant.stock);
  const isLow = all.some(({ available = Infinity }) => available <= lowStockThreshold);
  const units = toNumber(stock.available);
  return isLow ? <Badge kind="warn">{text("shop.stock.left", { units })}</Badge> : <span>{units}</span>;
}

/** The status of a product in words. */
import type { JSX } from "preact";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Badge, type BadgeKind } from "../../ui/console/pieces.tsx";
import type { ProductView } from "../../../shop/products/answer-schema.ts";

const kinds: Readonly<Record<ProductView["status"], BadgeKind>> = {
  published: "good",
  draft: "idle",
  archived: "warn",
};

/** Whether buyers see it. */
export function StatusMark({ status }: Pick<ProductView, "status">): JSX.Element {
  return <Badge kind={kinds[status]}>{text(`shop.products.status.${status}`)}</Badge>;
}

/** Available units; `threshold` units or fewer count as low stock. */
export function UnitsMark({ product, threshold }: { product: ProductView; threshold: number }): JSX.Element {
  const { stock, variants, lowStockThreshold = threshold } = product;
  if (stock.available === undefined) return <span>{text("shop.ui.noLimit")}</span>;
  if (stock.available === 0) return <Badge kind="bad">{text("shop.stock.soldOut")}</Badge>;
  const all = variants.length === 0 ? [stock] : variants.map((variant) => variant.stock);
  const isLow = all.some(({ available = Infinity }) => available <= lowStockThreshold);
  const units = toNumber(stock.available);
  return isLow ? <Badge kind="warn">{text("shop.stock.left", { units })}</Badge> : <span>{units}</span>;
}

/** Units as GET /api/admin/stock has them. */
import type { DeliveryType, StockView } from "../products/product-data.ts";

/** One thing that is sold: a variant, or a product without variants. */
export interface StockRow extends StockView {
  readonly productId: string;
  readonly variantId?: string;
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string;
  readonly deliveryType: DeliveryType;
  /** So many units or fewer are low. */
  readonly threshold: number;
  readonly isLow: boolean;
}

/** "Linen T-shirt (M, red)". */
export function nameRow({ title, options }: StockRow): string {
  const words = Object.values(options).join(", ");
  return words === "" ? title : `${title} (${words})`;
}

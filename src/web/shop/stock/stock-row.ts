/** Names of rows in the stock list. */
import type { StockRowView } from "../../../shop/stock/answer-schema.ts";

/** "Linen T-shirt (M, red)". */
export function nameRow({ title, options }: Pick<StockRowView, "title" | "options">): string {
  const words = Object.values(options).join(", ");
  return words === "" ? title : `${title} (${words})`;
}

/** How a line of an order is called. */
import type { LineView } from "./order-data.ts";

/** A line's product with its variant: "T-shirt (L, red)". */
export function nameLine({ title, options }: Pick<LineView, "title" | "options">): string {
  const chosen = Object.values(options).join(", ");
  return chosen === "" ? title : `${title} (${chosen})`;
}

/** Amount paid for some units of a line, including tax on top of the prices; minor units. */
export function toUnitsPaid(
  line: LineView,
  { units, taxOnTop }: { units: number; taxOnTop: boolean },
): number {
  const paid = line.total + (taxOnTop ? (line.tax ?? 0) : 0);
  return Math.round((paid * units) / line.quantity);
}

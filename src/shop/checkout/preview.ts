/** What a preview of an order shows beside its prices: of what there is enough. */
import type { ReadTx } from "../../store/store.ts";
import type { OrderLine } from "../orders/schema.ts";
import type { PricedLine, Totals } from "./pricing.ts";
import { lacksSecret } from "../licence-keys/product-secret.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readLeft } from "../stock/stock.ts";

/** A line of a preview. */
export interface PreviewLine extends OrderLine {
  readonly isAvailable: boolean;
  /** Units that are left; absent for unlimited stock, and where the shop does not show how many. */
  readonly left?: number | undefined;
}

export interface Preview extends Omit<Totals, "lines"> {
  readonly currency: string;
  readonly lines: readonly PreviewLine[];
}

/** Shows for each line whether there is enough for all lines that share its stock. */
export async function toPreviewLines(
  tx: ReadTx,
  { site, totals, lines: priced }: { site: SiteSettings; totals: Totals; lines: readonly PricedLine[] },
): Promise<PreviewLine[]> {
  const left = await readLeft(tx, totals.lines);
  return totals.lines.map((line, index) => {
    const product = priced[index]?.product;
    const isLacking = product !== undefined && lacksSecret(product);
    const units = isLacking ? 0 : (left.get(line.stockId) ?? 0);
    const sharing = totals.lines.filter(({ stockId }) => stockId === line.stockId);
    const isAvailable = units >= sharing.reduce((sum, { quantity }) => sum + quantity, 0);
    // Who orders too many sees how many there are, as in the refusal of the order itself.
    const isShown = Number.isFinite(units) && (!isAvailable || site.stockDisplay === "exact");
    return { ...line, isAvailable, left: isShown ? Math.max(0, units) : undefined };
  });
}

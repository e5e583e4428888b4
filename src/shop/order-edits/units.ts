/** Units of stock that an edit takes or gives back. */
import type { FieldError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { mailLowStock } from "../stock/low-stock.ts";
import { putBack, readLeft, release, reserve, take, toItemPlaces } from "../stock/stock.ts";

interface Versions {
  readonly before: OrderRecord;
  readonly after: OrderRecord;
}

/** Units by stock record that one version has more of than the other. */
function listMore(lines: readonly OrderLine[], than: readonly OrderLine[]): OrderLine[] {
  const sum = (all: readonly OrderLine[], { stockId, stockMode }: OrderLine): number =>
    all.reduce(
      (units, one) => units + (one.stockId === stockId && one.stockMode === stockMode ? one.quantity : 0),
      0,
    );
  const first = lines.filter(
    (line, index) =>
      lines.findIndex((one) => one.stockId === line.stockId && one.stockMode === line.stockMode) === index,
  );
  return first.flatMap((line) => {
    const quantity = sum(lines, line) - sum(than, line);
    return quantity > 0 ? [{ ...line, quantity }] : [];
  });
}

/** Throws `out_of_stock` with the pointers of lines and items that have too few units left. */
export async function assertUnits(tx: ReadTx, { before, after }: Versions): Promise<void> {
  const more = listMore(after.lines, before.lines);
  const left = await readLeft(tx, more);
  const short = more.filter(({ stockId, quantity }) => (left.get(stockId) ?? 0) < quantity);
  if (short.length === 0) return;
  const isKept = ({ id }: OrderLine): boolean => before.lines.some((line) => line.id === id);
  const added = after.lines.filter((line) => !isKept(line));
  const errors = short.map(({ stockId, title }): FieldError => {
    const units = Math.max(0, left.get(stockId) ?? 0);
    const index = toItemPlaces(added)[added.findIndex((line) => line.stockId === stockId)] ?? -1;
    const pointer = index === -1 ? "/lines" : `/items/${index}/quantity`;
    const message = `${title}: ${units === 0 ? "sold out" : `only ${units} left`}`;
    return { pointer, code: "out_of_stock", message };
  });
  const names = errors.map(({ message }) => message).join("; ");
  throw new ShopError("out_of_stock", `Not enough units for this edit. ${names}`, { errors });
}

/** Moves the units of an edit: reserved ones of an order that waits for payment, else those on hand. */
export async function moveUnits(
  tx: Tx,
  deps: Pick<ShopDeps, "outbox" | "clock">,
  { before, after }: Versions,
): Promise<void> {
  const more = listMore(after.lines, before.lines);
  const less = listMore(before.lines, after.lines);
  if (before.status === "pending_payment") {
    await release(tx, less);
    await reserve(tx, more);
    return;
  }
  await putBack(tx, less);
  await reserve(tx, more);
  await mailLowStock(tx, deps, await take(tx, more));
}

/** What edits of staff, and payments of the balance that they make due, do to an order: a part of the model. */
import type { ModelLine, ModelOrder, ModelStock } from "./notices-model-records.ts";

export const EXPIRY_MS = 15 * 60_000;

/** The part of the model that edits need. */
interface EditedModel {
  readonly nowMs: number;
  readonly firstMethod: string;
  stockOf(line: ModelLine): ModelStock;
  giveKeys(order: ModelOrder): boolean;
  progress(order: ModelOrder): void;
  settle(order: ModelOrder): void;
  refuse(code: string): never;
}

/** What a step changes of one line. */
export interface LineEdit {
  readonly line: number;
  readonly quantity?: number | undefined;
  readonly unitPrice?: number | undefined;
}

export const totalOf = (lines: readonly ModelLine[]): number =>
  lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);

/** The lines after an edit; one without units is gone. */
export function editedLines({ lines }: ModelOrder, { line, quantity, unitPrice }: LineEdit): ModelLine[] {
  return lines.flatMap((one, index) => {
    if (index !== line % lines.length) return [one];
    const edited = {
      ...one,
      quantity: quantity ?? one.quantity,
      unitPrice: unitPrice ?? one.unitPrice,
    };
    return edited.quantity === 0 ? [] : [edited];
  });
}

/** Goods that need no person; what was complete stays so. */
function handOver(model: EditedModel, order: ModelOrder): void {
  if (!model.giveKeys(order)) order.attention.add("stock_shortfall");
  model.progress(order);
}

/** A payment of the balance, which is in the books already. */
export function payBalance(model: EditedModel, order: ModelOrder, amount: number): void {
  const rest = order.balance - amount;
  order.attention.delete("underpaid");
  order.balance = Math.max(0, rest);
  if (rest > 0) {
    order.attention.add("balance_due");
    return;
  }
  order.attention.delete("balance_due");
  if (rest < 0) order.attention.add("overpaid");
  handOver(model, order);
}

/** Units of one line that an edit takes or gives back. */
function moveUnits(model: EditedModel, order: ModelOrder, { line, quantity }: LineEdit): void {
  const before = order.lines[line % order.lines.length];
  if (before === undefined || quantity === undefined) return;
  const more = quantity - before.quantity;
  const stock = model.stockOf(before);
  if (more > 0 && stock.isTracked && stock.onHand - stock.reserved < more) model.refuse("out_of_stock");
  if (order.status === "pending_payment") {
    if (stock.isTracked) stock.reserved += more;
    return;
  }
  if (stock.isTracked) stock.onHand -= more;
  stock.sold += more;
}

/** An edit of one line with the total that it leads to. */
export function editOrder(model: EditedModel, order: ModelOrder, edit: LineEdit): void {
  const { status, attention, received, refunded } = order;
  const isPaid = status === "paid" || status === "fulfilling";
  if (status !== "pending_payment" && !isPaid) model.refuse("illegal_transition");
  if (refunded > 0 || attention.has("chargeback")) model.refuse("conflict");
  const before = order.lines[edit.line % order.lines.length];
  if (before === undefined || before.delivered) model.refuse("invalid");
  const lines = editedLines(order, edit);
  if (lines.length === 0) model.refuse("conflict");
  const total = totalOf(lines);
  if (total === 0 && isPaid && order.total > 0) model.refuse("conflict");
  const { quantity = before.quantity, unitPrice = before.unitPrice } = edit;
  if (before.quantity !== quantity) moveUnits(model, order, edit);
  if (before.quantity === quantity && before.unitPrice === unitPrice) model.refuse("conflict");
  const isSame = total === order.total;
  Object.assign(order, { lines, total });
  if (isSame) {
    if (isPaid && order.balance === 0) handOver(model, order);
    return;
  }
  attention.delete("balance_due");
  attention.delete("overpaid");
  order.balance = 0;
  if (received >= total) {
    attention.delete("underpaid");
    attention.delete("payment_claim");
    if (received > total) attention.add("overpaid");
    if (status === "pending_payment") model.settle(order);
    else handOver(model, order);
    return;
  }
  if (isPaid) {
    attention.add("balance_due");
    order.balance = total - received;
  }
  if (order.method === "none") order.method = model.firstMethod;
  const least = order.isInvoiced ? order.expiresAt : 0;
  order.expiresAt = Math.max(least, model.nowMs + EXPIRY_MS);
}

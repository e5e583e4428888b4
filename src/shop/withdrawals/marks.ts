/** The subject of a statement, and warnings for the person who decides about it. Pure. */
import { findWithdrawalEnd, isWithdrawable } from "../eu/right-of-withdrawal.ts";
import { type LineUnits, type StatedWithdrawal, listLeft } from "../eu/withdrawn-units.ts";
import type { EuSite } from "../eu/schema.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import type { Statement, WithdrawalMark } from "./schema.ts";

/** The lines that a statement names; all of the order when it names none. Unknown ones, and units there are not, are left out. */
export function findLines(order: OrderRecord, { lines }: Pick<Statement, "lines">): LineUnits<OrderLine>[] {
  if (lines.length === 0) return order.lines.map((line) => ({ line, quantity: line.quantity }));
  return lines.flatMap(({ lineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === lineId);
    return line === undefined ? [] : [{ line, quantity: Math.min(quantity, line.quantity) }];
  });
}

function isWhole(order: OrderRecord, { lines }: Pick<Statement, "lines">): boolean {
  if (lines.length === 0) return true;
  return order.lines.every(({ id, quantity }) =>
    lines.some((one) => one.lineId === id && one.quantity >= quantity),
  );
}

/** Reasons against a withdrawal, or doubts about it; a person decides. */
export function findMarks(
  order: OrderRecord | undefined,
  statement: Pick<Statement, "lines">,
  {
    nowMs,
    before,
    ...site
  }: Pick<EuSite, "eu" | "timeZone"> & {
    readonly nowMs: number;
    /** Other withdrawals of the order. */
    readonly before: readonly StatedWithdrawal[];
  },
): WithdrawalMark[] {
  if (order === undefined) return ["unknown_order"];
  const marks = new Set<WithdrawalMark>();
  const meant = findLines(order, statement);
  if (meant.length < statement.lines.length) marks.add("unknown_lines");
  for (const { line, quantity } of meant) {
    if (statement.lines.some((one) => one.lineId === line.id && one.quantity > quantity))
      marks.add("unknown_lines");
    if (line.withdrawal === undefined) marks.add("no_right");
    else if (!isWithdrawable(line)) marks.add(line.withdrawal === "excluded" ? "excluded" : "waived");
  }
  const endsAt = findWithdrawalEnd(order.lines, site);
  if (endsAt !== undefined && nowMs >= endsAt) marks.add("late");
  const left = new Set(listLeft(order, before).map(({ line }) => line));
  if (meant.length > 0 && !meant.some(({ line }) => left.has(line))) marks.add("nothing_left");
  return [...marks];
}

/**
 * The amount to refund, minor units: for a whole order everything that was paid, with its delivery (Article 13), for a
 * part of it the price of these units. Never more than the order still has.
 */
export function suggestRefund(order: OrderRecord, statement: Pick<Statement, "lines">): number {
  if (isWhole(order, statement)) return Math.max(0, order.amountPaid);
  const sum = findLines(order, statement).reduce((all, { line, quantity }) => {
    const paid = line.total + (order.pricesIncludeTax === false ? (line.tax ?? 0) : 0);
    return all + Math.round((paid * quantity) / line.quantity);
  }, 0);
  return Math.max(0, Math.min(sum, order.amountPaid));
}

/** Form values of a refund. */
import { text } from "../../../app/texts.ts";
import { toUnitsPaid } from "../../ui/orders/line-name.ts";
import { readMoney, showMoney, typeMoney } from "../../ui/money.ts";
import type { LineView, OrderView } from "../../ui/orders/order-data.ts";

type Kind = "whole" | "lines" | "amount";
export type Through = "auto" | "record";

export interface RefundForm {
  readonly kind: Kind;
  readonly amount: string;
  /** Units of each line whose money goes back, and how much. */
  readonly units: Readonly<Record<string, number>>;
  readonly amounts: Readonly<Record<string, string>>;
  readonly withShipping: boolean;
  readonly restock: boolean;
  readonly cancel: boolean;
  readonly through: Through;
  readonly reference: string;
  readonly note: string;
}

/** Suggested refund for units of a line, at most its refundable amount. */
export function suggest({ pricesIncludeTax }: OrderView, line: LineView, units: number): number {
  const paid = toUnitsPaid(line, { units, taxOnTop: pricesIncludeTax === false });
  return Math.min(paid, line.refundable);
}

/** The chosen lines as they are sent; undefined for one whose amount cannot be read. */
function toLines({ lines, currency }: OrderView, { units, amounts }: RefundForm) {
  return lines.flatMap(({ id: lineId }) => {
    const typed = (amounts[lineId] ?? "").trim();
    const amount = typed === "" ? 0 : readMoney(typed, currency);
    const quantity = units[lineId] ?? 0;
    return amount === 0 ? [] : [{ lineId, amount, ...(quantity === 0 ? {} : { quantity }) }];
  });
}

/** Total of the chosen lines and of shipping, minor units. */
export function sumLines(order: OrderView, form: RefundForm): number {
  const shipping = form.withShipping ? order.refundableShipping : 0;
  return toLines(order, form).reduce((sum, { amount = 0 }) => sum + amount, shipping);
}

/** Units that go back to the shelf with the money. */
export function toRestocked(order: OrderView, { kind, units, restock }: RefundForm) {
  if (!restock || kind === "amount") return [];
  return order.lines.flatMap(({ id: lineId, returnable }) => {
    const quantity = kind === "whole" ? returnable : Math.min(returnable, units[lineId] ?? 0);
    return quantity === 0 ? [] : [{ lineId, quantity }];
  });
}

/** The initial values; `amount` is the refund of a withdrawal. */
export function toFirst({ amountPaid, currency, lines }: OrderView, amount: number | undefined): RefundForm {
  return {
    kind: amount === undefined ? "whole" : "amount",
    units: {},
    amounts: {},
    withShipping: false,
    amount: typeMoney(amount ?? amountPaid, currency),
    // What the buyer has comes back later, if at all.
    restock: lines.some(({ returnable, deliveredAt }) => returnable > 0 && deliveredAt === undefined),
    cancel: false,
    through: "auto",
    reference: "",
    note: "",
  };
}

/** The request body, or errors by field. */
export function readChosen(order: OrderView, form: RefundForm): object | Map<string, string> {
  const { currency, amountPaid, refundableShipping } = order;
  const toFault = (most: number): string =>
    text("shop.order.refund.fault", { most: showMoney(most, currency) });
  if (form.kind !== "lines") {
    const amount = readMoney(form.amount, currency);
    const isGood = amount !== undefined && amount > 0 && amount <= amountPaid;
    return isGood ? { amount } : new Map([["/amount", toFault(amountPaid)]]);
  }
  const chosen = toLines(order, form);
  const wrong = order.lines.flatMap(({ id, refundable }): [string, string][] => {
    const line = chosen.find(({ lineId }) => lineId === id);
    if (line === undefined || (line.amount !== undefined && line.amount <= refundable)) return [];
    return [[`/lines/${id}`, toFault(refundable)]];
  });
  if (sumLines(order, form) === 0) wrong.push(["/lines", text("shop.order.refund.fault.none")]);
  if (wrong.length > 0) return new Map(wrong);
  const shipping = form.withShipping ? { shipping: refundableShipping } : {};
  return { ...(chosen.length === 0 ? {} : { lines: chosen }), ...shipping };
}

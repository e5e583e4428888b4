/** Which items of an order the money of a refund belongs to. Amounts are what buyers paid, VAT included. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import { allocate, toDecimal } from "../base/money.ts";
import { type RefundPart, SHIPPING_PART } from "../base/refund-part.ts";
import type { OrderRecord } from "./schema.ts";

/** An administrator's request. */
export interface WantedRefund {
  readonly amount?: number | undefined;
  readonly lines?:
    | readonly {
        readonly lineId: string;
        readonly quantity?: number | undefined;
        readonly amount?: number | undefined;
      }[]
    | undefined;
  /** Of what the buyer paid for shipping. */
  readonly shipping?: number | undefined;
}

/** An amount with the items that it belongs to; without them it is spread over all by value. */
export interface PlannedRefund {
  readonly amount: number;
  readonly parts?: RefundPart[] | undefined;
}

/** An item with what is left of it to refund. */
interface Item {
  readonly lineId: string;
  readonly title: string;
  readonly gross: number;
  readonly left: number;
  readonly quantity: number;
  readonly quantityLeft: number;
}

const sumOf = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);

function listItems(order: OrderRecord): Item[] {
  const isOnTop = order.pricesIncludeTax === false;
  const lines = order.lines.map(({ id: lineId, title, total, tax = 0, quantity }): Item => {
    const gross = total + (isOnTop ? tax : 0);
    return { lineId, title, gross, left: gross, quantity, quantityLeft: quantity };
  });
  const gross = order.shipping + (isOnTop ? (order.tax?.shipping ?? 0) : 0);
  const shipping = { lineId: SHIPPING_PART, title: order.shippingTitle ?? "Shipping", gross, left: gross };
  return [...lines, { ...shipping, quantity: 0, quantityLeft: 0 }];
}

function takeParts(items: readonly Item[], parts: readonly RefundPart[]): Item[] {
  return items.map((item) => {
    const own = parts.filter(({ lineId }) => lineId === item.lineId);
    const units = own.reduce((sum, { quantity = 0 }) => sum + quantity, 0);
    const left = Math.max(0, item.left - sumOf(own));
    return { ...item, left, quantityLeft: Math.max(0, item.quantityLeft - units) };
  });
}

function takeSpread(items: readonly Item[], amount: number): Item[] {
  const most = items.reduce((sum, { left }) => sum + left, 0);
  const shares = allocate(
    Math.min(amount, most),
    items.map(({ left }) => left),
  );
  return items.map((item, index) => ({ ...item, left: item.left - (shares[index] ?? 0) }));
}

/** What lowers the rest of the items. */
interface Left {
  /** Refunds that the payment services have not settled yet. */
  readonly open?: readonly PlannedRefund[] | undefined;
  /** Lines of which no more can be given back: of gift cards, the unspent rest. */
  readonly caps?: ReadonlyMap<string, number> | undefined;
}

/** The refundable rest of each item after refunds and pending ones. */
function listLeft(order: OrderRecord, { open = [], caps }: Left = {}): Item[] {
  const known = order.refundParts ?? [];
  const gone = order.paidAt === undefined ? 0 : Math.max(0, order.total - order.amountPaid);
  // Money that disputes and earlier releases took names no items.
  let items = takeSpread(takeParts(listItems(order), known), Math.max(0, gone - sumOf(known)));
  for (const { amount, parts } of open)
    items = parts === undefined ? takeSpread(items, amount) : takeParts(items, parts);
  if (caps === undefined) return items;
  return items.map((item) => ({ ...item, left: Math.min(item.left, caps.get(item.lineId) ?? item.left) }));
}

/** The refundable rest of each line, and of the shipping under its own name. */
export function listRefundable(order: OrderRecord): ReadonlyMap<string, number> {
  return new Map(listLeft(order).map(({ lineId, left }) => [lineId, left]));
}

/**
 * Refunded units of each line: all of an order whose money is back, the units that refunds name, and all of a line
 * that is refunded in full.
 */
export function toRefundedUnits(order: OrderRecord): ReadonlyMap<string, number> {
  const { lines, amountPaid, refundParts = [] } = order;
  const items = new Map(listItems(order).map((item) => [item.lineId, item]));
  return new Map(
    lines.map(({ id, quantity }): [string, number] => {
      const part = refundParts.find(({ lineId }) => lineId === id);
      const gross = items.get(id)?.gross ?? 0;
      const isWhole = amountPaid <= 0 || (part !== undefined && gross > 0 && part.amount >= gross);
      return [id, isWhole ? quantity : Math.min(quantity, part?.quantity ?? 0)];
    }),
  );
}

/** An amount spread over what is left of all items, by value. */
export function spreadRefund(order: OrderRecord, amount: number): RefundPart[] {
  const before = listLeft(order);
  return takeSpread(before, amount).flatMap(({ lineId, left }, index): RefundPart[] => {
    const taken = (before[index]?.left ?? 0) - left;
    return taken === 0 ? [] : [{ lineId, amount: taken }];
  });
}

/** An amount spread over what is left of items with caps, and what of it no item takes. */
export function spreadWithin(
  order: OrderRecord,
  amount: number,
  rest: Left,
): { readonly parts: RefundPart[]; readonly left: number } {
  const items = listLeft(order, rest);
  const wanted = Math.max(0, amount);
  const most = items.reduce((sum, { left }) => sum + left, 0);
  const after = takeSpread(items, wanted);
  const parts = items.flatMap(({ lineId, left }, index): RefundPart[] => {
    const taken = left - (after[index]?.left ?? 0);
    return taken === 0 ? [] : [{ lineId, amount: taken }];
  });
  return { parts, left: Math.max(0, wanted - most) };
}

/** The items that a refund takes back; what was paid too much belongs to none. */
export function toRefundParts(
  order: OrderRecord,
  { net, parts }: { readonly net: number; readonly parts: readonly RefundPart[] | undefined },
): readonly RefundPart[] {
  if (order.paidAt === undefined) return [];
  const back = Math.max(0, order.total - net) - Math.max(0, order.total - order.amountPaid);
  const sum = parts?.reduce((all, { amount }) => all + amount, 0);
  return parts !== undefined && sum === back ? parts : spreadRefund(order, back);
}

/** The parts of an order's refunds with those of one more, each item once. */
export function addParts(order: OrderRecord, parts: readonly RefundPart[]): RefundPart[] {
  const sums = new Map<string, RefundPart>();
  for (const { lineId, amount, quantity } of [...(order.refundParts ?? []), ...parts]) {
    const before = sums.get(lineId);
    const units = (before?.quantity ?? 0) + (quantity ?? 0);
    sums.set(lineId, {
      lineId,
      amount: (before?.amount ?? 0) + amount,
      quantity: units === 0 ? undefined : units,
    });
  }
  return [...sums.values()];
}

/** The price of units, so that all units of a line together cost exactly the line. */
function toUnitsAmount({ gross, quantity, quantityLeft, left }: Item, units: number): number {
  const upTo = (count: number): number => Math.round((gross * count) / quantity);
  const before = quantity - quantityLeft;
  return units === quantityLeft ? left : Math.min(left, upTo(before + units) - upTo(before));
}

/**
 * Reads what is to be refunded of an order.
 * @throws AppError `invalid` with the pointer of the line that has less left
 */
export function planRefund(
  order: OrderRecord,
  { amount, lines = [], shipping }: WantedRefund,
  rest: Left = {},
): PlannedRefund {
  if (lines.length === 0 && shipping === undefined) return { amount: amount ?? 0 };
  const errors: FieldError[] = [];
  const { currency } = order;
  const money = (value: number): string => `${toDecimal(value, currency)} ${currency}`;
  const refuse = (pointer: string, message: string): void => {
    errors.push({ pointer, code: "invalid", message });
  };
  if (order.amountPaid > order.total)
    refuse(
      "/lines",
      `cannot be refunded before the overpaid amount: ${money(order.amountPaid - order.total)}`,
    );
  const items = listLeft(order, rest);
  const parts: RefundPart[] = [];
  const take = (pointer: string, item: Item, part: Omit<RefundPart, "lineId">): void => {
    if (part.amount > item.left)
      refuse(pointer, `must be at most ${item.left}: "${item.title}" has ${money(item.left)} left to refund`);
    else if (part.amount > 0) parts.push({ lineId: item.lineId, ...part });
  };
  lines.forEach(({ lineId, quantity, amount: own }, index) => {
    const item = items.find((one) => one.lineId === lineId);
    const at = `/lines/${index}`;
    if (item === undefined || lineId === SHIPPING_PART) refuse(`${at}/lineId`, "is not a line of this order");
    else if (lines.findIndex((one) => one.lineId === lineId) < index)
      refuse(`${at}/lineId`, "must not be repeated");
    else if (quantity === undefined && own === undefined) refuse(at, "requires a quantity or an amount");
    else if (quantity !== undefined && quantity > item.quantityLeft)
      refuse(`${at}/quantity`, `must be at most ${item.quantityLeft}: the other units were already refunded`);
    else take(`${at}/amount`, item, { quantity, amount: own ?? toUnitsAmount(item, quantity ?? 0) });
  });
  const delivery = items.find(({ lineId }) => lineId === SHIPPING_PART);
  if (shipping !== undefined && delivery !== undefined) take("/shipping", delivery, { amount: shipping });
  const sum = sumOf(parts);
  if (errors.length === 0 && amount !== undefined && amount !== sum)
    refuse("/amount", `must be ${sum} (the sum of the lines and the shipping) or be omitted`);
  if (errors.length === 0 && sum === 0) refuse("/lines", "have no amount left to refund");
  const [first] = errors;
  if (first !== undefined)
    throw new AppError("invalid", `${first.pointer.slice(1)} ${first.message}`, { errors });
  return { amount: sum, parts };
}

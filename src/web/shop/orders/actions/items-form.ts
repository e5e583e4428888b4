/** What is typed about the items of an order. */
import type { OrderView } from "../../ui/orders/order-data.ts";
import { readMoney, typeMoney } from "../../ui/money.ts";
import type { AddedItem } from "../../ui/orders/add-product.tsx";

/** A line as typed. */
export interface TypedLine {
  readonly quantity: string;
  readonly price: string;
}

export interface ItemsForm {
  readonly lines: Readonly<Record<string, TypedLine>>;
  readonly items: readonly AddedItem[];
  readonly reason: string;
  /** "": as it is. */
  readonly methodId: string;
  readonly fee: string;
  readonly note: string;
  readonly mail: boolean;
}

export const blankItems: ItemsForm = {
  lines: {},
  items: [],
  reason: "",
  methodId: "",
  fee: "",
  note: "",
  mail: true,
};

/** A line of the order as it is typed, or as it is stored. */
export function typedOf(
  { currency }: OrderView,
  form: ItemsForm,
  line: OrderView["lines"][number],
): TypedLine {
  return (
    form.lines[line.id] ?? { quantity: String(line.quantity), price: typeMoney(line.unitPrice, currency) }
  );
}

function toWhole(typed: string): number {
  return /^\d{1,6}$/u.test(typed.trim()) ? Number(typed) : Number.NaN;
}

/** The body of an edit; undefined while something typed is no number, or nothing is changed. */
export function toEditBody(order: OrderView, form: ItemsForm): object | undefined {
  const { currency } = order;
  const reason = form.reason.trim() === "" ? undefined : form.reason.trim();
  const price = (typed: string, stored: number) => {
    const unitPrice = readMoney(typed, currency) ?? Number.NaN;
    return unitPrice === stored ? {} : { unitPrice, reason };
  };
  const lines = order.lines.flatMap((line) => {
    const typed = form.lines[line.id];
    if (typed === undefined) return [];
    const quantity = toWhole(typed.quantity);
    const own = price(typed.price, line.unitPrice);
    const isSame = quantity === line.quantity && own.unitPrice === undefined;
    return isSame ? [] : [{ lineId: line.id, quantity, ...(quantity === 0 ? {} : own) }];
  });
  const items = form.items.map(({ productId, variantId, quantity, price: typed, listed }) => ({
    productId,
    quantity: toWhole(quantity),
    ...price(typed, listed),
    ...(variantId !== undefined && { variantId }),
  }));
  const fee = form.fee.trim() === "" ? undefined : (readMoney(form.fee, currency) ?? Number.NaN);
  const shipping = {
    ...(form.methodId !== "" && { methodId: form.methodId }),
    ...(fee !== undefined && { fee }),
  };
  const numbers = [...lines, ...items].flatMap(({ quantity, unitPrice }) => [quantity, unitPrice ?? 0]);
  if ([...numbers, fee ?? 0].some((number) => Number.isNaN(number))) return undefined;
  const hasShipping = Object.keys(shipping).length > 0;
  if (lines.length + items.length === 0 && !hasShipping) return undefined;
  return {
    ...(lines.length > 0 && { lines }),
    ...(items.length > 0 && { items }),
    ...(hasShipping && { shipping }),
  };
}

/** Whether a price of its own asks for a reason. */
export function hasOwnPrice(order: OrderView, form: ItemsForm): boolean {
  const { currency } = order;
  const isOwn = (typed: string, stored: number): boolean => (readMoney(typed, currency) ?? stored) !== stored;
  return (
    order.lines.some(({ id, unitPrice }) => isOwn(form.lines[id]?.price ?? "", unitPrice)) ||
    form.items.some(({ price, listed }) => isOwn(price, listed))
  );
}

/** A line that someone else changed while it was edited here. */
export interface OtherChange {
  readonly title: string;
  readonly mine: string;
  readonly theirs: string;
}

/** What another saved, beside what is typed here; what is typed stays. */
export function listOthers(before: OrderView, after: OrderView, form: ItemsForm): OtherChange[] {
  const say = (line: OrderView["lines"][number] | undefined): string =>
    line === undefined
      ? "–"
      : `${line.quantity} × ${typeMoney(line.unitPrice, after.currency)} ${after.currency}`;
  const ids = [...new Set([...before.lines, ...after.lines].map(({ id }) => id))];
  return ids.flatMap((id): OtherChange[] => {
    const find = ({ lines }: OrderView) => lines.find((line) => line.id === id);
    const [was, is] = [find(before), find(after)];
    const line = is ?? was;
    if (line === undefined || say(was) === say(is)) return [];
    const { quantity, price } = typedOf(before, form, was ?? line);
    const mine = was === undefined ? "–" : `${quantity} × ${price} ${after.currency}`;
    return [{ title: line.title, mine, theirs: say(is) }];
  });
}

/** What an edit changed, field by field, for the history of the order and the buyer's email. */
import { toDecimal } from "../base/money.ts";
import type { Address } from "../base/postal-address.ts";
import { nameLine } from "../orders/delivery.ts";
import type { OrderChange, OrderLine, OrderRecord } from "../orders/schema.ts";

/** An address in one line. */
export function toAddressText(address: Address | undefined): string {
  if (address === undefined) return "";
  const {
    name,
    company = "",
    line1,
    line2 = "",
    postalCode = "",
    city,
    region = "",
    country,
    phone = "",
  } = address;
  return [name, company, line1, line2, `${postalCode} ${city}`.trim(), region, country, phone]
    .filter((part) => part !== "")
    .join(", ");
}

/** A line with its price, such as "2 × Mug (12.00 EUR)". */
function toItem(
  line: Pick<OrderLine, "quantity" | "title" | "options" | "unitPrice"> | undefined,
  currency: string,
): string {
  if (line === undefined) return "";
  return `${line.quantity} × ${nameLine(line)} (${toDecimal(line.unitPrice, currency)} ${currency})`;
}

/** What is compared; orders and drafts have it. */
export type Compared = Pick<
  OrderRecord,
  | ("email" | "language" | "note" | "shippingAddress" | "billingAddress" | "country" | "vatId")
  | ("shipping" | "shippingTitle" | "discount" | "total" | "currency")
> & {
  readonly lines: readonly Pick<OrderLine, "id" | "quantity" | "title" | "options" | "unitPrice">[];
};

function listItemChanges(before: Compared, after: Compared): OrderChange[] {
  const ids = new Set([...before.lines, ...after.lines].map(({ id }) => id));
  return [...ids].map((id): OrderChange => {
    const find = ({ lines, currency }: Compared): string =>
      toItem(
        lines.find((line) => line.id === id),
        currency,
      );
    return { field: "items", from: find(before), to: find(after) };
  });
}

/** The changes between two versions of an order; none where they say the same. */
export function listChanges(before: Compared, after: Compared): OrderChange[] {
  const { currency } = before;
  const money = (amount: number): string => `${toDecimal(amount, currency)} ${currency}`;
  const shipping = (order: Compared): string =>
    [order.shippingTitle ?? "", money(order.shipping)].filter((part) => part !== "").join(": ");
  const compare = (field: OrderChange["field"], read: (order: Compared) => string): OrderChange => ({
    field,
    from: read(before),
    to: read(after),
  });
  return [
    compare("email", ({ email }) => email),
    compare("language", ({ language }) => language),
    compare("note", ({ note }) => note),
    compare("shippingAddress", ({ shippingAddress }) => toAddressText(shippingAddress)),
    compare("billingAddress", ({ billingAddress }) => toAddressText(billingAddress)),
    compare("country", ({ country = "" }) => country),
    compare("vatId", ({ vatId = "" }) => vatId),
    ...listItemChanges(before, after),
    compare("shipping", shipping),
    compare("discount", ({ discount }) => money(discount)),
    compare("total", ({ total }) => money(total)),
  ].filter(({ from, to }) => from !== to);
}

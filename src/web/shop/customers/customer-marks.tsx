/** Badges for unusual states of a customer. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import type { CustomerView } from "../../../shop/customers/view-schema.ts";

/** The words. */
export function CustomerMarks({ customer }: { customer: CustomerView }): JSX.Element {
  const { userId, blocked, erasing } = customer;
  return (
    <span class="marks">
      <Badge>{text(userId === undefined ? "shop.order.account.guest" : "shop.order.account.yes")}</Badge>
      {blocked && <Badge kind="bad">{text("shop.customers.blocked")}</Badge>}
      {erasing && <Badge kind="warn">{text("shop.customers.erasing")}</Badge>}
    </span>
  );
}

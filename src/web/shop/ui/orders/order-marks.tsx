/** The status of an order in words and colors, and the link to it. */
import type { JSX } from "preact";
import { text } from "../../../app/texts.ts";
import { Badge, type BadgeKind } from "../../../ui/console/pieces.tsx";
import type { OrderStatus, PaymentStatus } from "../../../../shop/orders/schema.ts";
import type { OrderView } from "./order-data.ts";

const states: Readonly<Record<OrderStatus, BadgeKind>> = {
  pending_payment: "idle",
  paid: "warn",
  fulfilling: "warn",
  delivered: "good",
  completed: "good",
  canceled: "idle",
  expired: "idle",
};
const payments: Readonly<Record<PaymentStatus, BadgeKind>> = {
  unpaid: "idle",
  partial: "warn",
  paid: "good",
  overpaid: "warn",
  partially_refunded: "idle",
  refunded: "idle",
};

/** The state of the delivery. */
export function StatusMark({ status }: { status: OrderStatus }): JSX.Element {
  return <Badge kind={states[status]}>{text(`shop.order.status.${status}`)}</Badge>;
}

/** The state of the payment. */
export function PaymentMark({ status }: { status: PaymentStatus }): JSX.Element {
  return <Badge kind={payments[status]}>{text(`shop.order.payment.${status}`)}</Badge>;
}

export function AttentionMarks({ attention }: Pick<OrderView, "attention">): JSX.Element | null {
  if (attention.length === 0) return null;
  return (
    <span class="marks">
      {attention.map((flag) => (
        <Badge kind="bad" icon="alert" key={flag}>
          {text(`shop.order.attention.${flag}`)}
        </Badge>
      ))}
    </span>
  );
}

/** The way to an order by its number; by its id while only that is known. */
export function OrderLink({ id, number }: { id: string; number?: string | undefined }): JSX.Element {
  return (
    <a class="order-number" href={`/admin/orders/${id}`}>
      {number ?? id}
    </a>
  );
}

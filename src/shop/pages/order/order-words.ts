/** How an order stands, in words. */
import type { OrderRecord } from "../../orders/schema.ts";
import type { Visit } from "../visit.tsx";

type Standing = Pick<OrderRecord, "status" | "paymentStatus" | "lines" | "shipment" | "amountPaid">;

export interface OrderWords {
  readonly title: string;
  /** One word or two. */
  readonly tag: string;
  readonly tone: "good" | "warn" | "plain";
  /** What comes next. */
  readonly text: string;
}

function isParcel({ lines }: Standing): boolean {
  return lines.some(({ deliveryType }) => deliveryType === "shipping");
}

/** Another text whenever a page that waits is to be shown anew. */
export function toMark({
  status,
  amountPaid,
  begun,
}: Pick<OrderRecord, "status" | "amountPaid" | "begun">): string {
  return [status, amountPaid, begun?.kind ?? "none"].join(" ");
}

/** The words. */
export function toOrderWords(order: Standing, { t }: Pick<Visit, "t">): OrderWords {
  const { status, paymentStatus, amountPaid } = order;
  const say = (key: Parameters<typeof t>[0], tag: Parameters<typeof t>[0], tone: OrderWords["tone"]) => ({
    ...{ title: t(key), tag: t(tag), tone },
  });
  switch (status) {
    case "pending_payment":
      return {
        ...say("order.waits", "state.pending_payment", "warn"),
        text: t(amountPaid > 0 ? "order.partly" : "order.waitsText"),
      };
    case "paid":
    case "fulfilling": {
      const text = t(isParcel(order) ? "order.packing" : "order.preparing");
      return { ...say("order.paid", "state.paid", "good"), text };
    }
    case "delivered":
    case "completed": {
      const tag =
        status === "completed" ? "state.completed" : isParcel(order) ? "state.shipped" : "state.delivered";
      return {
        ...say("order.paid", tag, "good"),
        text: t(isParcel(order) ? "order.onItsWay" : "order.hereItIs"),
      };
    }
    case "canceled": {
      const isBack = paymentStatus === "refunded" || paymentStatus === "partially_refunded";
      return {
        ...say("order.canceled", "state.canceled", "plain"),
        text: t(isBack ? "order.moneyBack" : "order.canceledText"),
      };
    }
    case "expired":
      return { ...say("order.expired", "state.expired", "plain"), text: t("order.expiredText") };
  }
}

/** The status of an order in words. */
import type { OrderRecord } from "../../orders/schema.ts";
import type { StatedWithdrawal } from "../../eu/withdrawn-units.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { Visit } from "../visit.tsx";

type Standing = Pick<
  OrderRecord,
  "status" | "paymentStatus" | "lines" | "shipment" | "amountPaid" | "balanceDue"
>;
type Words = Pick<Visit, "t">;

export interface OrderWords {
  readonly title: string;
  /** One word or two. */
  readonly tag: string;
  readonly tone: "good" | "warn" | "plain";
  /** The next step. */
  readonly text: string;
}

function isParcel({ lines }: Standing): boolean {
  return lines.some(({ deliveryType }) => deliveryType === "shipping");
}

/** Changes whenever a waiting page must reload. */
export function toMark({
  status,
  amountPaid,
  begun,
}: Pick<OrderRecord, "status" | "amountPaid" | "begun">): string {
  return [status, amountPaid, begun?.kind ?? "none"].join(" ");
}

/** The withdrawn items, a line each. */
export function toWithdrawnWords(
  { lines, what }: Pick<StatedWithdrawal, "lines" | "what">,
  order: Pick<OrderRecord, "lines"> | undefined,
  { t }: Words,
): string {
  const named = lines.flatMap(({ lineId, quantity }) => {
    const line = order?.lines.find(({ id }) => id === lineId);
    return line === undefined ? [] : [`${quantity} × ${nameLine(line)}`];
  });
  return [...named, what].filter((text) => text !== "").join("\n") || t("withdraw.all");
}

/** The text in place of thanks for a paid order; undefined where these are right. */
function toEndWords({ paymentStatus }: Standing, isWithdrawn: boolean, { t }: Words) {
  if (paymentStatus === "refunded") return { title: t("order.isRefunded"), text: t("order.isRefundedText") };
  return isWithdrawn ? { title: t("order.isWithdrawn"), text: t("order.isWithdrawnText") } : undefined;
}

/** The words; withdrawn is what the buyer withdrew from as a whole. */
export function toOrderWords(order: Standing, { t }: Words, isWithdrawn = false): OrderWords {
  const { status, paymentStatus, amountPaid } = order;
  const say = (key: Parameters<typeof t>[0], tag: Parameters<typeof t>[0], tone: OrderWords["tone"]) => ({
    title: t(key),
    tag: t(tag),
    tone,
  });
  switch (status) {
    case "pending_payment":
      return {
        ...say("order.awaitingPayment", "state.pending_payment", "warn"),
        text: t(amountPaid > 0 ? "order.partlyPaid" : "order.awaitingPaymentText"),
      };
    case "paid":
    case "fulfilling": {
      if (order.balanceDue !== undefined && paymentStatus !== "refunded")
        return {
          ...say("order.balance", "state.pending_payment", "warn"),
          text: t("order.awaitingPaymentText"),
        };
      const text = t(isParcel(order) ? "order.packing" : "order.preparing");
      return { ...say("order.paid", "state.paid", "good"), text, ...toEndWords(order, isWithdrawn, { t }) };
    }
    case "delivered":
    case "completed": {
      const tag =
        status === "completed" ? "state.completed" : isParcel(order) ? "state.shipped" : "state.delivered";
      return {
        ...say("order.paid", tag, "good"),
        text: t(isParcel(order) ? "order.onItsWay" : "order.purchases"),
        ...toEndWords(order, isWithdrawn, { t }),
      };
    }
    case "canceled": {
      const isBack = paymentStatus === "refunded" || paymentStatus === "partially_refunded";
      return {
        ...say("order.canceled", "state.canceled", "plain"),
        text: t(isBack ? "order.paymentRefunded" : "order.canceledText"),
      };
    }
    case "expired":
      return { ...say("order.expired", "state.expired", "plain"), text: t("order.expiredText") };
  }
}

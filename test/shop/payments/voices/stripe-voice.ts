/** What Stripe says (https://docs.stripe.com/api/events/types), by the ids of its stand-in. */
import { fromStripeAmount } from "../../../../src/shop/payments/providers/stripe-api.ts";
import type { GatewayNotice, GatewayOptions, GatewayPayment } from "../gateways/gateway.ts";
import { pick, pickText } from "../gateways/json.ts";
import { createStripeGateway } from "../gateways/stripe.ts";
import type { ModelOrder } from "../notices-model-records.ts";
import {
  type Said,
  type Say,
  type Scene,
  type Told,
  type Voice,
  findBegun,
  sayPaid,
  sayRefunds,
} from "./voice.ts";

type Json = Record<string, unknown>;

/** Creates the voice with its fake provider. */
export function createStripeVoice(options: GatewayOptions): Voice {
  const gateway = createStripeGateway(options);
  /** The same event, sent again with a signature of now. */
  const resign = ({ body }: GatewayNotice): GatewayNotice => {
    const event: Json = JSON.parse(body);
    const before = pick(event, "data", "previous_attributes");
    return gateway.event(pickText(event, "type"), pick(event, "data", "object") as Json, {
      id: pickText(event, "id"),
      ...(before === undefined ? {} : { before: before as Json }),
    });
  };
  const eventOf = ({ body }: GatewayNotice): string => pickText(JSON.parse(body), "id");
  const say = (notice: GatewayNotice, told: (event: string) => readonly Told[]): Said => ({
    send: () => resign(notice),
    told: () => told(eventOf(notice)),
  });

  /** The session itself says that nothing was paid yet, or will be. */
  const unpaid =
    (type: string, means: "pending" | "failed"): Say =>
    (scene) => {
      const { payment } = scene;
      if (payment.isPaid) return undefined;
      const { reference: ref, amount, currency } = payment;
      const notice = gateway.event(type, gateway.session(payment));
      return say(notice, (event) => [{ ref, type: means, claimed: scene.order.id, amount, currency, event }]);
    };

  const intentOf = (payment: GatewayPayment): string => pickText(gateway.session(payment), "payment_intent");
  const disputeOf = ({ payment }: Scene, status: string): Json => ({
    id: `dp_${payment.reference}`,
    object: "dispute",
    status,
    metadata: {},
    payment_intent: intentOf(payment),
    amount: payment.amount,
    currency: payment.currency.toLowerCase(),
  });
  const dispute =
    (event: string, status: string, means: "chargeback" | "payment"): Say =>
    (scene) => {
      if (!scene.payment.isPaid) return undefined;
      const object = disputeOf(scene, status);
      const { amount, currency } = scene.payment;
      const ref = String(object["id"]);
      return say(gateway.event(event, object), (id) => [
        { ref, type: means, claimed: scene.order.id, amount, currency, event: id },
      ]);
    };

  /** Events about a refund name the order that the shop named with it, before that of the payment. */
  const toOwn = (refund: Json, { id }: ModelOrder): Pick<ModelOrder, "id"> => ({
    id: pickText(refund, "metadata", "order_id") || id,
  });
  const toRefund = (refund: Json, { id }: Pick<ModelOrder, "id">, event: string): Told => {
    const money = fromStripeAmount(Number(refund["amount"]), String(refund["currency"]));
    const type = refund["status"] === "failed" ? "failed" : "refund";
    return { ref: String(refund["id"]), type, claimed: id, ...money, event };
  };

  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    says: {
      ...sayPaid({
        gateway,
        resign,
        nobody: ["ord_nobody", "ord_nobody"],
        toTold: (notice, told, payment) => ({ ...told, ref: intentOf(payment), event: eventOf(notice) }),
      }),
      ...sayRefunds({ gateway, toEvent: eventOf, resign }),
      waiting: unpaid("checkout.session.completed", "pending"),
      failed: unpaid("checkout.session.async_payment_failed", "failed"),
      ended: unpaid("checkout.session.expired", "failed"),
      dispute: dispute("charge.dispute.created", "needs_response", "chargeback"),
      disputeWon: dispute("charge.dispute.closed", "won", "payment"),
      allRefunds: ({ payment, order }) => {
        if (!payment.isPaid || payment.refunded === 0) return undefined;
        return say(gateway.event("charge.refunded", gateway.charge(payment)), (event) =>
          gateway
            .refunds(payment)
            .toReversed()
            .map((refund) => toRefund(refund, order, `${event}:${String(refund["id"])}`)),
        );
      },
      // As it is now.
      refundAgain: ({ payment, order }) => {
        const refund = gateway.lastRefund(payment);
        if (refund["id"] === undefined) return undefined;
        const notice = gateway.event("refund.updated", { ...refund });
        return say(notice, (event) => [
          toRefund(JSON.parse(notice.body).data.object, toOwn(refund, order), event),
        ]);
      },
      refundFailed: ({ payment, order }) => {
        const refund = gateway.lastRefund(payment);
        if (refund["status"] !== "succeeded") return undefined;
        // A bank sent it back: the money is with the seller again.
        refund["status"] = "failed";
        const { ref, claimed, amount, currency } = toRefund(refund, toOwn(refund, order), "");
        payment.refunded -= amount;
        const notice = gateway.event("refund.failed", { ...refund }, { before: { status: "succeeded" } });
        const same = { ref, claimed, amount, currency };
        return say(notice, (event) => [
          { ...same, type: "failed", event },
          { ...same, type: "payment", event: `${event}:returned` },
        ]);
      },
    },
    asked: (payment, order) => {
      if (!payment.isPaid) return [];
      const { amount, currency, reference } = payment;
      const event = `paid:${reference}`;
      return [
        { ref: intentOf(payment), type: "payment", claimed: order.id, amount, currency, event },
        ...gateway
          .refunds(payment)
          .filter(({ status }) => status === "succeeded")
          .map((refund) => toRefund(refund, order, `refund:${String(refund["id"])}`)),
      ];
    },
    refunds: {
      takes: (payment, amount) => payment.refunded + amount <= payment.amount,
      nameOf: (payment) => gateway.newestRefund?.(payment)?.reference ?? "",
    },
  };
}

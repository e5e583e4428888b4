/** What PayPal says (https://developer.paypal.com/api/rest/webhooks/event-names/), by the ids of its stand-in. */
import { toDecimal } from "../../../../src/shop/base/money.ts";
import type { GatewayNotice, GatewayOptions, GatewayPayment } from "../gateways/gateway.ts";
import { type Json, pick, pickText } from "../gateways/json.ts";
import { createPaypalGateway } from "../gateways/paypal.ts";
import type { ModelOrder } from "../notices-model-records.ts";
import { type Say, type Told, type Voice, findBegun, sayPaid, sayRefunds, toReturn } from "./voice.ts";

/** Creates the voice with its fake provider. */
export function createPaypalVoice(options: GatewayOptions): Voice {
  const gateway = createPaypalGateway(options);
  const resign = ({ body }: GatewayNotice): GatewayNotice => {
    const event: Json = JSON.parse(body);
    const id = pickText(event, "id");
    return gateway.event(pickText(event, "event_type"), pick(event, "resource") as Json, { id });
  };
  const eventOf = ({ body }: GatewayNotice): string => pickText(JSON.parse(body), "id");
  const captureOf = (payment: GatewayPayment): string => pickText(gateway.capture(payment), "id");
  const moneyOf = ({ currency }: GatewayPayment, amount: number): Json => ({
    currency_code: currency,
    value: toDecimal(amount, currency),
  });
  const up = (payment: GatewayPayment): Json[] => [
    { rel: "up", href: `${options.origin}/v2/payments/captures/${captureOf(payment)}`, method: "GET" },
  ];

  /** A capture that was not made yet, or never will be. */
  const unpaid =
    (type: string, means: "pending" | "failed"): Say =>
    ({ payment, order, at }) => {
      if (payment.isPaid) return undefined;
      const { amount, currency } = payment;
      const id = `3CU${String(at)}`;
      const resource = { id, amount: moneyOf(payment, amount), custom_id: order.id, status: "PENDING" };
      const notice = gateway.event(type, resource);
      const told: Told = {
        ref: id,
        type: means,
        claimed: order.id,
        amount,
        currency,
        event: eventOf(notice),
      };
      return { send: () => resign(notice), told: () => [told] };
    };

  /** Money that a bank or PayPal takes back, or a refund that did not arrive: only a notice says so. */
  const moved =
    (type: string, means: "chargeback" | "failed"): Say =>
    ({ payment, order, at }) => {
      const amount = toReturn(payment, 1);
      if (amount === undefined) return undefined;
      const id = `1RV${String(at)}`;
      const notice = gateway.event(type, { id, amount: moneyOf(payment, amount), links: up(payment) });
      const { currency } = payment;
      const told: Told = {
        ref: id,
        type: means,
        claimed: order.id,
        amount,
        currency,
        event: eventOf(notice),
      };
      return { send: () => resign(notice), told: () => [told] };
    };

  /** Everything that PayPal's order says. */
  const describe = (payment: GatewayPayment, { id }: ModelOrder, event: string): readonly Told[] => {
    if (!payment.isPaid) return [];
    const { amount, currency } = payment;
    const told = (ref: string, type: string, money: number): Told => ({
      ref,
      type,
      claimed: id,
      amount: money,
      currency,
      event: `${event}:${ref}`,
    });
    return [
      told(captureOf(payment), "payment", amount),
      ...gateway.refunds(payment).map((refund) => told(refund.reference, "refund", refund.amount)),
    ];
  };

  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    says: {
      ...sayPaid({
        gateway,
        resign,
        nobody: ["ord_nobody", "ord_nobody"],
        toTold: (notice, told, payment) => ({ ...told, ref: captureOf(payment), event: eventOf(notice) }),
      }),
      ...sayRefunds({
        gateway,
        toEvent: eventOf,
        resign,
        toClaimed: ({ body }) => pickText(JSON.parse(body), "resource", "custom_id"),
      }),
      approved: ({ payment, order }) => {
        if (payment.isPaid) return undefined;
        const notice = gateway.approve(payment);
        // Whether it is captured is the shop's to do: too late, it is not.
        return { send: () => resign(notice), told: () => describe(payment, order, eventOf(notice)) };
      },
      waiting: unpaid("PAYMENT.CAPTURE.PENDING", "pending"),
      failed: unpaid("PAYMENT.CAPTURE.DENIED", "failed"),
      dispute: moved("PAYMENT.CAPTURE.REVERSED", "chargeback"),
      refundFailed: moved("PAYMENT.REFUND.FAILED", "failed"),
      disputeWon: ({ payment, order, at }) => {
        if (!payment.isPaid) return undefined;
        const { amount, currency } = payment;
        const id = `PP-D-${String(at)}`;
        const notice = gateway.event("CUSTOMER.DISPUTE.RESOLVED", {
          dispute_id: id,
          dispute_outcome: { outcome_code: "RESOLVED_SELLER_FAVOUR" },
          disputed_transactions: [{ seller_transaction_id: captureOf(payment) }],
          money_movements: [
            {
              affected_party: "SELLER",
              type: "CREDIT",
              reason: "DISPUTE_SETTLEMENT",
              amount: moneyOf(payment, amount),
            },
          ],
        });
        const same = { ref: id, claimed: order.id, amount, currency };
        return {
          send: () => resign(notice),
          told: () => [{ ...same, type: "payment", event: eventOf(notice) }],
        };
      },
    },
    asked: (payment, order) => describe(payment, order, "asked"),
    refunds: {
      takes: (payment, amount) => payment.refunded + amount <= payment.amount,
      nameOf: (payment) => gateway.newestRefund?.(payment)?.reference ?? "",
    },
  };
}

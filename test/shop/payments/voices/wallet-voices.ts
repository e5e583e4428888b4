/** What Alipay and WeChat Pay say, by the ids of their stand-ins. */
import { createAlipayGateway, toAlipayNotice } from "../gateways/alipay.ts";
import type { GatewayNotice, GatewayOptions } from "../gateways/gateway.ts";
import { createWechatGateway, toWechatHeaders } from "../gateways/wechat.ts";
import { type Voice, findBegun, sayPaid, sayRefunds } from "./voice.ts";

/** An order that there is not, as these services name it. */
export const nobody = ["00000000000000000000000000_1", "ord_00000000000000000000000000"] as const;

/** Alipay takes yuan alone, and its notices stay true for ever. */
export function createAlipayVoice(options: GatewayOptions): Voice {
  const gateway = createAlipayGateway(options);
  const { otherCurrency: _one, ...paid } = sayPaid({ gateway, nobody });
  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    says: {
      ...paid,
      // The number of a refund is unique within its trade alone (https://opendocs.alipay.com/open/028sm9).
      ...sayRefunds({ gateway, toRef: (number, { reference }) => `${reference}:${number}` }),
      ended: ({ payment, order }) => {
        if (payment.isPaid) return undefined;
        payment.isCanceled = true;
        const { reference: ref, amount, currency } = payment;
        const fields = { ...gateway.toFields(payment), trade_status: "TRADE_CLOSED", gmt_payment: "" };
        return {
          send: () => toAlipayNotice(fields),
          told: () => [{ ref, type: "failed", claimed: order.id, amount, currency }],
        };
      },
    },
    asked: (payment, order) => {
      const { reference: ref, amount, currency, isPaid, isCanceled, refunded } = payment;
      const isClosed = isCanceled || refunded === amount;
      return isPaid && !isClosed ? [{ ref, type: "payment", claimed: order.id, amount, currency }] : [];
    },
    refunds: {
      takes: (payment, amount) => payment.refunded + amount <= payment.amount,
      nameOf: ({ reference }, id) => `${reference}:${id}`,
    },
  };
}

/** WeChat Pay; queries keep returning a payment, even after its refund. */
export function createWechatVoice(options: GatewayOptions): Voice {
  const gateway = createWechatGateway(options);
  const resign = (notice: GatewayNotice): GatewayNotice => ({
    ...notice,
    headers: { ...notice.headers, ...toWechatHeaders(notice.body, options.now()) },
  });
  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    says: {
      ...sayPaid({ gateway, resign, nobody }),
      ...sayRefunds({ gateway, resign }),
    },
    asked: (payment, order) => {
      const { reference: ref, amount, currency, isPaid, refunded } = payment;
      const isTold = isPaid || refunded > 0;
      return isTold ? [{ ref, type: "payment", claimed: order.id, amount, currency }] : [];
    },
    refunds: {
      takes: ({ isPaid, refunded, amount: paid }, amount) => isPaid && refunded + amount <= paid,
      nameOf: (payment) => gateway.newestRefund?.(payment)?.reference ?? "",
    },
  };
}

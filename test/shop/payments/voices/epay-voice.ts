/** What Epay says, by the ids of its stand-in; a notice counts only when the service says the same. */
import { createEpayGateway, toEpayQuery } from "../gateways/epay.ts";
import type { GatewayNotice, GatewayOptions } from "../gateways/gateway.ts";
import { type Scene, type Told, type Voice, findBegun, sayPaid, toPaid, toReturn } from "./voice.ts";
import { nobody } from "./wallet-voices.ts";

/** A notice that is signed rightly, of whatever. */
function sign({ payment }: Scene, amount: number): GatewayNotice {
  const query = toEpayQuery({
    pid: "1001",
    trade_no: payment.reference,
    out_trade_no: payment.orderId,
    type: "alipay",
    name: "",
    money: String(amount / 100),
    trade_status: "TRADE_SUCCESS",
  });
  return { method: "GET", query, headers: {}, body: "" };
}

/** Creates the voice with its fake provider. */
export function createEpayVoice(options: GatewayOptions): Voice {
  const gateway = createEpayGateway(options);
  const all = sayPaid({ gateway, nobody });
  const { paid, silent } = all;
  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    mustAsk: true,
    says: {
      paid,
      silent,
      nobody: (scene) => {
        const [orderId, claimed] = nobody;
        const notice = sign({ ...scene, payment: { ...scene.payment, orderId } }, scene.payment.amount);
        return { send: () => notice, told: () => [toPaid(scene, { claimed })] };
      },
      // The browser's return has the same signature, and exists before the payment.
      lie: (scene) => {
        if (scene.payment.isPaid) return undefined;
        const notice = sign(scene, scene.payment.amount);
        return { send: () => notice, told: () => [toPaid(scene)] };
      },
      otherAmount: (scene) => {
        const amount = scene.payment.amount + 100;
        return { send: () => sign(scene, amount), told: (): readonly Told[] => [toPaid(scene, { amount })] };
      },
      silentRefund: ({ payment }) => {
        const amount = toReturn(payment, 1);
        if (amount === undefined) return undefined;
        payment.refunded += amount;
        return { told: () => [] };
      },
    },
    // "2" is given back: it says no more that it is paid.
    asked: (payment, order) => {
      const { reference: ref, amount, currency, isPaid, refunded } = payment;
      return isPaid && refunded === 0 ? [{ ref, type: "payment", claimed: order.id, amount, currency }] : [];
    },
    refunds: {
      isByOrder: true,
      takes: ({ isPaid, refunded, amount: most }, amount, paid) =>
        isPaid && amount === paid && (refunded > 0 || amount <= most),
      nameOf: (_payment, id) => id,
    },
  };
}

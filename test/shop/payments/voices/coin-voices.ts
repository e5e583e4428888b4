/** What BEpusdt and TokenPay say, by the ids of their stand-ins; neither tells of refunds. */
import { createBepusdtGateway, toBepusdtNotice } from "../gateways/bepusdt.ts";
import type { GatewayOptions, GatewayPayment } from "../gateways/gateway.ts";
import { createTokenpayGateway } from "../gateways/tokenpay.ts";
import type { ModelOrder } from "../notices-model-records.ts";
import { type Told, type Voice, findBegun, sayPaid } from "./voice.ts";
import { nobody } from "./wallet-voices.ts";

function describe(payment: GatewayPayment, { id }: ModelOrder): readonly Told[] {
  const { reference: ref, amount, currency, isPaid } = payment;
  return isPaid ? [{ ref, type: "payment", claimed: id, amount, currency }] : [];
}

/** BEpusdt tells each minute that it waits, and once that it is over; its notices name no currency. */
export function createBepusdtVoice(options: GatewayOptions): Voice {
  const gateway = createBepusdtGateway(options);
  const { otherCurrency: _one, ...paid } = sayPaid({ gateway, nobody });
  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    says: {
      ...paid,
      waiting: ({ payment }) =>
        payment.isPaid ? undefined : { send: () => toBepusdtNotice(payment, 1), told: () => [] },
      ended: ({ payment, order }) => {
        if (payment.isPaid) return undefined;
        payment.isCanceled = true;
        const { reference: ref, amount, currency } = payment;
        return {
          send: () => toBepusdtNotice(payment, 3),
          told: () => [{ ref, type: "failed", claimed: order.id, amount, currency }],
        };
      },
    },
    asked: describe,
  };
}

/** TokenPay tells that something was paid, and nothing else. */
export function createTokenpayVoice(options: GatewayOptions): Voice {
  const gateway = createTokenpayGateway(options);
  return {
    gateway,
    find: (order) => findBegun(gateway, order),
    says: sayPaid({ gateway, nobody }),
    asked: describe,
  };
}

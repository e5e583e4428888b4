/** Stand-ins of payment services, each on its own port: they survive when shops are killed. */
import assert from "node:assert/strict";
import { type Receiver, startReceiver } from "../../../kit/outbound-receiver.ts";
import type { Gateway, GatewayPayment } from "../gateways/gateway.ts";
import { gateways } from "../gateways/gateways.ts";
import { toOrderId } from "../../../../src/shop/payments/signing/trade-number.ts";

/** A running stand-in; its name is the word of its provider in the shop. */
export interface Stand {
  readonly name: string;
  readonly gateway: Gateway;
}

export interface Stands {
  readonly all: readonly Stand[];
  /** The next so many requests are answered; of the one after, what it asks is done, and `kill` comes before the answer. */
  killAfter(requests: number, kill: () => void): void;
  close(): Promise<void>;
}

/** Where a shop's order is paid at a service: at one place at most, however often the shop was killed. */
export function findPayment({ name, gateway }: Stand, orderId: string): GatewayPayment | undefined {
  const found = gateway.payments.filter((payment) => toOrderId(payment.orderId) === orderId);
  assert.ok(found.length <= 1, `${name} has ${found.length} payments of ${orderId}`);
  return found[0];
}

/** Starts the stand-ins that take this currency. */
export async function startStands(currency: string, now: () => number): Promise<Stands> {
  const receivers: Receiver[] = [];
  let left = Number.POSITIVE_INFINITY;
  let kill = (): void => undefined;
  const all: Stand[] = [];
  for (const [name, create] of Object.entries(gateways)) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const origin = `http://127.0.0.1:${receiver.port}`;
    const gateway = create({ origin, now });
    if (gateway.currency !== currency) continue;
    all.push({ name, gateway });
    receiver.answer(({ method, url, headers, body }, response) => {
      const single = Object.entries(headers).map(([field, value]): [string, string] => [
        field,
        String(value ?? ""),
      ]);
      const hasBody = method !== "GET" && body !== "";
      const asked = new Request(`${origin}${url}`, {
        method,
        headers: single.filter(([field]) => !["connection", "host", "content-length"].includes(field)),
        ...(hasBody ? { body } : {}),
      });
      void gateway.answer(asked).then(async (answer) => {
        left -= 1;
        if (left < 0) {
          left = Number.POSITIVE_INFINITY;
          kill();
          return;
        }
        const text = await answer.text();
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(text);
      });
    });
  }
  return {
    all,
    killAfter: (requests, next) => {
      left = requests;
      kill = next;
    },
    close: async () => {
      for (const receiver of receivers) await receiver.close();
    },
  };
}

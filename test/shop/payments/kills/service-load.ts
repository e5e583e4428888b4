/** Buyers who pay at stand-ins of payment providers, which notify a shop that may be killed at any moment. */
import assert from "node:assert/strict";
import { z } from "zod";
import { findKind } from "../../../../src/shop/payments/providers/kinds.ts";
import { NotNow, admin, expect, makeProduct, send } from "../../kill-load.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { type Stand, findPayment } from "./service-stands.ts";

const begunSchema = z.object({ payment: z.object({ state: z.string() }) });
const boughtSchema = begunSchema.extend({
  order: z.object({ id: z.string(), total: z.number() }),
  accessToken: z.string(),
});
const shownSchema = z.object({ status: z.string(), amountPaid: z.number(), amountRefunded: z.number() });
const refundSchema = z.object({ refund: z.object({ status: z.string() }) });

/** The responses to a buyer, a provider and an administrator about one order. */
export interface ServiceSale {
  readonly key: string;
  readonly stand: Stand;
  /** Absent: the answer never came. */
  order?: { readonly id: string; readonly total: number };
  /** What the service sends until it is heard. */
  notice?: GatewayNotice;
  isHeard?: boolean;
  /** What the shop said of giving it back; "asked" when it said nothing. */
  refund?: string;
}

export interface ServiceLoad {
  readonly sales: readonly ServiceSale[];
  /** In a shop that has other loads beside, `isAlone` is false: their settings stay. */
  prepare(url: string, options?: { readonly isAlone?: boolean }): Promise<void>;
  /** Takes the next sale as far as it goes. Throws when the shop is away, refuses, or answers wrongly. */
  sell(url: string, onAnswer: () => void): Promise<void>;
  /** Orders, pays and gives back by some buyers at once until the shop is dead; `onAnswer` after each answer of 2xx. */
  run(url: string, life: { readonly isKilled: () => boolean; readonly onAnswer: () => void }): Promise<void>;
  /** Throws unless every answer so far still holds. */
  check(url: string): Promise<void>;
}

/** Sends a notice of a service as the service does; throws unless it hears what it must. */
export async function tell(
  { stand: { name, gateway } }: Pick<ServiceSale, "stand">,
  { method, query, headers, body }: GatewayNotice,
  ask: (path: string, init: RequestInit) => Promise<Response>,
): Promise<void> {
  const path = `/api/webhooks/${name}-pay${query}`;
  const answer = await ask(path, { method, headers: { ...headers }, ...(method === "GET" ? {} : { body }) });
  const text = await answer.text();
  if (answer.status === 503) throw new NotNow(text);
  assert.ok(answer.ok, `${name}: ${answer.status} ${text}`);
  if (gateway.expects !== undefined) assert.equal(text, gateway.expects);
}

async function prepareProviders(url: string, stands: readonly Stand[]): Promise<void> {
  for (const { name, gateway } of stands) {
    const { kind, credentials, options } = gateway;
    const body = { title: name, kind, credentials, options, expiryMinutes: 60 };
    const path = `/api/admin/site/providers/${name}`;
    await expect(send(url, path, { method: "PUT", headers: admin, body }), 200, 201);
  }
}

/** Creates a load of `buyers` that use the providers in turn, with license keys for `most` sales. */
export function createServiceLoad(
  stands: readonly Stand[],
  { buyers, most }: { readonly buyers: number; readonly most: number },
): ServiceLoad {
  const sales: ServiceSale[] = [];
  let productId = "";

  const buy = (url: string, { key, stand }: ServiceSale) =>
    send(url, "/api/checkout", {
      // Only an unguessable key gets the same response again.
      headers: { "idempotency-key": `${key}-0d9b3f0a5f3e4f0a9c357e2b` },
      body: {
        items: [{ productId, quantity: 1 }],
        contact: { email: `${key}@example.org` },
        consents: { digitalContent: true },
        paymentMethod: stand.name,
      },
    });

  async function sell(url: string, onAnswer: () => void): Promise<void> {
    const stand = stands[sales.length % stands.length] ?? assert.fail("no stand");
    // Of each service one in three is given back.
    const isReturned = Math.floor(sales.length / stands.length) % 3 === 0;
    const sale: ServiceSale = { key: `paid-${sales.length}`, stand };
    sales.push(sale);
    const { order, payment } = boughtSchema.parse(await expect(buy(url, sale), 201));
    sale.order = order;
    onAnswer();
    // The service has not answered yet: the shop goes on with it by itself.
    if (payment.state === "beginning") throw new NotNow(`${stand.name} is slow`);
    const begun = findPayment(stand, order.id);
    assert.ok(payment.state === "ready" && begun !== undefined, `${stand.name}: ${payment.state}`);
    const notice = await stand.gateway.pay(begun);
    sale.notice = notice;
    const once = (): Promise<void> =>
      tell(sale, notice, (path, init) => fetch(`${url}${path}`, init)).then(() => {
        sale.isHeard = true;
        onAnswer();
      });
    await Promise.all([once(), once()]);
    if (!isReturned || findKind(stand.gateway.kind)?.refund === undefined) return;
    sale.refund = "asked";
    const path = `/api/admin/orders/${order.id}/refund`;
    const given = expect(send(url, path, { headers: admin, body: { amount: order.total } }), 200);
    sale.refund = refundSchema.parse(await given).refund.status;
    onAnswer();
  }

  /** A buyer whose answer was lost orders again with the same key, and pays; the notice is on its way. */
  async function buyAgain(url: string, sale: ServiceSale): Promise<void> {
    const { order, accessToken } = boughtSchema.parse(await expect(buy(url, sale), 200, 201));
    sale.order = order;
    const headers = { "x-order-token": accessToken };
    const asked = send(url, `/api/orders/${order.id}/payment`, { headers, body: {} });
    const { payment } = begunSchema.parse(await expect(asked, 200));
    const begun = findPayment(sale.stand, order.id);
    assert.ok(payment.state === "ready" && begun !== undefined, `${sale.stand.name}: ${payment.state}`);
    sale.notice = await sale.stand.gateway.pay(begun);
  }

  return {
    sales,
    sell,
    prepare: async (url, { isAlone = true } = {}) => {
      const currency = stands[0]?.gateway.currency;
      const site = isAlone ? { currency, paymentProviders: [] } : {};
      productId = await makeProduct(url, { keyCount: most, site });
      await prepareProviders(url, stands);
    },
    run: async (url, { isKilled, onAnswer }) => {
      const buyer = async (): Promise<void> => {
        while (!isKilled() && sales.length < most) {
          await sell(url, onAnswer).catch((error: unknown) => {
            // Only a dead shop may leave a request without its answer.
            if (!isKilled() || error instanceof assert.AssertionError) throw error;
          });
        }
      };
      await Promise.all(Array.from({ length: buyers }, buyer));
      assert.ok(isKilled(), "There were too few keys for this load");
    },
    check: async (url) => {
      for (const [at, sale] of sales.entries()) {
        const { order, isHeard, refund, stand } = sale;
        if (order === undefined) {
          // The other half of them does not come back.
          if (at % 2 === 0) await buyAgain(url, sale);
          continue;
        }
        const asked = send(url, `/api/admin/orders/${order.id}`, { method: "GET", headers: admin });
        const shown = shownSchema.parse(await expect(asked, 200));
        if (isHeard !== true) continue;
        assert.equal(shown.status, "delivered", `a notice of ${stand.name} was heard and is lost`);
        const isMoved = refund === "moved";
        if (refund === undefined || isMoved)
          assert.deepEqual(
            [shown.amountPaid, shown.amountRefunded],
            isMoved ? [0, order.total] : [order.total, 0],
          );
      }
    },
  };
}

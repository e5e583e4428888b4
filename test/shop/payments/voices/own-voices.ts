/** What services say that send the shop's own notices, what the demo's page sends, and what instructions alone do not. */
import assert from "node:assert/strict";
import { toOrderToken } from "../../../../src/shop/orders/token.ts";
import { DemoPayments, type DemoAction } from "../../../../src/shop/payments/services/demo-payment.ts";
import { openCredentials } from "../../../../src/shop/payments/services/open-provider.ts";
import {
  type Received,
  type ReceivedNotice,
  Notices,
} from "../../../../src/shop/payments/services/receive.ts";
import { signWebhook } from "../../../../src/kit/secrets/webhook-signature.ts";
import { orders } from "../../../../src/shop/orders/records.ts";
import { demoProvider } from "../../../../src/shop/site/schema.ts";
import type { GatewayNotice, GatewayOptions, GatewayPayment } from "../gateways/gateway.ts";
import type { ModelOrder } from "../notices-model-records.ts";
import type { PlainShop } from "../../plain-shop.ts";
import {
  type Happening,
  type Place,
  type Said,
  type Say,
  type Scene,
  type Told,
  type Voice,
  toReturn,
} from "./voice.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const TYPES = {
  succeeded: "payment",
  failed: "failed",
  pending: "pending",
  refunded: "refund",
  chargeback: "chargeback",
} as const;
type Status = keyof typeof TYPES;

interface Message {
  readonly secret: string;
  readonly id: string;
  readonly body: string;
  readonly nowMs: number;
}

/** Signed now, as Standard Webhooks has it. */
function sign({ secret, id, body, nowMs }: Message): GatewayNotice {
  const timestamp = String(Math.floor(nowMs / 1_000));
  return {
    method: "POST",
    query: "",
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signWebhook(secret, { id, timestamp, body }),
    },
  };
}

const place: Omit<Place, "kind"> = {
  options: {},
  credentials: {},
  currency: "EUR",
  forge: (notice) => ({
    ...notice,
    headers: { ...notice.headers, "webhook-signature": `v1,${"A".repeat(43)}=` },
  }),
};

/** Payments that begin nowhere: each order's is named when it is first spoken of. */
function keepPayments(): (order: ModelOrder) => GatewayPayment | undefined {
  const known = new Map<string, GatewayPayment>();
  return ({ id, total, method }) => {
    if (total === 0 || method === "none") return undefined;
    const payment = known.get(id) ?? {
      reference: `pi_${known.size}`,
      orderId: id,
      amount: total,
      currency: "EUR",
      isPaid: false,
      isCanceled: false,
      refunded: 0,
    };
    known.set(id, payment);
    return payment;
  };
}

/** A service that signs the shop's own notices; it can say whatever they can. */
export function createGenericVoice({ now }: GatewayOptions): Voice {
  const say =
    (status: Status, toData: (scene: Scene) => Partial<Told> | undefined): Say =>
    (scene): Said | undefined => {
      const { payment, order, at } = scene;
      const { reference, amount, currency } = payment;
      const type = TYPES[status];
      const change = toData(scene);
      if (change === undefined) return undefined;
      const id = `evt_${at}`;
      const told: Told = { ref: reference, type, claimed: order.id, amount, currency, ...change, event: id };
      const data = {
        id: told.ref,
        orderId: told.claimed,
        amount: told.amount,
        currency: told.currency,
        status,
      };
      const body = JSON.stringify({ type: "payment.arrived", data });
      return { send: () => sign({ secret: SECRET, id, body, nowMs: now() }), told: () => [told] };
    };
  const paid =
    (toChange: (scene: Scene) => Partial<Told>): Say =>
    (scene) =>
      say("succeeded", (about) => {
        about.payment.isPaid = true;
        return toChange(about);
      })(scene);
  const back = (status: "refunded" | "chargeback", share: number): Say =>
    say(status, ({ payment, at }) => {
      const amount = toReturn(payment, share);
      if (amount === undefined) return undefined;
      payment.refunded += amount;
      return { ref: status === "chargeback" ? payment.reference : `re_${at}`, amount };
    });
  const all: Partial<Record<Happening, Say>> = {
    paid: paid(() => ({})),
    twice: paid(({ at }) => ({ ref: `pi_again_${at}` })),
    less: paid(({ payment }) => ({ amount: Math.floor(payment.amount / 2) })),
    more: paid(({ payment }) => ({ amount: payment.amount + 100 })),
    otherCurrency: paid(() => ({ currency: "USD" })),
    otherOrder: paid(({ other }) => ({ claimed: other.order.id })),
    nobody: paid(() => ({ claimed: "ord_nobody" })),
    waiting: say("pending", () => ({})),
    failed: say("failed", () => ({})),
    refund: back("refunded", 1),
    refundPart: back("refunded", 0.5),
    dispute: back("chargeback", 1),
    // The same payment comes back to the seller.
    disputeWon: say("succeeded", () => ({})),
  };
  return {
    gateway: { ...place, kind: "generic", credentials: { secret: SECRET } },
    find: keepPayments(),
    says: all,
  };
}

/** Hears what the demo's page sends, and does nothing. */
class Heard extends Notices {
  readonly all: ReceivedNotice[] = [];

  override receive(notice: ReceivedNotice): Promise<Received> {
    this.all.push(notice);
    return Promise.resolve({ result: "ignored", noticeId: "", reason: "" });
  }
}

/** Actions on the demo page, which creates its own IDs. */
export function createDemoVoice({ now }: GatewayOptions): Voice {
  let shop: PlainShop | undefined;
  const act =
    (action: DemoAction): Say =>
    async ({ order }): Promise<readonly Said[]> => {
      const { deps, store } = shop?.shop ?? assert.fail("no shop");
      const record = (await store.read((tx) => tx.get(orders, order.id))) ?? assert.fail(order.id);
      const heard = new Heard(deps);
      await new DemoPayments(deps, heard).act(order.id, toOrderToken(deps.box, record), action);
      const secret = openCredentials(deps.box, demoProvider)["secret"] ?? assert.fail("no secret");
      return heard.all.map(({ body, headers }): Said => {
        const id = headers.get("webhook-id") ?? "";
        const { data } = JSON.parse(body) as {
          data: { id: string; orderId: string; amount: number; currency: string; status: Status };
        };
        const { amount, currency } = data;
        const type = TYPES[data.status];
        const told: Told = { ref: data.id, type, claimed: data.orderId, amount, currency, event: id };
        return { send: () => sign({ secret, id, body, nowMs: now() }), told: () => [told] };
      });
    };
  return {
    gateway: { ...place, kind: "demo" },
    connect: (app) => {
      shop = app;
    },
    find: keepPayments(),
    says: {
      paid: act("pay"),
      twice: act("pay_twice"),
      less: act("pay_less"),
      more: act("pay_more"),
      failed: act("fail"),
      refund: act("refund"),
    },
  };
}

/** Bank transfer and cash: no notifications are sent or accepted. */
export function createManualVoice(): Voice {
  const notice: GatewayNotice = {
    method: "POST",
    query: "",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "payment.arrived", data: {} }),
  };
  return {
    gateway: { ...place, kind: "manual", forge: (given) => given },
    find: keepPayments(),
    says: { paid: () => ({ send: () => notice, told: () => [], refusal: "not_found" }) },
  };
}

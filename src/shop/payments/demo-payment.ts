/** The built-in provider for trying a sale: makes the notices that a payment service would send, and signs them. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { signWebhook } from "./webhook-signature.ts";
import { amountDueOf } from "./ledger.ts";
import type { ShopDeps } from "../deps.ts";
import { findSecret } from "./notice-proof.ts";
import type { NoticeOutcome, Notices } from "./notices.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { mayShowPayment } from "../orders/token.ts";
import { orders } from "../records.ts";
import { toReturnUrl } from "./payment.ts";
import { findProvider, readSite } from "../site/settings.ts";
import { type SiteSettings, DEMO_WORD } from "../site/schema.ts";

/** What somebody on the demo page can do. */
export const demoActions = ["pay", "pay_twice", "pay_less", "pay_more", "fail", "refund"] as const;
export type DemoAction = (typeof demoActions)[number];

export interface DemoPayments {
  /** The order of the page, and where its buyer goes next. Throws `not_found` when the token is not its own, the order is to be paid otherwise, or the demo provider is switched off. */
  find(orderId: string, token: string): Promise<{ readonly order: OrderRecord; readonly returnUrl: string }>;
  /** Sends the notices of an action. Throws as `find` does, and what the notices throw. */
  act(orderId: string, token: string, action: DemoAction): Promise<NoticeOutcome[]>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "publicUrl">;

/** An order with what signs its notices. */
interface Found {
  readonly order: OrderRecord;
  readonly secret: string;
  readonly site: SiteSettings;
}

function toNotices(
  order: OrderRecord,
  action: DemoAction,
): { amount: number; status: string; times: number }[] {
  const due = amountDueOf(order);
  const amount = due === 0 ? order.total : due;
  switch (action) {
    case "pay":
      return [{ amount, status: "succeeded", times: 1 }];
    case "pay_twice":
      return [{ amount, status: "succeeded", times: 2 }];
    case "pay_less":
      return [{ amount: Math.max(1, Math.floor(amount / 2)), status: "succeeded", times: 1 }];
    case "pay_more":
      return [{ amount: amount * 2, status: "succeeded", times: 1 }];
    case "fail":
      return [{ amount, status: "failed", times: 1 }];
    case "refund":
      return [{ amount: order.amountPaid, status: "refunded", times: 1 }];
  }
}

/** Makes the demo provider; its notices take the same way as those from outside. */
export function createDemoPayments(deps: Deps, notices: Notices): DemoPayments {
  const { store, clock, box } = deps;

  async function find(orderId: string, token: string): Promise<Found> {
    const { order, site } = await store.read(async (tx) => ({
      order: await tx.get(orders, orderId),
      site: await readSite(tx),
    }));
    const provider = findProvider(site, DEMO_WORD);
    const secret = provider === undefined ? undefined : findSecret(box, provider);
    const isItsOwn = order?.paymentMethod === DEMO_WORD && mayShowPayment(box, order, token);
    if (secret === undefined || order === undefined || !isItsOwn)
      throw new AppError("not_found", "There is no such demo payment");
    return { order, secret, site };
  }

  function send(secret: string, data: Record<string, unknown>): Promise<NoticeOutcome> {
    const nowMs = clock.now();
    const json = { type: "payment.arrived", timestamp: new Date(nowMs).toISOString(), data };
    const body = JSON.stringify(json);
    const message = { id: newId("evt", nowMs), timestamp: String(Math.floor(nowMs / 1_000)), body };
    return notices.receive({
      word: DEMO_WORD,
      body,
      json,
      headers: {
        secret: undefined,
        webhookId: message.id,
        webhookTimestamp: message.timestamp,
        webhookSignature: signWebhook(secret, message),
      },
    });
  }

  return {
    find: async (orderId, token) => {
      const { order, site } = await find(orderId, token);
      return { order, returnUrl: toReturnUrl(deps, order, site) };
    },
    act: async (orderId, token, action) => {
      const { order, secret } = await find(orderId, token);
      const outcomes: NoticeOutcome[] = [];
      for (const { amount, status, times } of toNotices(order, action)) {
        for (let time = 0; time < times; time += 1) {
          const paidAt = new Date(clock.now()).toISOString();
          const { currency } = order;
          outcomes.push(
            await send(secret, { id: newId("dmo", clock.now()), orderId, amount, currency, status, paidAt }),
          );
        }
      }
      return outcomes;
    },
  };
}

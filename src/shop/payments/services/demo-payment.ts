/** The built-in provider for trying a sale: makes the notices that a payment service would send, and signs them. */
import { AppError } from "../../../kit/errors.ts";
import { newId } from "../../../kit/secrets/id.ts";
import { signWebhook } from "../../../kit/secrets/webhook-signature.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { NoticeOutcome } from "../notices.ts";
import { openCredentials } from "./open-provider.ts";
import type { Notices } from "./receive.ts";
import { amountDueOf } from "../../orders/order.ts";
import { toReturnUrl } from "../../orders/payment.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { mayShowPayment } from "../../orders/token.ts";
import { orders } from "../../orders/records.ts";
import { findProvider, readSite } from "../../site/settings.ts";
import { type SiteSettings, DEMO_SLUG } from "../../site/schema.ts";

/** The actions on the demo page. */
export const demoActions = ["pay", "pay_twice", "pay_less", "pay_more", "fail", "refund"] as const;
export type DemoAction = (typeof demoActions)[number];

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "publicUrl">;

/** An order with what signs its notices. */
interface Opened {
  readonly order: OrderRecord;
  readonly secret: string;
  readonly site: SiteSettings;
}

/** The notice that an action sends, and how often. */
function toNotice(order: OrderRecord, action: DemoAction): { amount: number; status: string; times: number } {
  const amount = amountDueOf(order) || order.total;
  const paid = { amount, status: "succeeded", times: 1 };
  switch (action) {
    case "pay":
      return paid;
    case "pay_twice":
      return { ...paid, times: 2 };
    case "pay_less":
      return { ...paid, amount: Math.max(1, Math.floor(amount / 2)) };
    case "pay_more":
      return { ...paid, amount: amount * 2 };
    case "fail":
      return { ...paid, status: "failed" };
    case "refund":
      return { ...paid, amount: order.amountPaid, status: "refunded" };
  }
}

/** The demo provider; its notices take the same way as those from outside. */
export class DemoPayments {
  readonly #deps: Deps;
  readonly #notices: Notices;

  constructor(deps: Deps, notices: Notices) {
    this.#deps = deps;
    this.#notices = notices;
  }

  /** The order of the page, and where its buyer goes next. Throws `not_found` when the token is not its own, the order is to be paid otherwise, or the demo provider is switched off. */
  async find(
    orderId: string,
    token: string,
  ): Promise<{ readonly order: OrderRecord; readonly returnUrl: string }> {
    const { order, site } = await this.#open(orderId, token);
    return { order, returnUrl: toReturnUrl(this.#deps, order, site) };
  }

  /** Sends the notices of an action. Throws as `find` does, and what the notices throw. */
  async act(orderId: string, token: string, action: DemoAction): Promise<NoticeOutcome[]> {
    const { order, secret } = await this.#open(orderId, token);
    const { times, ...notice } = toNotice(order, action);
    const { currency } = order;
    const outcomes: NoticeOutcome[] = [];
    for (let time = 0; time < times; time += 1)
      outcomes.push(await this.#send(secret, { orderId, currency, ...notice }));
    return outcomes;
  }

  async #open(orderId: string, token: string): Promise<Opened> {
    const { store, box } = this.#deps;
    const { order, site } = await store.read(async (tx) => ({
      order: await tx.get(orders, orderId),
      site: await readSite(tx),
    }));
    const provider = findProvider(site, DEMO_SLUG);
    const secret = provider && openCredentials(box, provider)["secret"];
    if (secret === undefined || order?.paymentMethod !== DEMO_SLUG || !mayShowPayment(box, order, token))
      throw new AppError("not_found", "This demo payment does not exist");
    return { order, secret, site };
  }

  #send(secret: string, fields: Record<string, unknown>): Promise<NoticeOutcome> {
    const nowMs = this.#deps.clock.now();
    const timestamp = new Date(nowMs).toISOString();
    const data = { id: newId("dmo", nowMs), ...fields, paidAt: timestamp };
    const body = JSON.stringify({ type: "payment.arrived", timestamp, data });
    const message = { id: newId("evt", nowMs), timestamp: String(Math.floor(nowMs / 1_000)), body };
    return this.#notices.receive({
      provider: DEMO_SLUG,
      method: "POST",
      url: `/api/webhooks/${DEMO_SLUG}-pay`,
      body,
      headers: new Headers({
        "content-type": "application/json",
        "webhook-id": message.id,
        "webhook-timestamp": message.timestamp,
        "webhook-signature": signWebhook(secret, message),
      }),
    });
  }
}

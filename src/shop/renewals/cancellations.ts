/** Cancellations of who is not signed in and has no link: by number and email address (§ 312k BGB). */
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { mailAdmin } from "../mails/mails.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { renewals, subscriptions } from "../subscriptions/records.ts";
import type { SubscriptionRecord } from "../subscriptions/schema.ts";
import type { Subscriptions } from "./subscriptions.ts";

const AN_HOUR = { limit: 20, windowMs: 3_600_000 };

type Deps = Pick<ShopDeps, "store" | "clock" | "limits" | "outbox">;

export interface Statement {
  /** Of an order, a renewal, or a subscription. */
  readonly number: string;
  readonly email: string;
}

async function find(
  tx: ReadTx,
  number: string,
): Promise<{ first: OrderRecord; own: SubscriptionRecord[] } | undefined> {
  const known = await tx.by(subscriptions, "byNumber", [number]);
  const order = known === undefined ? await tx.by(orders, "byNumber", [number]) : undefined;
  const renewal = order && (await tx.by(renewals, "byOrder", [order.id]));
  const renewed = renewal && (await tx.get(subscriptions, renewal.subscriptionId));
  const one = known ?? renewed;
  const first = one === undefined ? order : await tx.get(orders, one.orderId);
  if (first === undefined) return undefined;
  const range = { prefix: [first.id] };
  return {
    first,
    own: one === undefined ? await listEvery(tx, subscriptions, { index: "byOrder", range }) : [one],
  };
}

/** Receives cancellations. The answer is the same whether there is such a subscription or not. */
export class Cancellations {
  readonly #deps: Deps;
  readonly #subscriptions: Subscriptions;
  readonly #hits;

  constructor(deps: Deps, of: Subscriptions) {
    this.#deps = deps;
    this.#subscriptions = of;
    this.#hits = deps.limits.create("cancellations", AN_HOUR);
  }

  /** Resolves with when it was received. @throws AppError `rate_limited` */
  async receive({ number, email }: Statement, address: string): Promise<number> {
    const { store, clock } = this.#deps;
    const { allowed, retryAfterSeconds } = this.#hits.hit(addressKey(address));
    if (!allowed)
      throw new AppError("rate_limited", "Too many cancellations from your IP address. Try again later", {
        retryAfterSeconds,
      });
    const receivedAt = clock.now();
    const found = await store.read((tx) => find(tx, number.toUpperCase()));
    const isRight = found?.first.emailLower === email.toLowerCase();
    if (found !== undefined && isRight)
      for (const { id } of found.own) await this.#subscriptions.cancelOfOrder(found.first, id);
    if (!isRight || found.own.length === 0) await this.#tellOwner({ number, email });
    return receivedAt;
  }

  /** A cancellation counts also where the number was mistyped: a person looks for the contract. */
  async #tellOwner({ number, email }: Statement): Promise<void> {
    const { store } = this.#deps;
    await store.transact(async (tx) => {
      await mailAdmin(tx, this.#deps, {
        subject: "a cancellation that matches no subscription",
        lines: [`${email} canceled ${number} on the page for cancellations. Find the contract, and reply.`],
      });
    });
  }
}

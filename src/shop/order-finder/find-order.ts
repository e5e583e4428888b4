/** The way back to an order for who lost the mail: number and address bring the mail with the link once more, and no answer tells whether there is such an order. */
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { ShopDeps } from "../base/deps.ts";
import { orders } from "../orders/records.ts";
import { toMailbox } from "../base/mailbox.ts";
import { mailOrder } from "../orders/mails.ts";
import { isQuiet } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";

const HOUR_MS = 3_600_000;
const ASKED_AN_HOUR = 10;
/** Mails of this kind that a mailbox gets in an hour. */
const MAILED_AN_HOUR = 3;

/** A buyer's knowledge of an order. */
export interface KnownOfOrder {
  readonly number: string;
  readonly email: string;
}

export type OrderFinder = ReturnType<typeof createOrderFinder>;

export function createOrderFinder(
  deps: Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">,
) {
  const { store, clock, box, limits } = deps;
  const asked = limits.create("order-find", { limit: ASKED_AN_HOUR, windowMs: HOUR_MS });
  const mailed = limits.create("order-find-mailbox", { limit: MAILED_AN_HOUR, windowMs: HOUR_MS });

  /** An order that does not exist, so that an email which is never sent costs as much as a real one. */
  function makeUp({ number, email }: KnownOfOrder): OrderRecord {
    const at = clock.now();
    const line = { stockId: "", stockMode: "tracked", sku: "", options: {}, inputs: {} } as const;
    const sums = { subtotal: 1, discount: 0, total: 1 };
    return {
      id: `ord_${number}`,
      version: 1,
      number,
      email,
      emailLower: email.toLowerCase(),
      language: "en",
      status: "delivered",
      paymentStatus: "paid",
      attention: [],
      currency: "EUR",
      ...sums,
      shipping: 0,
      amountPaid: 1,
      amountRefunded: 0,
      history: [],
      note: "",
      paymentMethod: "none",
      expiresAt: at,
      createdAt: at,
      updatedAt: at,
      lines: [
        {
          id: "lin",
          productId: "prd",
          title: "Decoy",
          quantity: 1,
          unitPrice: 1,
          ...sums,
          ...line,
          deliveryType: "manual",
          instructions: "",
          secretIds: [],
        },
      ],
    };
  }

  return {
    /** Mails the link to the order's own address, if both are right. @throws AppError `rate_limited` */
    find: async (known: KnownOfOrder, address: string): Promise<void> => {
      const { allowed, retryAfterSeconds } = asked.hit(addressKey(address));
      if (!allowed)
        throw new AppError("rate_limited", "Too many order lookups from this address. Try again later", {
          retryAfterSeconds,
        });
      const number = known.number.trim().toUpperCase();
      const email = known.email.trim();
      const found = await store.read((tx) => tx.by(orders, "byNumber", [number]));
      const isRight = found !== undefined && found.emailLower === email.toLowerCase() && !isQuiet(found);
      // Only who has both right uses up what the mailbox may get: a stranger cannot.
      const order = isRight && mailed.hit(toMailbox(email)).allowed ? found : undefined;
      const meant = order ?? makeUp({ number, email });
      await store.transact((tx) =>
        mailOrder(tx, deps, {
          kind: "order_link",
          order: meant,
          orderToken: toOrderToken(box, meant),
          isDecoy: order === undefined,
        }),
      );
    },
  };
}

/**
 * How many orders one may place, whatever becomes of them: by network address and e-mail address in an hour, how
 * many of them are mailed to somebody who never paid, and how many units may wait for payment from one address.
 */
import { AppError } from "../kit/errors.ts";
import { addressKey } from "../kit/rate-limit.ts";
import type { ReadTx } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import type { ShopDeps } from "./deps.ts";
import type { OrderLine, OrderRecord } from "./order-schema.ts";
import { orders } from "./records.ts";
import type { SiteSettings } from "./site-schema.ts";
import { NO_LIMIT } from "./site-schema.ts";

const HOUR_MS = 3_600_000;
/** Recipients that are remembered for a day. */
const MAX_RECIPIENTS = 50_000;
const PAGE = 100;

export interface OrderLimits {
  /**
   * Counts an order; tells whether its mails are among those that may go to somebody who never paid.
   * @throws AppError `rate_limited` when its address or e-mail address placed too many within an hour
   */
  count(order: { readonly email: string; readonly caller: Caller }, site: SiteSettings): boolean;
}

/** What stands for a mailbox: "ann+1@example.org" is that of "ann@example.org". */
function toMailbox(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*(?=@)/u, "");
}

function refuse(what: string, retryAfterSeconds: number): never {
  throw new AppError("rate_limited", `Too many orders ${what} within an hour; try again later`, {
    retryAfterSeconds,
  });
}

/** Whether somebody with this address has paid an order, of the newest 100. */
export async function hasPaidOnce(tx: ReadTx, emailLower: string): Promise<boolean> {
  const { items } = await tx.list(orders, "byEmail", { prefix: [emailLower], limit: PAGE, reverse: true });
  return items.some(({ amountPaid }) => amountPaid > 0);
}

/** Makes the limits; they hold over all processes of the shop. */
export function createOrderLimits({ limits }: Pick<ShopDeps, "limits">): OrderLimits {
  const byAddress = limits.create("orders-address", { limit: 0, windowMs: HOUR_MS });
  const byEmail = limits.create("orders-email", { limit: 0, windowMs: HOUR_MS });
  const mailed = limits.create("orders-mailed", {
    limit: 0,
    windowMs: 24 * HOUR_MS,
    maxKeys: MAX_RECIPIENTS,
  });
  return {
    count: ({ email, caller }, { orderLimits }) => {
      const address = byAddress.hit(addressKey(caller.clientAddress), orderLimits.addressPerHour);
      if (!address.allowed) refuse("from your network address", address.retryAfterSeconds);
      const recipient = byEmail.hit(toMailbox(email), orderLimits.emailPerHour);
      if (!recipient.allowed) refuse("for this e-mail address", recipient.retryAfterSeconds);
      return mailed.hit(toMailbox(email), orderLimits.mailedPerDay).allowed;
    },
  };
}

function unitsOf(lines: readonly Pick<OrderLine, "stockMode" | "quantity">[]): number {
  return lines.reduce((sum, { stockMode, quantity }) => sum + (stockMode === "tracked" ? quantity : 0), 0);
}

/** Throws `too_many_pending` when more units than may wait for payment from one network address, with these. */
export async function assertFewHeld(
  tx: ReadTx,
  order: Pick<OrderRecord, "userId" | "openAddress" | "lines">,
  { orderLimits }: SiteSettings,
): Promise<void> {
  const { userId, openAddress = "", lines } = order;
  const most = userId === undefined ? orderLimits.guestUnits : orderLimits.userUnits;
  let held = unitsOf(lines);
  if (held === 0 || most >= NO_LIMIT) return;
  let cursor: string | undefined;
  do {
    const options = { prefix: [openAddress], limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await tx.list(orders, "byOpenAddress", options);
    for (const { lines: others } of page.items) held += unitsOf(others);
    cursor = page.nextCursor;
  } while (cursor !== undefined && held <= most);
  if (held <= most) return;
  throw new AppError(
    "too_many_pending",
    `At most ${most} units may wait for payment from your network address; pay, order fewer, or wait until an order expires`,
    { retryAfterSeconds: 60 },
  );
}

/**
 * How many orders one may place, whatever becomes of them: by network address and e-mail address in an hour, how
 * many of them are mailed to somebody who never paid, and how many units may wait for payment from one address.
 */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Caller } from "../users/caller.ts";
import type { ShopDeps } from "../deps.ts";
import { toMailbox } from "../orders/customer-limit.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { orders } from "../records.ts";
import { type SiteSettings, NO_LIMIT } from "../site/schema.ts";

const HOUR_MS = 3_600_000;
/** Recipients that are remembered for a day. */
const MAX_RECIPIENTS = 50_000;
const PAGE = 100;

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

export type OrderLimits = ReturnType<typeof createOrderLimits>;

/** Makes the limits; they hold over all processes of the shop. */
export function createOrderLimits({ limits }: Pick<ShopDeps, "limits">) {
  const byAddress = limits.create("orders-address", { limit: 0, windowMs: HOUR_MS });
  const byEmail = limits.create("orders-email", { limit: 0, windowMs: HOUR_MS });
  const mailed = limits.create("orders-mailed", {
    limit: 0,
    windowMs: 24 * HOUR_MS,
    maxKeys: MAX_RECIPIENTS,
  });
  return {
    /**
     * Counts an order; says whether its mails are among those that may go to somebody who never paid.
     * @throws AppError `rate_limited` when its address or e-mail address placed too many within an hour
     */
    count: (
      { email, caller }: { readonly email: string; readonly caller: Caller },
      { orderLimits }: SiteSettings,
    ): boolean => {
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

function refuseWaiting(most: number, what: string): never {
  throw new ShopError(
    "too_many_pending",
    `${most} orders ${what} wait for payment; pay or cancel one, or wait until it expires`,
    { retryAfterSeconds: 60 },
  );
}

type Waiting = Pick<OrderRecord, "userId" | "openUser" | "openEmail" | "openAddress" | "lines" | "total">;

/** What waits from one network address is read once, for the number of orders and of their units. */
async function assertFewFromAddress(tx: ReadTx, order: Waiting, site: SiteSettings): Promise<void> {
  const { userId, openAddress = "", lines, total } = order;
  const most = site.maxPending.address;
  const mostUnits = userId === undefined ? site.orderLimits.guestUnits : site.orderLimits.userUnits;
  const what = "from your network address";
  const prefix = [openAddress];
  let units = total === 0 ? 0 : unitsOf(lines);
  if (units === 0 || mostUnits >= NO_LIMIT) {
    if ((await tx.count(orders, "byOpenAddress", { prefix })) >= most) refuseWaiting(most, what);
    return;
  }
  let waiting = 0;
  const walk = { index: "byOpenAddress", range: { prefix }, pageSize: Math.min(most, PAGE) } as const;
  for await (const page of pagesOf(tx, orders, walk)) {
    waiting += page.length;
    for (const { lines: others } of page) units += unitsOf(others);
    if (waiting >= most || units > mostUnits) break;
  }
  if (waiting >= most) refuseWaiting(most, what);
  if (units <= mostUnits) return;
  throw new ShopError(
    "too_many_pending",
    `At most ${mostUnits} units may wait for payment ${what}; pay, order fewer, or wait until an order expires`,
    { retryAfterSeconds: 60 },
  );
}

/** Throws `too_many_pending` when too many orders wait for payment, or units of them, with this one. */
export async function assertFewPending(tx: ReadTx, order: Waiting, site: SiteSettings): Promise<void> {
  const { openUser, openEmail } = order;
  const { maxPending } = site;
  const limits = [
    { index: "byOpenUser", key: openUser, most: maxPending.user, what: "of yours" },
    { index: "byOpenEmail", key: openEmail, most: maxPending.email, what: "for this e-mail address" },
  ] as const;
  for (const { index, key, most, what } of limits) {
    if (key !== undefined && (await tx.count(orders, index, { prefix: [key] })) >= most)
      refuseWaiting(most, what);
  }
  await assertFewFromAddress(tx, order, site);
}

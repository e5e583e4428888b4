/**
 * Limits of orders, whatever becomes of them: per network address and email address in an hour, emails to customers
 * who have never paid, and units that wait for payment from one address.
 */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../base/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Caller } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toMailbox, toMailboxRanges } from "../base/mailbox.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { orders } from "../orders/records.ts";
import { type SiteSettings, NO_LIMIT } from "../site/schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Recipients that are remembered for a day. */
const MAX_RECIPIENTS = 50_000;
const PAGE = 100;

function refuse(what: string, retryAfterSeconds: number): never {
  throw new AppError("rate_limited", `Too many orders ${what} within an hour. Try again later`, {
    retryAfterSeconds,
  });
}

/** Whether a customer with this address has paid one of their newest 100 orders. */
async function hasPaidOnce(tx: ReadTx, emailLower: string): Promise<boolean> {
  const { items } = await tx.list(orders, "byEmail", { prefix: [emailLower], limit: PAGE, reverse: true });
  return items.some(({ amountPaid }) => amountPaid > 0);
}

/** Whose orders are emailed before they are paid: everyone's, those of customers who have paid before, or no one's. */
export type MailShare = "all" | "known" | "none";

type Named = Pick<OrderRecord, "emailLower">;

/** Orders of a mailbox in the last day that were mailed, and placed before `beforeMs`. */
async function countMailed(
  tx: ReadTx,
  { emailLower }: Named,
  { nowMs, beforeMs }: { nowMs: number; beforeMs: number },
): Promise<number> {
  const mailbox = toMailbox(emailLower);
  const [own, withPlus] = toMailboxRanges(mailbox);
  // From the first "ann+…" to the last "ann@…", with what lies between: one look tells that a mailbox is new, as most are.
  const all = { from: withPlus.from, to: [mailbox, beforeMs], limit: 1 };
  if ((await tx.list(orders, "byEmail", all)).items.length === 0) return 0;
  const ranges = [{ ...own, from: [nowMs - DAY_MS], to: [beforeMs] }, withPlus];
  let count = 0;
  for (const range of ranges) {
    const { items } = await tx.list(orders, "byEmail", { ...range, limit: PAGE, reverse: true });
    for (const order of items) {
      const isOfDay = order.createdAt >= nowMs - DAY_MS && order.createdAt < beforeMs;
      if (isOfDay && order.isQuiet !== true && toMailbox(order.emailLower) === mailbox) count += 1;
    }
  }
  return count;
}

export type OrderLimits = ReturnType<typeof createOrderLimits>;

/**
 * Creates the limits; they hold over all processes of the shop. Anyone may enter a guest's mailbox: whatever others
 * order in its name, each network address has one order an hour for it, which sends no email before it is paid.
 */
export function createOrderLimits({ limits, clock }: Pick<ShopDeps, "limits" | "clock">) {
  const hour = { limit: 0, windowMs: HOUR_MS };
  const byAddress = limits.create("orders-address", hour);
  const byEmail = limits.create("orders-email", { ...hour, maxKeys: MAX_RECIPIENTS });
  const byPair = limits.create("orders-pair", { ...hour, maxKeys: MAX_RECIPIENTS });
  const mailed = limits.create("orders-mailed", { limit: 0, windowMs: DAY_MS, maxKeys: MAX_RECIPIENTS });
  const startMs = clock.now();

  return {
    /**
     * Counts an order, and says to whom its mails may go.
     * @throws AppError `rate_limited` when its address, mailbox or user placed too many within an hour
     */
    count: (
      { email, caller }: { readonly email: string; readonly caller: Caller },
      { orderLimits }: SiteSettings,
    ): MailShare => {
      const from = addressKey(caller.clientAddress);
      const address = byAddress.hit(from, orderLimits.addressPerHour);
      if (!address.allowed) refuse("from your IP address", address.retryAfterSeconds);
      const mailbox = toMailbox(email);
      // Signed-in users are counted by account: others may enter the same mailbox.
      const customer = caller.user === undefined ? mailbox : `user ${caller.user.id}`;
      const own = byEmail.hit(customer, orderLimits.emailPerHour);
      const isFirst = caller.user === undefined && byPair.hit(`${mailbox} ${from}`, 1).allowed;
      if (!own.allowed && !isFirst) refuse("for this email address", own.retryAfterSeconds);
      if (!own.allowed) return "none";
      return mailed.hit(mailbox, orderLimits.mailedPerDay).allowed ? "all" : "known";
    },
    /** Whether mails about an order may go out before it is paid; what was counted before this process began is read from the orders. */
    mayMail: async (
      tx: ReadTx,
      { mails, order, site }: { mails: MailShare; order: Named; site: SiteSettings },
    ): Promise<boolean> => {
      if (mails === "none") return false;
      const nowMs = clock.now();
      const isYoung = mails === "all" && nowMs - startMs < DAY_MS;
      const before = isYoung ? await countMailed(tx, order, { nowMs, beforeMs: startMs }) : 0;
      const isLeft = mails === "all" && before < site.orderLimits.mailedPerDay;
      return isLeft || hasPaidOnce(tx, order.emailLower);
    },
  };
}

function unitsOf(lines: readonly Pick<OrderLine, "stockMode" | "quantity">[]): number {
  return lines.reduce((sum, { stockMode, quantity }) => sum + (stockMode === "tracked" ? quantity : 0), 0);
}

type Waiting = Pick<
  OrderRecord,
  "userId" | "openUser" | "openEmail" | "openAddress" | "lines" | "total" | "createdAt"
>;

/** Orders that wait with one that is placed. */
interface WaitingWith {
  readonly index: "byOpenUser" | "byOpenEmail" | "byOpenAddress";
  readonly key: string;
}

/** Refuses it until the first of those that wait expires. */
async function refuseWaiting(
  tx: ReadTx,
  { createdAt }: Waiting,
  { index, key, message }: WaitingWith & { readonly message: string },
): Promise<never> {
  const { items } = await tx.list(orders, index, { prefix: [key], limit: PAGE });
  const seconds = items.map(({ expiresAt }) => Math.ceil((expiresAt - createdAt) / 1_000));
  // Without any the order itself is too large, and waiting does not help.
  const retryAfterSeconds = items.length === 0 ? undefined : Math.max(1, Math.min(...seconds));
  throw new ShopError("too_many_pending", message, { retryAfterSeconds });
}

function toMessage(most: number, what: string): string {
  return `${most} orders ${what} are waiting for payment. Pay or cancel one, or wait until it expires`;
}

/** The number of orders that wait from one network address, and of their units. Most addresses have none. */
async function assertFewFromAddress(tx: ReadTx, order: Waiting, site: SiteSettings): Promise<void> {
  const { userId, openAddress = "", lines, total } = order;
  const most = site.maxPending.address;
  const mostUnits = userId === undefined ? site.orderLimits.guestUnits : site.orderLimits.userUnits;
  const what = "from your IP address";
  const prefix = [openAddress];
  const waiting = await tx.count(orders, "byOpenAddress", { prefix });
  const others = { index: "byOpenAddress", key: openAddress } as const;
  if (waiting >= most) await refuseWaiting(tx, order, { ...others, message: toMessage(most, what) });
  let units = total === 0 ? 0 : unitsOf(lines);
  if (units === 0 || mostUnits >= NO_LIMIT) return;
  const walk = { index: "byOpenAddress", range: { prefix }, pageSize: Math.min(most, PAGE) } as const;
  if (waiting > 0)
    for await (const page of pagesOf(tx, orders, walk)) {
      for (const other of page) units += unitsOf(other.lines);
      if (units > mostUnits) break;
    }
  if (units <= mostUnits) return;
  const message = `Unpaid orders ${what} can have up to ${mostUnits} units. Pay, order fewer units, or wait until an order expires`;
  await refuseWaiting(tx, order, { ...others, message });
}

/**
 * Anyone can enter a mailbox as a guest: unpaid orders of others for it must not block buyers without unpaid orders
 * from this network address.
 */
async function assertFewForMailbox(tx: ReadTx, order: Waiting, most: number): Promise<void> {
  const { openEmail = "", openAddress } = order;
  if ((await tx.count(orders, "byOpenEmail", { prefix: [openEmail] })) < most) return;
  const walk = { index: "byOpenEmail", range: { prefix: [openEmail] }, pageSize: PAGE } as const;
  for await (const page of pagesOf(tx, orders, walk))
    if (page.some((other) => other.openAddress === openAddress))
      await refuseWaiting(tx, order, {
        index: "byOpenEmail",
        key: openEmail,
        message: toMessage(most, "for this email address"),
      });
}

/** Throws `too_many_pending` when too many orders wait for payment, or units of them, with this one. */
export async function assertFewPending(tx: ReadTx, order: Waiting, site: SiteSettings): Promise<void> {
  const { openUser, openEmail } = order;
  const { maxPending } = site;
  if (openUser !== undefined) {
    const count = await tx.count(orders, "byOpenUser", { prefix: [openUser] });
    if (count >= maxPending.user)
      await refuseWaiting(tx, order, {
        index: "byOpenUser",
        key: openUser,
        message: toMessage(maxPending.user, "of yours"),
      });
  }
  if (openEmail !== undefined) await assertFewForMailbox(tx, order, maxPending.email);
  await assertFewFromAddress(tx, order, site);
}

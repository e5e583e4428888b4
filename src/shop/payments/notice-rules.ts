/** The effect of a notification on its order: the one place where payments change an order. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { toDecimal } from "../base/money.ts";
import { exceedsCustomerLimit } from "../customers/customer-limit.ts";
import { bookBalance, settleEdited } from "../orders/balance.ts";
import { findRetaken, takeAgain } from "../orders/card-payments.ts";
import { type OrderDeps, commitMove, settle, wakePayments } from "../orders/effects.ts";
import { type MoneyMove, amountDueOf, bookMoney, reviewMoney, withHistory } from "../orders/order.ts";
import type { Books } from "../orders/payment-status.ts";
import type { Attention, OrderRecord } from "../orders/schema.ts";
import { orders } from "../orders/records.ts";
import { readSite } from "../site/settings.ts";
import { listLedger, sumLedger } from "./ledger.ts";
import type { NoticeRecord, NoticeState } from "./schema.ts";
import { settleUnclear } from "./unclear-refunds.ts";

const HOUR_MS = 3_600_000;

/** A notice before it is stored, or one that is looked at again. */
export type NoticeFacts = Pick<
  NoticeRecord,
  "id" | "provider" | "providerRef" | "type" | "amount" | "currency" | "verified" | "receivedAt" | "parts"
>;

export interface Verdict {
  readonly state: NoticeState;
  /** For the administrator. */
  readonly reason: string;
}

interface Case {
  readonly tx: Tx;
  readonly deps: OrderDeps;
  readonly order: OrderRecord;
  readonly notice: NoticeFacts;
  /** The ledger without this notification. */
  readonly before: Books;
  /** An administrator decided: the time limit of late payments does not count. */
  readonly isForced: boolean;
  /** Money that a refund or dispute had taken comes back under the same reference, such as a dispute that was won. */
  readonly isReturned: boolean;
  /** The actor of the move, and its time. */
  readonly by: { readonly by: string; readonly atMs: number };
}

/** "19.99 EUR": for administrators, whatever the language of the order. */
function toMoney({ amount, currency }: NoticeFacts): string {
  return `${toDecimal(amount, currency)} ${currency}`;
}

/** Leaves the money aside for a person to decide, and says so on the order. */
async function review(context: Case, reason: string, ...flags: readonly Attention[]): Promise<Verdict> {
  const { tx, deps, order, notice, by } = context;
  const about = `Notice ${notice.id}, ${toMoney(notice)}.`;
  await commitMove(tx, deps, reviewMoney(order, { ...by, type: notice.type, note: reason, about, flags }));
  return { state: "needs_review", reason };
}

function toMove({ notice, by }: Case, type: MoneyMove["type"], books: Books): MoneyMove {
  const money = toMoney(notice);
  const isUnproved = notice.verified === "none";
  const { parts, providerRef } = notice;
  return { type, money, books, isUnproved, parts, note: `${providerRef}: ${money}`, ...by };
}

/** Tries to make the order paid; what it lacks, if anything, becomes the verdict. */
async function payInFull(context: Case, books: Books, order: OrderRecord = context.order): Promise<Verdict> {
  const { tx, deps, by, isForced } = context;
  try {
    await settle(tx, deps, { order: bookMoney(order, toMove(context, "payment", books)).order, ...by });
  } catch (error) {
    if (isForced || !(error instanceof AppError) || error.code !== "out_of_stock") throw error;
    const reason = "The payment arrived after the order expired, and there is not enough stock left";
    return review(context, reason, "late_payment", "stock_shortfall");
  }
  const isMore = books.received - books.refunded > order.total;
  return { state: "applied", reason: isMore ? "Overpaid: more was paid than the order's total" : "" };
}

/** A payment for an order that waits for it. Unpaid orders of a guest's mailbox from elsewhere did not count when it was placed. */
async function payInTime(context: Case, books: Books): Promise<Verdict> {
  const { tx, order, isForced } = context;
  if (order.isLimited === true && !isForced && (await exceedsCustomerLimit(tx, order)))
    return review(context, "The customer already has the maximum quantity of a product");
  return payInFull(context, books);
}

/** A late payment of an order whose gift cards can pay their part again. */
async function payWithCardsAgain(context: Case, books: Books, retaken: OrderRecord): Promise<Verdict> {
  const { tx, order, by } = context;
  const again = retaken.amountPaid - order.amountPaid;
  const verdict = await payInFull(context, { ...books, received: books.received + again }, retaken);
  if (verdict.state === "applied") await takeAgain(tx, order, by.atMs);
  return verdict;
}

/** A payment for an order that has expired. */
async function payLate(context: Case, books: Books): Promise<Verdict> {
  const { tx, order, isForced, by } = context;
  const net = books.received - books.refunded;
  const retaken = net < order.total ? await findRetaken(tx, order) : undefined;
  const again = retaken === undefined ? 0 : retaken.amountPaid - order.amountPaid;
  const isEnough = net + again >= order.total;
  const { latePaymentHours } = await readSite(tx);
  if (!isForced && by.atMs > order.expiresAt + latePaymentHours * HOUR_MS)
    return review(context, "The payment arrived too late", "late_payment");
  if (!isEnough)
    return review(
      context,
      "The payment arrived late and is less than the amount due",
      "late_payment",
      "underpaid",
    );
  if (!isForced && (await exceedsCustomerLimit(tx, order)))
    return review(
      context,
      "The payment arrived late, and the customer already has the maximum quantity of a product",
      "late_payment",
    );
  return retaken === undefined ? payInFull(context, books) : payWithCardsAgain(context, books, retaken);
}

/** A payment of what an edit made a paid order more expensive by. */
async function payBalance(context: Case, books: Books): Promise<Verdict> {
  const { tx, deps, order, notice, by } = context;
  const booked = bookBalance(order, toMove(context, "payment", books), notice.amount);
  if (booked.balanceDue !== undefined) {
    await commitMove(tx, deps, { order: booked, effects: [] });
    return { state: "applied", reason: "Underpaid: the payment is less than the balance due" };
  }
  await wakePayments(tx, booked);
  await settleEdited(tx, deps, { order: booked, isPaid: true, ...by });
  const isMore = notice.amount > (order.balanceDue ?? 0);
  return { state: "applied", reason: isMore ? "Overpaid: more was paid than the balance due" : "" };
}

async function applyPayment(context: Case): Promise<Verdict> {
  const { tx, deps, order, notice, before } = context;
  if (notice.amount === 0) return { state: "noted", reason: "The amount is zero" };
  const books = { ...before, received: before.received + notice.amount };
  const isEnough = books.received - books.refunded >= order.total;
  switch (order.status) {
    case "pending_payment":
      if (isEnough) return payInTime(context, books);
      await commitMove(tx, deps, bookMoney(order, toMove(context, "payment", books)));
      return { state: "applied", reason: "Underpaid: the payment is less than the amount due" };
    case "expired":
      return payLate(context, books);
    case "canceled":
      return review(context, "The order was canceled before the payment arrived", "paid_after_cancel");
    case "paid":
    case "fulfilling":
    case "delivered":
    case "completed":
      if (!context.isReturned && amountDueOf(order) > 0) return payBalance(context, books);
      if (!context.isReturned) return review(context, "The order was already paid", "duplicate_payment");
      await commitMove(tx, deps, bookMoney(order, toMove(context, "payment", books)));
      return { state: "applied", reason: "A refunded or charged-back amount was returned" };
  }
}

async function applyReturn(context: Case, type: "refund" | "chargeback"): Promise<Verdict> {
  const { tx, deps, order, notice, before } = context;
  if (notice.amount === 0) return { state: "noted", reason: "The amount is zero" };
  if (notice.amount > before.received - before.refunded) {
    const flags = type === "chargeback" ? (["chargeback"] as const) : [];
    return review(context, "The refunds exceed the payments received", ...flags);
  }
  const books = { ...before, refunded: before.refunded + notice.amount };
  const settled =
    type === "refund" ? await settleUnclear(tx, order, { ...notice, atMs: context.by.atMs }) : order;
  await commitMove(tx, deps, bookMoney(settled, toMove(context, type, books)));
  return { state: "applied", reason: "" };
}

/**
 * Whether a notice is of another provider than the order's, so that the weakest secret does not pay for all;
 * what goes back may be of any provider whose money an administrator has assigned to the order.
 */
function isOfOtherMethod({ order, notice }: Case, ledger: readonly NoticeRecord[]): boolean {
  if (notice.provider === "manual" || notice.provider === order.paymentMethod) return false;
  if (notice.type === "payment") return true;
  return !ledger.some(
    ({ provider, state, type }) => provider === notice.provider && state === "applied" && type === "payment",
  );
}

/** Whether a payment is what an applied refund or chargeback had taken: same provider, reference and amount. */
function isReturnedMoney(notice: NoticeFacts, ledger: readonly NoticeRecord[]): boolean {
  return ledger.some(
    (known) =>
      known.state === "applied" &&
      (known.type === "refund" || known.type === "chargeback") &&
      known.provider === notice.provider &&
      known.providerRef === notice.providerRef &&
      known.amount === notice.amount,
  );
}

/**
 * Applies a notice to an order, changing order, stock and mails in the running transaction; the caller stores
 * the notice with the verdict.
 * @throws AppError `out_of_stock` only when `isForced`
 */
export async function applyNotice(
  tx: Tx,
  deps: OrderDeps,
  facts: { order: OrderRecord; notice: NoticeFacts; isForced?: boolean; nowMs: number },
): Promise<Verdict> {
  const { order, notice, nowMs, isForced = false } = facts;
  const { type, provider } = notice;
  const by = { by: provider === "manual" ? "admin" : `provider ${provider}`, atMs: nowMs };
  if (type === "pending" || type === "failed") {
    const entry = { at: nowMs, by: by.by, event: `payment_${type}`, note: notice.providerRef };
    await tx.put(orders, withHistory(order, entry));
    return { state: "noted", reason: "" };
  }
  const ledger = (await listLedger(tx, order.id)).filter(({ id }) => id !== notice.id);
  const isReturned = isReturnedMoney(notice, ledger);
  const context: Case = { tx, deps, order, notice, before: sumLedger(ledger), isForced, isReturned, by };
  if (notice.currency !== order.currency) {
    const reason = `The payment is in ${notice.currency}, the order in ${order.currency}`;
    return review(context, reason, "currency_mismatch");
  }
  if (!isForced && isOfOtherMethod(context, ledger)) {
    const reason = `The payment is from the provider "${provider}", but the order uses "${order.paymentMethod}"`;
    return review(context, reason, "other_method");
  }
  return type === "payment" ? applyPayment(context) : applyReturn(context, type);
}

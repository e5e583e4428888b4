/** What a notice does to its order: the one place where money changes an order. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { type LedgerSums, listLedger, sumLedger } from "./ledger.ts";
import { exceedsCustomerLimit } from "../checkout/customer-limit.ts";
import { mailAdmin, mailOrder } from "../mails/mails.ts";
import { toDecimal } from "../money.ts";
import { toPaymentStatus, withHistory } from "../orders/moves.ts";
import type { Attention, NoticeRecord, NoticeState, OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { orders } from "../records.ts";
import { readSite } from "../site/settings.ts";
import { type SettlementDeps, settle, withAttention, withoutAttention } from "./settlement.ts";

const HOUR_MS = 3_600_000;

/** A notice before it is stored, or one that is looked at again. */
export type NoticeFacts = Pick<
  NoticeRecord,
  "id" | "provider" | "providerRef" | "type" | "amount" | "currency" | "verified" | "receivedAt"
>;

export interface Verdict {
  readonly state: NoticeState;
  /** For the administrator. */
  readonly reason: string;
}

interface Case {
  readonly tx: Tx;
  readonly deps: SettlementDeps;
  readonly order: OrderRecord;
  readonly notice: NoticeFacts;
  /** What the ledger says without this notice. */
  readonly before: LedgerSums;
  /** An administrator decided: the time limit of late payments does not count. */
  readonly isForced: boolean;
  readonly nowMs: number;
}

/** "19.99 EUR": for administrators, whatever the language of the order. */
function toMoney({ amount, currency }: Pick<NoticeFacts, "amount" | "currency">): string {
  return `${toDecimal(amount, currency)} ${currency}`;
}

function by({ provider }: NoticeFacts): string {
  return provider === "manual" ? "admin" : `provider ${provider}`;
}

function withSums(order: OrderRecord, { received, refunded }: LedgerSums): OrderRecord {
  return {
    ...order,
    amountPaid: received - refunded,
    amountRefunded: refunded,
    paymentStatus: toPaymentStatus({ total: order.total, received, refunded }),
  };
}

/** Leaves the money aside for a person to decide, and says so on the order. */
async function review(one: Case, reason: string, ...flags: readonly Attention[]): Promise<Verdict> {
  const { tx, deps, order, notice, nowMs } = one;
  const entry = { at: nowMs, by: by(notice), event: `${notice.type}_needs_review`, note: reason };
  const flagged = withAttention(withHistory(order, entry), ...flags);
  await tx.put(orders, flagged);
  await mailAdmin(tx, deps, {
    subject: `a payment notice for order ${order.number} needs a look`,
    lines: [reason, `Notice ${notice.id}, ${toMoney(notice)}.`],
  });
  return { state: "needs_review", reason };
}

/** What an applied notice says of itself in the order's history and flags. */
function withApplied({ order, notice, nowMs }: Case, books: LedgerSums): OrderRecord {
  const note = `${notice.providerRef}: ${toMoney(notice)}`;
  const noted = withHistory(order, { at: nowMs, by: by(notice), event: notice.type, note });
  const summed = withSums(noted, books);
  return notice.verified === "none" ? withAttention(summed, "unverified_notice") : summed;
}

/** Tries to make the order paid; what it lacks, if anything, becomes the verdict. */
async function payInFull(one: Case, books: LedgerSums): Promise<Verdict> {
  const { tx, deps, order, notice, nowMs } = one;
  const net = books.received - books.refunded;
  // "stock_shortfall" of a try before this one; `settle` says it again where keys are missing.
  const solved = ["underpaid", "payment_claim", "late_payment", "stock_shortfall", "other_method"] as const;
  const paid = withoutAttention(withApplied(one, books), ...solved);
  const flagged = net > order.total ? withAttention(paid, "overpaid") : paid;
  try {
    await settle(tx, deps, { order: flagged, note: { by: by(notice), atMs: nowMs } });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "out_of_stock") throw error;
    if (one.isForced) throw error;
    return review(
      one,
      "The payment came after the order had expired, and there is not enough left",
      "late_payment",
      "stock_shortfall",
    );
  }
  return { state: "applied", reason: net > order.total ? "More was paid than was due" : "" };
}

async function isInTime({ tx, order, isForced, nowMs }: Case): Promise<boolean> {
  const { latePaymentHours } = await readSite(tx);
  return isForced || nowMs <= order.expiresAt + latePaymentHours * HOUR_MS;
}

async function applyPayment(one: Case): Promise<Verdict> {
  const { tx, order, notice, before } = one;
  if (notice.amount === 0) return { state: "noted", reason: "Nothing was paid" };
  const books = { ...before, received: before.received + notice.amount };
  const isEnough = books.received - books.refunded >= order.total;
  switch (order.status) {
    case "pending_payment":
      if (isEnough) return payInFull(one, books);
      await tx.put(orders, withAttention(withApplied(one, books), "underpaid"));
      return { state: "applied", reason: "Less was paid than is due" };
    case "expired":
      if (!(await isInTime(one))) return review(one, "The payment came too late", "late_payment");
      if (isEnough && !one.isForced && (await exceedsCustomerLimit(tx, order)))
        return review(one, "The payment came late, and the customer has as many as one may", "late_payment");
      if (isEnough) return payInFull(one, books);
      return review(one, "The payment came late, and less was paid than is due", "late_payment", "underpaid");
    case "canceled":
      return review(one, "The order had been canceled", "paid_after_cancel");
    case "paid":
    case "fulfilling":
    case "delivered":
    case "completed":
      return review(one, "The order had been paid already", "duplicate_payment");
  }
}

async function applyReturn(one: Case): Promise<Verdict> {
  const { tx, deps, order, notice, before } = one;
  const isChargeback = notice.type === "chargeback";
  const flags: Attention[] = isChargeback ? ["chargeback"] : [];
  if (notice.amount === 0) return { state: "noted", reason: "Nothing was given back" };
  if (notice.amount > before.received - before.refunded)
    return review(one, "More was given back than is known to have been paid", ...flags);
  const books = { ...before, refunded: before.refunded + notice.amount };
  const returned = withoutAttention(
    withApplied(one, books),
    ...(isChargeback ? [] : (["overpaid"] as const)),
  );
  const stored = await tx.put(orders, withAttention(returned, ...flags));
  if (isChargeback) {
    await mailAdmin(tx, deps, {
      subject: `chargeback for order ${order.number}`,
      lines: [`${toMoney(notice)} were taken back.`],
    });
  } else {
    await mailOrder(tx, deps, {
      kind: "order_refunded",
      order: stored,
      orderToken: toOrderToken(deps.box, order),
    });
  }
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

/**
 * Applies a notice to an order, changing order, stock and mails in the running transaction; the caller stores
 * the notice with the verdict.
 * @throws AppError `out_of_stock` only when `isForced`
 */
export async function applyNotice(
  tx: Tx,
  deps: SettlementDeps,
  given: { order: OrderRecord; notice: NoticeFacts; isForced?: boolean; nowMs: number },
): Promise<Verdict> {
  const { order, notice, nowMs, isForced = false } = given;
  const entries = (await listLedger(tx, order.id)).filter(({ id }) => id !== notice.id);
  const one: Case = { tx, deps, order, notice, before: sumLedger(entries), isForced, nowMs };
  if (notice.type === "pending" || notice.type === "failed") {
    const event = `payment_${notice.type}`;
    await tx.put(orders, withHistory(order, { at: nowMs, by: by(notice), event, note: notice.providerRef }));
    return { state: "noted", reason: "" };
  }
  if (notice.currency !== order.currency) {
    const reason = `The notice is in ${notice.currency}, the order in ${order.currency}`;
    return review(one, reason, "currency_mismatch");
  }
  if (!isForced && isOfOtherMethod(one, entries)) {
    const reason = `The notice is of "${notice.provider}", the order is to be paid with "${order.paymentMethod}"`;
    return review(one, reason, "other_method");
  }
  return notice.type === "payment" ? applyPayment(one) : applyReturn(one);
}

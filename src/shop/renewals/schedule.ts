/** When a subscription needs what: a pure function of its record, the settings, and the clock. */
import type { RenewalSettings } from "../site/selling-schema.ts";
import { addPeriods } from "../subscriptions/periods.ts";
import type { SubscriptionRecord } from "../subscriptions/schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So long before the end licenses learn of the days of grace, so that none expires between. */
const GRACE_LEAD_MS = HOUR_MS;
/** A service that charges by itself begins at the end of the period, and may need a day. */
const LEAST_AUTOMATIC_GRACE_DAYS = 2;

/**
 * "choose": who pays, after the first order. "announce": compare the prices. "invoice": make the renewal's order.
 * "grace": licenses stay valid after the end. "late": the period is over. "remind"; "lapse": end it, not paid.
 * "close": its open renewal is of no use. "end": a canceled one is over.
 */
export type Step =
  | ("choose" | "announce" | "invoice" | "grace" | "late")
  | ("remind" | "lapse" | "close" | "end");

export interface NextStep {
  readonly step: Step;
  /** Epoch milliseconds; in the past: now. */
  readonly atMs: number;
}

/** The length of the period that the paid one is followed by. */
function toHalfPeriod({ paidUntil, terms, timeZone }: SubscriptionRecord): number {
  return (addPeriods(paidUntil, terms, { periods: 1, timeZone }) - paidUntil) / 2;
}

/** When the order of the next period is made. */
export function toInvoiceAt(subscription: SubscriptionRecord, { leadDays }: RenewalSettings): number {
  return subscription.paidUntil - Math.min(leadDays * DAY_MS, toHalfPeriod(subscription));
}

/** The latest time to mail a changed price. */
export function toAnnounceAt(subscription: SubscriptionRecord, settings: RenewalSettings): number {
  const days = Math.max(settings.priceNoticeDays, settings.leadDays + 1);
  const half = toHalfPeriod(subscription);
  return Math.min(
    subscription.paidUntil - Math.min(days * DAY_MS, half),
    toInvoiceAt(subscription, settings) - HOUR_MS,
  );
}

/** How long licenses stay valid after the paid period, and the buyer may pay. */
export function toGraceEnd({ paidUntil, terms, way }: SubscriptionRecord): number {
  const least = way === "automatic" ? LEAST_AUTOMATIC_GRACE_DAYS : 0;
  return paidUntil + Math.max(terms.graceDays, least) * DAY_MS;
}

/** The next thing to do; undefined where there is none. */
export function findNextStep(
  subscription: SubscriptionRecord,
  settings: RenewalSettings,
): NextStep | undefined {
  const { state, way, open, paidUntil, comparedFor, graceUntil, reminders } = subscription;
  const isOver = state === "ended" || state === "canceled";
  if (isOver && open !== undefined) return { step: "close", atMs: 0 };
  if (state === "ended") return undefined;
  if (way === undefined) return { step: "choose", atMs: 0 };
  if (state === "canceled") return { step: "end", atMs: paidUntil };
  if (open === undefined)
    return comparedFor === paidUntil
      ? { step: "invoice", atMs: toInvoiceAt(subscription, settings) }
      : { step: "announce", atMs: toAnnounceAt(subscription, settings) };
  if (graceUntil === undefined) return { step: "grace", atMs: paidUntil - GRACE_LEAD_MS };
  if (state === "active") return { step: "late", atMs: paidUntil };
  const remindAt = paidUntil + (settings.reminderDays + reminders * settings.reminderEveryDays) * DAY_MS;
  return remindAt < graceUntil ? { step: "remind", atMs: remindAt } : { step: "lapse", atMs: graceUntil };
}

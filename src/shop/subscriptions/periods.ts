/** Periods of a subscription: months and years of the calendar, counted from one anchor. */
import { Temporal } from "temporal-polyfill";
import type { RenewalTerms } from "../products/license-schema.ts";
import type { SubscriptionRecord } from "./schema.ts";

type Length = Pick<RenewalTerms, "every" | "count">;

/**
 * The end of so many periods after an anchor, both epoch milliseconds, at the same time of the day in the zone. The day
 * of the anchor stays: 31 January, 28 February, 31 March. Negative counts go back.
 */
export function addPeriods(
  anchorAt: number,
  { every, count }: Length,
  { periods, timeZone }: { readonly periods: number; readonly timeZone: string },
): number {
  const months = periods * count * (every === "year" ? 12 : 1);
  return Temporal.Instant.fromEpochMilliseconds(anchorAt).toZonedDateTimeISO(timeZone).add({ months })
    .epochMilliseconds;
}

/** The end of the paid periods; with `more`, as if so many more were paid. */
export function toPaidUntil(
  { anchorAt, terms, paid, timeZone }: Pick<SubscriptionRecord, "anchorAt" | "terms" | "paid" | "timeZone">,
  more = 0,
): number {
  return addPeriods(anchorAt, terms, { periods: paid + more, timeZone });
}

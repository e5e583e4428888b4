/** The right of withdrawal of an order's lines (Articles 9 and 16 of Directive 2011/83/EU). */
import { findPeriodEnd } from "./periods.ts";
import type { EuSite } from "./schema.ts";

const DAY_MS = 86_400_000;

/** "waived": the buyer agreed to get digital content at once; "excluded": the law gives no such right for it. */
export const withdrawalStates = ["open", "waived", "excluded"] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

/** The part of a line that decides about the right. */
export interface WithdrawableLine {
  readonly deliveryType: string;
  readonly withdrawal?: WithdrawalState | undefined;
  readonly deliveredAt?: number | undefined;
}

/** Delivered automatically once paid, so before any period ends. */
const digital: ReadonlySet<string> = new Set(["auto_secret", "shared_secret", "files"]);

/** Whether a line is digital content, for which the right ends with the handing over if the buyer agreed to that. */
export function isDigital({ deliveryType }: Pick<WithdrawableLine, "deliveryType">): boolean {
  return digital.has(deliveryType);
}

/** Whether a line can be withdrawn from, its period aside. Who agreed has the right until the content is there. */
export function isWithdrawable({ withdrawal, deliveredAt }: WithdrawableLine): boolean {
  return withdrawal === "open" || (withdrawal === "waived" && deliveredAt === undefined);
}

/** When the buyer has it: parcels go to a carrier, and travel for some days. */
function findArrival(line: WithdrawableLine, transitDays: number): number | undefined {
  if (line.deliveredAt === undefined) return undefined;
  return line.deliveredAt + (line.deliveryType === "shipping" ? transitDays * DAY_MS : 0);
}

/**
 * When the right of withdrawal of an order ends (epoch milliseconds, exclusive): its period begins when the last of
 * the goods arrived. Undefined while something is still to come, and without any line to withdraw from.
 */
export function findWithdrawalEnd(
  lines: readonly WithdrawableLine[],
  { eu, timeZone }: Pick<EuSite, "eu" | "timeZone">,
): number | undefined {
  let latestMs = 0;
  for (const line of lines.filter(isWithdrawable)) {
    const arrivedMs = findArrival(line, eu.transitDays);
    if (arrivedMs === undefined) return undefined;
    latestMs = Math.max(latestMs, arrivedMs);
  }
  const { withdrawalDays, publicHolidays } = eu;
  return latestMs === 0 ? undefined : findPeriodEnd(latestMs, withdrawalDays, { timeZone, publicHolidays });
}

/** Whether an order can be withdrawn from now, and until when (epoch milliseconds). */
export interface OpenWithdrawal {
  readonly isOpen: boolean;
  /** Absent while the period has not begun. */
  readonly endsAt?: number | undefined;
}

const closed: ReadonlySet<string> = new Set(["canceled", "expired"]);

/** The state of the right to withdraw from an order; undefined for orders without one. */
export function findOpenWithdrawal(
  { status, lines }: { readonly status: string; readonly lines: readonly WithdrawableLine[] },
  { nowMs, ...site }: Pick<EuSite, "eu" | "timeZone"> & { readonly nowMs: number },
): OpenWithdrawal | undefined {
  if (closed.has(status) || !lines.some(isWithdrawable)) return undefined;
  const endsAt = findWithdrawalEnd(lines, site);
  return { isOpen: endsAt === undefined || nowMs < endsAt, endsAt };
}

/** Calendar months of the reader, as the days between which they lie. */
import { keep } from "../../app/format.ts";
import { toDateText } from "../../ui/forms/local-time.ts";

/** A month. */
export interface Month {
  /** Its first day, "2026-11-01". */
  readonly from: string;
  /** Its last day. */
  readonly to: string;
  readonly label: string;
}

/** The month of a moment and those before it, the newest first. */
export function toMonths(nowMs: number, count: number): readonly Month[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(now.getFullYear(), now.getMonth() - back, 1).getTime();
    const last = new Date(now.getFullYear(), now.getMonth() - back + 1, 0).getTime();
    const label = keep(
      "month",
      (language) => new Intl.DateTimeFormat(language, { month: "long", year: "numeric" }),
    ).format(first);
    return { from: toDateText(first), to: toDateText(last), label };
  });
}

/** The first day of the month that two days are the whole of; undefined for other days. */
export function monthOf(from: string, to: string): string | undefined {
  if (from === "" && to === "") return "";
  const [year = 0, month = 0, day = 0] = from.split("-").map(Number);
  const last = new Date(year, month, 0).getTime();
  return day === 1 && !Number.isNaN(last) && toDateText(last) === to ? from : undefined;
}

/** Statuses of HTTP answers, and what was not read of their bodies. */
import type { Answer } from "../outbound/outbound-exchange.ts";

/** Single ones and spans, such as "200-299, 304". */
export const STATUSES = /^[1-5]\d\d(?:-[1-5]\d\d)?(?:, ?[1-5]\d\d(?:-[1-5]\d\d)?)*$/u;

export function isStatuses(text: string): boolean {
  return text.length <= 100 && STATUSES.test(text);
}

/** Whether a status is in "200-299, 304". */
export function isExpectedStatus(status: number, statuses: string): boolean {
  return statuses.split(",").some((span) => {
    const [from = "", to = from] = span.trim().split("-");
    return Number(from) <= status && status <= Number(to);
  });
}

/** "200 OK". */
export function showStatus({ status, statusText }: Pick<Answer, "status" | "statusText">): string {
  return `${status} ${statusText}`.trim();
}

/** Why a text that was not found may be there all the same; undefined: it is not there. */
export function findDoubt({ unread, isCertain }: Answer, wanted: string): string | undefined {
  if (unread !== undefined) return unread;
  const isAscii = /^[\0-\u007f]*$/u.test(wanted);
  return isCertain || isAscii ? undefined : "The response does not declare the right character encoding";
}

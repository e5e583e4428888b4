/** Whether an HTTP answer is as it was expected. */
import type { Answer } from "../outbound/outbound-exchange.ts";
import type { HttpTarget } from "./kinds/http-settings.ts";
import { findJsonValue, parseJsonPath } from "./json-path.ts";
import type { ProbeFault } from "./probe.ts";

export interface AnswerFault {
  readonly fault: ProbeFault;
  readonly detail: string;
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

const MAX_SHOWN = 40;

function showValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** Texts, numbers, booleans and null as texts; lists and objects, which can be as deep as they like, are none. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? "" : String(value);
}

const isScalar = (value: unknown): boolean =>
  value === null || (typeof value !== "object" && value !== undefined);

type Comparison = (found: unknown, value: string) => boolean;

/** As numbers where both are; dates and versions as texts. */
function compare(found: unknown, value: string): number {
  const [left, right] = [Number(toText(found)), Number(value)];
  if (toText(found) !== "" && value !== "" && !Number.isNaN(left) && !Number.isNaN(right))
    return left - right;
  return toText(found) < value ? -1 : toText(found) > value ? 1 : 0;
}

/** A string is what it says, letter by letter ("1.10" is not 1.1); a number may be written in several ways. */
function isEqual(found: unknown, value: string): boolean {
  if (!isScalar(found)) return false;
  return toText(found) === value || (typeof found === "number" && compare(found, value) === 0);
}

const comparisons: Readonly<Record<HttpTarget["json"]["operator"], Comparison>> = {
  "=": isEqual,
  "!=": (found, value) => !isEqual(found, value),
  "<": (found, value) => isScalar(found) && compare(found, value) < 0,
  "<=": (found, value) => isScalar(found) && compare(found, value) <= 0,
  ">": (found, value) => isScalar(found) && compare(found, value) > 0,
  ">=": (found, value) => isScalar(found) && compare(found, value) >= 0,
  contains: (found, value) =>
    Array.isArray(found)
      ? found.some((one) => isScalar(one) && toText(one) === value)
      : toText(found).includes(value),
  exists: () => true,
  absent: () => false,
};

function findJsonFault(text: string, { path, operator, value }: HttpTarget["json"]): string | undefined {
  const steps = parseJsonPath(path);
  if (steps === undefined) return `"${path}" is not a valid path`;
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return "The response is not JSON";
  }
  const found = findJsonValue(document, steps);
  if (found === undefined) return operator === "absent" ? undefined : `"${path}" is not in the response`;
  if (comparisons[operator](found, value)) return undefined;
  if (operator === "absent") return `"${path}" is in the response: ${showValue(found)}`;
  return `"${path}" is ${showValue(found)}, expected ${operator} ${showValue(value)}`;
}

/** Why a text that was not found may be there all the same; undefined: it is not there. */
function findDoubt({ unread, isCertain }: Answer, wanted: string): string | undefined {
  if (unread !== undefined) return unread;
  const isAscii = /^[\0-\u007f]*$/u.test(wanted);
  return isCertain || isAscii ? undefined : "The response does not declare the right character encoding";
}

const notJudged = (doubt: string, rule: string): AnswerFault => ({
  fault: "not_judged",
  detail: `${doubt}: ${rule}`,
});

function findContentFault(answer: Answer, { contains, excludes, json }: HttpTarget): AnswerFault | undefined {
  const { text, unread } = answer;
  const fault = "content";
  if (excludes !== "" && text.includes(excludes))
    return { fault, detail: "The response contains the forbidden text" };
  const missing = contains !== "" && !text.includes(contains);
  const doubt = missing ? findDoubt(answer, contains) : undefined;
  if (missing && doubt === undefined) return { fault, detail: "The expected text is not in the response" };
  const jsonFault = json.path === "" || unread !== undefined ? undefined : findJsonFault(text, json);
  if (jsonFault !== undefined) return { fault, detail: jsonFault };
  if (doubt !== undefined) return notJudged(doubt, "the expected text is not in the part that was read");
  const excludesDoubt = excludes === "" ? undefined : findDoubt(answer, excludes);
  if (excludesDoubt !== undefined)
    return notJudged(excludesDoubt, "whether it contains the forbidden text is unknown");
  return json.path !== "" && unread !== undefined ? notJudged(unread, "its JSON was not read") : undefined;
}

/** Whether the body says something of the target. */
export function judgesContent({ contains, excludes, json }: HttpTarget): boolean {
  return contains !== "" || excludes !== "" || json.path !== "";
}

/**
 * What is wrong with an answer: its status before its content, its content before its time, and what cannot be said
 * after all that can; undefined for nothing.
 */
export function findAnswerFault(
  answer: Answer,
  { target, latencyMs }: { readonly target: HttpTarget; readonly latencyMs: number },
): AnswerFault | undefined {
  if (!isExpectedStatus(answer.status, target.statuses))
    return { fault: "status", detail: showStatus(answer) };
  if (answer.ending === "broken") return { fault: "protocol", detail: "The response ended too early" };
  const content = findContentFault(answer, target);
  if (content?.fault === "content") return content;
  if (target.maxLatencyMs > 0 && latencyMs > target.maxLatencyMs)
    return { fault: "slow", detail: `${Math.round(latencyMs)} ms, more than ${target.maxLatencyMs} ms` };
  return content;
}

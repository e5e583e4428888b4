/** Whether an HTTP answer is as it was expected. */
import type { z } from "zod";
import type { Answer } from "../outbound/outbound-exchange.ts";
import type { httpParameters } from "./http.ts";
import { findJsonValue, parseJsonPath } from "./json-path.ts";
import type { ProbeFault } from "./probe.ts";

export type HttpTarget = z.infer<z.ZodObject<ReturnType<typeof httpParameters>>>;

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

const comparisons: Readonly<Record<HttpTarget["json"]["operator"], Comparison>> = {
  "=": (found, value) => isScalar(found) && (toText(found) === value || compare(found, value) === 0),
  "!=": (found, value) => !comparisons["="](found, value),
  "<": (found, value) => isScalar(found) && compare(found, value) < 0,
  "<=": (found, value) => isScalar(found) && compare(found, value) <= 0,
  ">": (found, value) => isScalar(found) && compare(found, value) > 0,
  ">=": (found, value) => isScalar(found) && compare(found, value) >= 0,
  contains: (found, value) =>
    Array.isArray(found)
      ? found.some((one) => isScalar(one) && toText(one) === value)
      : toText(found).includes(value),
  exists: (found) => found !== undefined,
};

function findJsonFault(
  { text, ending }: Answer,
  { path, operator, value }: HttpTarget["json"],
): string | undefined {
  const steps = parseJsonPath(path);
  if (steps === undefined) return `"${path}" is no path`;
  if (ending === "long") return "The answer is longer than 64 KiB, too long to be read as JSON";
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return "The answer is no JSON";
  }
  const found = findJsonValue(document, steps);
  if (comparisons[operator](found, value)) return undefined;
  if (operator === "exists") return `"${path}" is not in the answer`;
  return `"${path}" is ${showValue(found)}, expected ${operator} ${showValue(value)}`;
}

function findContentFault(answer: Answer, { contains, excludes, json }: HttpTarget): string | undefined {
  if (contains === "" && excludes === "" && json.path === "") return undefined;
  if (answer.isCompressed) return "The answer is compressed, although that was not asked for";
  if (contains !== "" && !answer.text.includes(contains)) return "The expected text is not in the answer";
  if (excludes !== "" && answer.text.includes(excludes)) return "The answer holds text that it must not";
  return json.path === "" ? undefined : findJsonFault(answer, json);
}

/** What is wrong with an answer: its status before its content, its content before its time; undefined for nothing. */
export function findAnswerFault(
  answer: Answer,
  { target, latencyMs }: { readonly target: HttpTarget; readonly latencyMs: number },
): AnswerFault | undefined {
  if (!isExpectedStatus(answer.status, target.statuses))
    return { fault: "status", detail: showStatus(answer) };
  if (answer.ending === "broken") return { fault: "protocol", detail: "The answer broke off before its end" };
  const content = findContentFault(answer, target);
  if (content !== undefined) return { fault: "content", detail: content };
  if (target.maxLatencyMs > 0 && latencyMs > target.maxLatencyMs)
    return { fault: "slow", detail: `${Math.round(latencyMs)} ms, more than ${target.maxLatencyMs} ms` };
  return undefined;
}

/** Conditions of an HTTP check: each about one thing of the answer, and shown with what was seen of it. */
import { z } from "zod";
import type { Answer } from "../outbound/outbound-exchange.ts";
import { findMatch, findPatternFault, MAX_PATTERN, PatternLimitError } from "../text/patterns.ts";
import { line } from "../text/schemas.ts";
import { daysLeft } from "./certificate.ts";
import { findDoubt, isExpectedStatus, isStatuses, showStatus } from "./http-status.ts";
import { findPathFault, isAsExpected, type JsonDocument, type Judgment, judgeJson } from "./json-rules.ts";
import type { ConditionResult, ProbeFault, SeenCertificate } from "./probe.ts";

export const conditionSubjects = ["status", "body", "header", "json", "time", "certificate"] as const;
export type ConditionSubject = (typeof conditionSubjects)[number];

export const conditionOperators = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "excludes",
  "matches",
  "mismatches",
  "exists",
  "absent",
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

const numeric = ["=", "!=", "<", "<=", ">", ">="] as const;

/** Operators of each subject. */
export const operatorsOf: Readonly<Record<ConditionSubject, readonly ConditionOperator[]>> = {
  status: numeric,
  body: ["contains", "excludes", "matches", "mismatches"],
  header: conditionOperators,
  json: [...numeric, "contains", "exists", "absent"],
  time: ["<", "<="],
  certificate: [">", ">="],
};

/** Subjects that are one of many. */
export const namedSubjects: readonly ConditionSubject[] = ["header", "json"];
/** Operators that compare with nothing. */
export const bareOperators: readonly ConditionOperator[] = ["exists", "absent"];

export interface Condition {
  readonly subject: ConditionSubject;
  readonly name: string;
  readonly operator: ConditionOperator;
  readonly value: string;
}

function findNameFault({ subject, name }: Condition): string | undefined {
  if (subject === "header")
    return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/u.test(name) ? undefined : "must be the name of a header";
  if (subject === "json") return name === "" ? "must be a path such as $.status" : findPathFault(name);
  return name === "" ? undefined : "must be empty: only headers and JSON values have a name";
}

function findNumberFault(value: string, [from, to, unit]: readonly [number, number, string]) {
  const isGood = /^\d{1,6}$/u.test(value) && Number(value) >= from && Number(value) <= to;
  return isGood ? undefined : `must be a whole number of ${unit} from ${from} to ${to}`;
}

function findValueFault({ subject, operator, value }: Condition): string | undefined {
  if (bareOperators.includes(operator)) return undefined;
  if (operator === "matches" || operator === "mismatches")
    return value === "" ? "must be a regular expression" : findPatternFault(value);
  switch (subject) {
    case "status":
      if (operator === "=") return isStatuses(value) ? undefined : 'must be statuses such as "200-299, 304"';
      return findNumberFault(value, [100, 599, "status"]);
    case "time":
      return findNumberFault(value, [1, 60_000, "milliseconds"]);
    case "certificate":
      return findNumberFault(value, [0, 3_650, "days"]);
    case "body":
      return value === "" ? "must be a text" : undefined;
    case "header":
    case "json":
      return undefined;
  }
}

function* listFaults(condition: Condition): Iterable<{ path: string; message: string }> {
  const { subject, operator } = condition;
  if (!operatorsOf[subject].includes(operator))
    yield { path: "operator", message: `must be one of ${operatorsOf[subject].join(", ")} for ${subject}` };
  const nameFault = findNameFault(condition);
  if (nameFault !== undefined) yield { path: "name", message: nameFault };
  const valueFault = findValueFault(condition);
  if (valueFault !== undefined) yield { path: "value", message: valueFault };
}

export const conditionSchema = z
  .strictObject({
    subject: z.enum(conditionSubjects),
    /** The header, or the JSONPath of the value; of the others "". */
    name: line(200).trim().default(""),
    operator: z.enum(conditionOperators),
    value: line(MAX_PATTERN).default(""),
  })
  .superRefine((condition, c) => {
    for (const { path, message } of listFaults(condition))
      c.addIssue({ code: "custom", path: [path], message });
  });

const names: Readonly<Record<ConditionSubject, string>> = {
  status: "Status",
  body: "Body",
  header: "Header",
  json: "JSON",
  time: "Response time",
  certificate: "Certificate",
};
const units: Readonly<Partial<Record<ConditionSubject, string>>> = { time: " ms", certificate: " days" };

/** Such as `JSON $.state = "up"`. */
export function describeCondition({ subject, name, operator, value }: Condition): string {
  const isText = subject === "body" || subject === "header" || subject === "json";
  const shown = bareOperators.includes(operator)
    ? ""
    : ` ${isText ? JSON.stringify(value) : value}${units[subject] ?? ""}`;
  return `${names[subject]}${name === "" ? "" : ` ${name}`} ${operator}${shown}`;
}

/** Values that conditions refer to. */
export interface Seen {
  readonly answer: Answer;
  readonly latencyMs: number;
  readonly certificate: SeenCertificate | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The body as JSON; made when it is first asked for. */
  readonly json: () => JsonDocument | undefined;
}

const MAX_EXCERPT = 60;

/** A found text, cut off. */
function toExcerpt(text: string): string {
  return JSON.stringify(text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT)}…`);
}

/** The bytes of a text in words. */
function showSize(text: string): string {
  return text.length < 1_024 ? `${text.length} characters` : `${Math.round(text.length / 1_024)} KiB`;
}

function judgeBody({ operator, value }: Condition, { answer }: Seen): Judgment {
  const { text } = answer;
  const isPattern = operator === "matches" || operator === "mismatches";
  const found = isPattern ? findMatch(value, text) : text.includes(value) ? value : undefined;
  const isWanted = operator === "contains" || operator === "matches";
  if (found !== undefined) return { isMet: isWanted, seen: toExcerpt(found) };
  const doubt = findDoubt(answer, isPattern ? "\u0080" : value);
  return doubt === undefined
    ? { isMet: !isWanted, seen: `not found in ${showSize(text)}` }
    : { isMet: undefined, seen: doubt };
}

function judgeHeader({ name, operator, value }: Condition, { answer }: Seen): Judgment {
  const found = answer.headers.get(name) ?? undefined;
  if (found === undefined)
    return { isMet: ["absent", "excludes", "mismatches"].includes(operator), seen: "no such header" };
  const seen = /^set-cookie$/iu.test(name) ? "a cookie" : toExcerpt(found);
  if (operator === "matches" || operator === "mismatches")
    return { isMet: (findMatch(value, found) !== undefined) === (operator === "matches"), seen };
  if (operator === "excludes") return { isMet: !found.includes(value), seen };
  return { isMet: isAsExpected(found, { operator, value }), seen };
}

type Comparison = (found: number, value: number) => boolean;

const comparisons: Readonly<Partial<Record<ConditionOperator, Comparison>>> = {
  "=": (found, value) => found === value,
  "!=": (found, value) => found !== value,
  "<": (found, value) => found < value,
  "<=": (found, value) => found <= value,
  ">": (found, value) => found > value,
  ">=": (found, value) => found >= value,
};

function judgeNumber(found: number, { operator, value }: Condition): boolean {
  return comparisons[operator]?.(found, Number(value)) ?? false;
}

function judge(condition: Condition, seen: Seen): Judgment {
  const { subject, operator, value, name } = condition;
  const { answer, latencyMs, certificate, now } = seen;
  switch (subject) {
    case "status":
      return {
        isMet:
          operator === "=" ? isExpectedStatus(answer.status, value) : judgeNumber(answer.status, condition),
        seen: showStatus(answer),
      };
    case "body":
      return judgeBody(condition, seen);
    case "header":
      return judgeHeader(condition, seen);
    case "json":
      if (answer.unread !== undefined) return { isMet: undefined, seen: answer.unread };
      // `as`: the schema takes these operators alone of JSON.
      return judgeJson(seen.json(), { path: name, operator: operator as never, value });
    case "time":
      return { isMet: judgeNumber(latencyMs, condition), seen: `${Math.round(latencyMs)} ms` };
    case "certificate": {
      if (certificate === undefined) return { isMet: false, seen: "no certificate" };
      const days = daysLeft(certificate, now);
      return { isMet: judgeNumber(days, condition), seen: `${days} days left` };
    }
  }
}

/** An expression that takes too long leaves it open. */
function judgeBounded(condition: Condition, seen: Seen): Judgment {
  try {
    return judge(condition, seen);
  } catch (error) {
    if (error instanceof PatternLimitError) return { isMet: undefined, seen: error.message };
    throw error;
  }
}

const faults: Readonly<Record<ConditionSubject, ProbeFault>> = {
  status: "status",
  body: "content",
  header: "content",
  json: "content",
  time: "slow",
  certificate: "certificate_ends",
};

export interface JudgedConditions {
  readonly results: readonly ConditionResult[];
  /** Of the first that is not met, or of the first that cannot be judged where none is. */
  readonly fault: { readonly fault: ProbeFault; readonly detail: string } | undefined;
}

/** Judges every condition. */
export function judgeConditions(conditions: readonly Condition[], seen: Seen): JudgedConditions {
  const judged = conditions.map((condition) => ({
    subject: condition.subject,
    result: { text: describeCondition(condition), ...judgeBounded(condition, seen) },
  }));
  const broken = judged.filter(({ result }) => result.isMet === false);
  const open = judged.filter(({ result }) => result.isMet === undefined);
  // The status says more than what follows from it.
  const first = broken.find(({ subject }) => subject === "status") ?? broken[0] ?? open[0];
  const detail = (broken.length > 0 ? broken : open)
    .map(({ result }) => `${result.text}: ${result.seen}`)
    .join("; ");
  return {
    results: judged.map(({ result }) => result),
    fault: first && {
      fault: broken.length > 0 ? faults[first.subject] : "not_judged",
      detail,
    },
  };
}

/** Whether a condition needs the body. */
export function needsBody({ subject }: Condition): boolean {
  return subject === "body" || subject === "json";
}

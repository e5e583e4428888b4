/** Rules on values in JSON answers: which value is meant, and whether it is as expected. */
import { findJsonValue, parsePlainPath } from "./json-path.ts";
import { findQueryFault, QueryLimitError, queryJson } from "./json-query.ts";

export const jsonOperators = ["=", "!=", "<", "<=", ">", ">=", "contains", "exists", "absent"] as const;
export type JsonOperator = (typeof jsonOperators)[number];

export interface JsonRule {
  readonly path: string;
  readonly operator: JsonOperator;
  readonly value: string;
}

const MAX_SHOWN = 40;

/** A value in a few words. */
export function showValue(value: unknown): string {
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

/** As numbers where both are; dates and versions as texts. */
export function compareValues(found: unknown, value: string): number {
  const [left, right] = [Number(toText(found)), Number(value)];
  if (toText(found) !== "" && value !== "" && !Number.isNaN(left) && !Number.isNaN(right))
    return left - right;
  return toText(found) < value ? -1 : toText(found) > value ? 1 : 0;
}

/** A string is what it says, letter by letter ("1.10" is not 1.1); a number may be written in several ways. */
function isEqual(found: unknown, value: string): boolean {
  if (!isScalar(found)) return false;
  return toText(found) === value || (typeof found === "number" && compareValues(found, value) === 0);
}

type Comparison = (found: unknown, value: string) => boolean;

const comparisons: Readonly<Record<JsonOperator, Comparison>> = {
  "=": isEqual,
  "!=": (found, value) => !isEqual(found, value),
  "<": (found, value) => isScalar(found) && compareValues(found, value) < 0,
  "<=": (found, value) => isScalar(found) && compareValues(found, value) <= 0,
  ">": (found, value) => isScalar(found) && compareValues(found, value) > 0,
  ">=": (found, value) => isScalar(found) && compareValues(found, value) >= 0,
  contains: (found, value) =>
    Array.isArray(found)
      ? found.some((one) => isScalar(one) && toText(one) === value)
      : toText(found).includes(value),
  exists: () => true,
  absent: () => false,
};

/** Whether a value is as expected. */
export function isAsExpected(found: unknown, { operator, value }: Omit<JsonRule, "path">): boolean {
  return comparisons[operator](found, value);
}

/** Error of a path, or undefined. */
export function findPathFault(path: string): string | undefined {
  if (parsePlainPath(path) !== undefined) return undefined;
  const fault = path.startsWith("$") ? findQueryFault(path) : "does not begin with $";
  return fault && `must be a path such as status, list[0].name or $..name (${fault})`;
}

/** Every value at a path. @throws QueryLimitError; an error for a path that is none */
function findValues(document: unknown, path: string): readonly unknown[] {
  const steps = parsePlainPath(path);
  if (steps === undefined) return queryJson(path, document);
  const found = findJsonValue(document, steps);
  return found === undefined ? [] : [found];
}

/** Result of a rule. `isMet` undefined: it could not be evaluated. */
export interface Judgment {
  readonly isMet: boolean | undefined;
  /** In a few words. */
  readonly seen: string;
}

/** A document that was parsed, or undefined for a text that is no JSON. */
export interface JsonDocument {
  readonly value: unknown;
}

export function parseJson(text: string): JsonDocument | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Of several values each must be as expected. */
export function judgeJson(document: JsonDocument | undefined, rule: JsonRule): Judgment {
  if (document === undefined) return { isMet: false, seen: "the response is not JSON" };
  let found: readonly unknown[];
  try {
    found = findValues(document.value, rule.path);
  } catch (error) {
    if (error instanceof QueryLimitError) return { isMet: undefined, seen: error.message };
    return { isMet: false, seen: "the path is not valid" };
  }
  if (found.length === 0) return { isMet: rule.operator === "absent", seen: "not in the response" };
  const others = found.filter((value) => !isAsExpected(value, rule));
  const [first] = others.length === 0 ? found : others;
  const more = found.length === 1 ? "" : ` (${others.length || found.length} of ${found.length} values)`;
  return { isMet: others.length === 0, seen: `${showValue(first)}${more}` };
}

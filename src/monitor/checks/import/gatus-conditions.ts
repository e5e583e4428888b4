/** Gatus' conditions ("[STATUS] == 200", "[BODY].state == UP") as fields of a check. */
import { conditionSchema } from "../../../kit/probes/conditions.ts";
import { parseJsonPath } from "../../../kit/probes/json-path.ts";
import type { EntryDraft } from "./entry.ts";
import { toSeconds } from "./gatus-values.ts";

/** As many as a check holds. */
const MAX_CONDITIONS = 20;

interface Condition {
  readonly left: string;
  readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly right: string;
}

/** The parts of a condition; undefined when it is none. */
function parseCondition(text: string): Condition | undefined {
  const [, left = "", operator = "", right = ""] = /^([^=!<>]+)(==|!=|<=|>=|<|>)(.*)$/su.exec(text) ?? [];
  if (left === "") return undefined;
  // `as`: what the expression takes.
  return { left: left.trim(), operator: operator as Condition["operator"], right: right.trim() };
}

/** The values of "any(a, b)", or the single value. */
function toChoices(right: string): readonly string[] {
  const inside = /^any\((.*)\)$/su.exec(right)?.[1];
  return inside === undefined ? [right] : inside.split(",").map((one) => one.trim());
}

/** The text within "pat(*text*)"; undefined when there is a star in its midst. */
function findFragment(right: string): string | undefined {
  const inside = /^pat\((.*)\)$/su.exec(right)?.[1];
  const parts = (inside ?? "").split("*").filter((part) => part !== "");
  return parts.length === 1 ? parts[0] : undefined;
}

/** "pat(a*b)" as a regular expression of the whole text; undefined for what is no pattern. */
function findPattern(right: string): string | undefined {
  const inside = /^pat\((.*)\)$/su.exec(right)?.[1];
  const escape = (part: string): string => part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&");
  return inside === undefined ? undefined : `(?s)^${inside.split("*").map(escape).join(".*")}$`;
}

const isHeld: Readonly<Record<Condition["operator"], (status: number, value: number) => boolean>> = {
  "==": (status, value) => status === value,
  "!=": (status, value) => status !== value,
  "<": (status, value) => status < value,
  "<=": (status, value) => status <= value,
  ">": (status, value) => status > value,
  ">=": (status, value) => status >= value,
};

const ALL_STATUSES = Array.from({ length: 500 }, (_, index) => index + 100);

/** "200-299, 304". */
function toSpans(statuses: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const status of statuses) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === status - 1) last[1] = status;
    else spans.push([status, status]);
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(", ");
}

/** Collects the fields of an HTTP target, or of another one, that conditions come to. */
export class ConditionReader {
  readonly target: Record<string, unknown>;
  readonly #draft: EntryDraft;
  readonly #records: string[] = [];
  readonly #conditions: Readonly<Record<string, unknown>>[] = [];
  #statuses: readonly number[] = ALL_STATUSES;
  /** Of a condition on the domain, which becomes a check of its own. */
  domainDays: number | undefined;

  constructor(draft: EntryDraft, target: Record<string, unknown>) {
    this.#draft = draft;
    this.target = target;
  }

  /** Reads one condition, or notes that it is left out. */
  read(text: string): void {
    const condition = parseCondition(text);
    if (condition === undefined || !this.#take(condition)) this.#draft.note("no_condition", text);
  }

  finish(): Record<string, unknown> {
    if (this.target["kind"] !== "http") return this.target;
    const statuses = toSpans(this.#statuses);
    const fits = statuses !== "" && statuses.length <= 100;
    if (!fits) this.#draft.note("other_statuses");
    return { ...this.target, statuses: fits ? statuses : "100-599" };
  }

  #take(condition: Condition): boolean {
    const left = condition.left.toUpperCase();
    const isHttp = this.target["kind"] === "http";
    if (left === "[STATUS]") return isHttp && this.#takeStatus(condition);
    if (left === "[CONNECTED]") return this.#takeConnected(condition);
    if (left === "[RESPONSE_TIME]") return isHttp && this.#takeTime(condition);
    if (left === "[CERTIFICATE_EXPIRATION]") return this.#takeCertificate(condition);
    if (left === "[DOMAIN_EXPIRATION]") return this.#takeDomain(condition);
    if (left === "[DNS_RCODE]") return condition.operator === "==" && condition.right === "NOERROR";
    if (left === "[BODY]") return this.#takeBody(condition);
    return isHttp && this.#takeJson(condition);
  }

  #takeStatus({ operator, right }: Condition): boolean {
    const values = toChoices(right).map(Number);
    if (values.some((value) => !Number.isInteger(value))) return false;
    if (values.length > 1 && operator !== "==") return false;
    const before = this.#statuses;
    this.#statuses = before.filter((status) => values.some((value) => isHeld[operator](status, value)));
    return true;
  }

  #takeConnected({ operator, right }: Condition): boolean {
    if (operator !== "==" || !["true", "false"].includes(right)) return false;
    if (right === "false") this.#draft.fields["inverted"] = true;
    return true;
  }

  #takeTime({ operator, right }: Condition): boolean {
    // A duration, or milliseconds.
    const ms = /^\d+$/u.test(right) ? Number(right) : (toSeconds(right) ?? Number.NaN) * 1_000;
    if (!operator.startsWith("<") || !(ms > 0) || ms > 60_000) return false;
    this.target["maxLatencyMs"] = Math.ceil(ms);
    return true;
  }

  #takeCertificate({ operator, right }: Condition): boolean {
    const kind = this.target["kind"];
    const days = Math.ceil((toSeconds(right) ?? Number.NaN) / 86_400);
    if (!operator.startsWith(">") || !(days >= 0) || days > 365 || (kind !== "http" && kind !== "tls"))
      return false;
    this.target["certificateDays"] = days;
    return true;
  }

  #takeDomain({ operator, right }: Condition): boolean {
    const days = Math.ceil((toSeconds(right) ?? Number.NaN) / 86_400);
    if (!operator.startsWith(">") || !(days >= 0)) return false;
    this.domainDays = days;
    return true;
  }

  /** A condition of its own, where no field is left. */
  #addCondition(condition: Readonly<Record<string, unknown>>): boolean {
    if (this.#conditions.length === MAX_CONDITIONS || !conditionSchema.safeParse(condition).success)
      return false;
    this.#conditions.push(condition);
    this.target["conditions"] = this.#conditions;
    return true;
  }

  /** The first text of each sort has a field; of a name, every record that is named. */
  #takeBody({ operator, right }: Condition): boolean {
    if (this.target["kind"] === "dns") return this.#takeRecord({ operator, right });
    if (this.target["kind"] !== "http") return false;
    const field = operator === "==" ? "contains" : operator === "!=" ? "excludes" : undefined;
    if (field === undefined || right.startsWith("any(")) return false;
    const fragment = findFragment(right);
    const pattern = fragment === undefined ? findPattern(right) : undefined;
    if (pattern !== undefined) {
      const sign = field === "contains" ? "matches" : "mismatches";
      return this.#addCondition({ subject: "body", operator: sign, value: pattern });
    }
    if (fragment === undefined && field === "excludes") return false;
    if (fragment === undefined) this.#draft.note("text_anywhere");
    const value = fragment ?? right;
    if (this.target[field] !== undefined)
      return this.#addCondition({ subject: "body", operator: field, value });
    this.target[field] = value;
    return true;
  }

  #takeRecord({ operator, right }: Pick<Condition, "operator" | "right">): boolean {
    if (operator !== "==" || /^(?:any|pat)\(/u.test(right)) return false;
    this.#records.push(right);
    this.target["expected"] = this.#records;
    return true;
  }

  /** "[BODY].data[0].state == UP", and "has([BODY].errors) == true". */
  #takeJson({ left, operator, right }: Condition): boolean {
    const has = /^has\(\[BODY\](.+)\)$/iu.exec(left)?.[1];
    const path = (has ?? /^\[BODY\](.+)$/iu.exec(left)?.[1] ?? "").replace(/^\./u, "");
    if (path === "" || parseJsonPath(path) === undefined) return false;
    if (has !== undefined) {
      if (operator !== "==" || !["true", "false"].includes(right)) return false;
      return this.#addJson({ path, operator: right === "true" ? "exists" : "absent", value: "" });
    }
    const fragment = findFragment(right);
    if (right.startsWith("any(") || (fragment === undefined && right.startsWith("pat("))) return false;
    if (fragment !== undefined && operator !== "==") return false;
    const sign = fragment !== undefined ? "contains" : operator === "==" ? "=" : operator;
    return this.#addJson({ path, operator: sign, value: fragment ?? right });
  }

  #addJson(rule: { readonly path: string; readonly operator: string; readonly value: string }): boolean {
    const { path: name, operator, value } = rule;
    if (this.target["json"] !== undefined)
      return this.#addCondition({ subject: "json", name, operator, value });
    this.target["json"] = rule;
    return true;
  }
}

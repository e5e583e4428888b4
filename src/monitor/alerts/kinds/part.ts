/** Rules about one part of a server, or any whose name fits: a container must run, no mount may fill up. */
import { z } from "zod";
import { type NameFilter, listExactNames, parseNameFilter } from "../../../kit/text/name-filter.ts";
import {
  type NamedPartMetric,
  findPartMetric,
  partLabelOf,
  partMetricNames,
  partSource,
  readPartValue,
} from "../../base/part-metrics.ts";
import { toAmountText, toDurationText } from "../words/amounts.ts";
import type { NoticeTexts } from "../words/words.ts";
import {
  type ConditionOf,
  type RuleFields,
  type RuleForm,
  type ServerRuleKind,
  type ServerView,
  UNKNOWN,
} from "./kind.ts";

const MAX_NAMES = 500;
const MAX_SUBJECT = 100;

const parameters = () => ({
  partMetric: z.enum(partMetricNames),
  /** Names and patterns of the parts; see `kit/text/name-filter.ts`. */
  names: z
    .string()
    .trim()
    .max(MAX_NAMES)
    .refine(
      (list) => parseNameFilter(list) !== undefined,
      'must be names separated by commas, such as "db" or "/mnt/*"',
    )
    .default("*"),
  op: z.enum([">", ">=", "<", "<="]),
  threshold: z.number(),
  /** How long it must hold; 0 means at once. */
  forSeconds: z.number().int().min(0).max(86_400).default(60),
  /** How far behind the threshold a value must come back before the alert is over, in the metric's unit. */
  recoverBy: z.number().min(0).default(0),
  /** How long it must stay there; 0 means at once. */
  recoverSeconds: z.number().int().min(0).max(86_400).default(0),
});
type Condition = ConditionOf<ReturnType<typeof parameters>>;

/** Metrics that say whether a part works: 100, or 0. */
const states = new Set(["upPercent", "healthyPercent"]);
const UP = "upPercent";

function isAbove({ op }: Condition): boolean {
  return op === ">" || op === ">=";
}

function compares(value: number, { op, threshold }: Condition): boolean {
  switch (op) {
    case ">":
      return value > threshold;
    case ">=":
      return value >= threshold;
    case "<":
      return value < threshold;
    case "<=":
      return value <= threshold;
  }
}

const filters = new Map<string, NameFilter>();
const MOST_FILTERS = 500;

function toFilter(names: string): NameFilter {
  let filter = filters.get(names);
  if (filter === undefined) {
    filter = parseNameFilter(names) ?? (() => undefined);
    if (filters.size >= MOST_FILTERS) filters.clear();
    filters.set(names, filter);
  }
  return filter;
}

interface NamedValue {
  readonly name: string;
  readonly value: number;
}

function findMetric({ partMetric }: Condition): NamedPartMetric {
  const found = findPartMetric(partMetric);
  if (found === undefined) throw new TypeError(`No metric "${partMetric}" of parts`);
  return found;
}

/** The values of the parts that the rule names; undefined when the machine says nothing of this kind. */
function findValues(condition: Condition, { live, readParts }: ServerView): NamedValue[] | undefined {
  const { kind, metric } = findMetric(condition);
  const source = partSource(kind, metric);
  const readings = readParts(live, kind);
  if (source === undefined || readings === undefined) return undefined;
  const isMeant = toFilter(condition.names);
  const values = readings
    .filter(({ name }) => isMeant(name) === true)
    .map((reading) => ({ name: reading.name, value: readPartValue(reading, source) }))
    .filter(({ value }) => !Number.isNaN(value));
  if (metric !== UP) return values;
  // A container that was removed does not run either.
  const known = new Set(readings.map(({ name }) => name));
  const missing = listExactNames(condition.names).filter(
    (name) => !known.has(name) && isMeant(name) === true,
  );
  return [...values, ...missing.map((name) => ({ name, value: 0 }))];
}

/** The limit that holds now: what fires must come back further than what is well. */
function toLimit(condition: Condition, isFiring: boolean): Condition {
  const margin = isAbove(condition) ? -condition.recoverBy : condition.recoverBy;
  return isFiring ? { ...condition, threshold: condition.threshold + margin } : condition;
}

/** The metric's name, its threshold, and on which side of it something is wrong. */
function toParts(condition: Condition, t: NoticeTexts): { label: string; threshold: string; side: string } {
  const { partMetric, threshold } = condition;
  return {
    label: t(partLabelOf(partMetric)),
    threshold: toAmountText(findMetric(condition).unit, threshold, t),
    side: isAbove(condition) ? "above" : "below",
  };
}

/** Whether it looks for parts that do not work: then a percentage says nothing. */
function isAboutState(condition: Condition): boolean {
  return !isAbove(condition) && states.has(findMetric(condition).metric);
}

export const part: ServerRuleKind<ReturnType<typeof parameters>> = {
  watches: "server",
  parameters,
  cadence: "report",
  notice: "firing",
  waitSeconds: ({ forSeconds }) => forSeconds,
  recoverSeconds: ({ recoverSeconds }) => recoverSeconds,
  evaluate: (condition, view) => {
    if (view.live.state !== "online" || view.live.latest === undefined) return UNKNOWN;
    const found = findValues(condition, view)?.map(({ value }) => value) ?? [];
    if (found.length === 0) return UNKNOWN;
    const value = isAbove(condition) ? Math.max(...found) : Math.min(...found);
    return { breached: compares(value, toLimit(condition, view.isFiring === true)), value };
  },
  findDetails: (condition, view) => {
    const names = (findValues(condition, view) ?? [])
      .filter(({ value }) => compares(value, condition))
      .map(({ name }) => name)
      .join(", ");
    return { subject: names.length > MAX_SUBJECT ? `${names.slice(0, MAX_SUBJECT - 1)}…` : names };
  },
  words: {
    condition: (condition, t) => {
      const { forSeconds, names } = condition;
      const parts = { ...toParts(condition, t), names };
      if (forSeconds === 0) return t("part.condition", parts);
      return t("part.conditionLasting", { ...parts, span: toDurationText(forSeconds, t) });
    },
    down: (condition, { value }, t) => {
      if (isAboutState(condition)) return t(`part.down.${toStateName(condition)}`);
      const amount = toAmountText(findMetric(condition).unit, value, t);
      return t("metric.down", { ...toParts(condition, t), value: amount });
    },
    up: (condition, value, t) => {
      if (isAboutState(condition)) return t(`part.up.${toStateName(condition)}`);
      const parts = toParts(condition, t);
      if (value === undefined) return t("metric.upUnknown", parts);
      return t("metric.up", { ...parts, value: toAmountText(findMetric(condition).unit, value, t) });
    },
    amounts: (condition, { value }, t) => ({
      value: Number.isNaN(value) ? "" : toAmountText(findMetric(condition).unit, value, t),
      threshold: toParts(condition, t).threshold,
    }),
  },
};

/** How texts name what does not work. */
function toStateName(condition: Condition): "mount" | "container" | "containerHealth" | "unit" | "disk" {
  const { kind, metric } = findMetric(condition);
  if (metric === "healthyPercent") return "containerHealth";
  return kind === "mount" || kind === "unit" || kind === "disk" ? kind : "container";
}

export const partFields: RuleFields<ReturnType<typeof parameters>> = {
  partMetric: { kind: "partMetric", initial: "container.upPercent" },
  names: {},
  op: { initial: "<" },
  threshold: { kind: "threshold", initial: 100 },
  forSeconds: { kind: "duration", initial: 120 },
  recoverBy: { kind: "threshold" },
  recoverSeconds: { kind: "duration" },
};

export const partForm: RuleForm<"server"> = {
  watches: "server",
  title: "rule.part.title",
  says: ({ partMetric, op, forSeconds }) => {
    const isState =
      states.has(findPartMetric(String(partMetric))?.metric ?? "") && String(op).startsWith("<");
    if (forSeconds === 0) return isState ? "rule.part.saysNot" : "rule.part.says";
    return isState ? "rule.part.saysNotLasting" : "rule.part.saysLasting";
  },
  finding: "part",
  suggestions: [],
};

/** Rules about a number of the reports. */
import { z } from "zod";
import { metricNames } from "../../metrics.ts";
import { toDurationText, toValueText } from "./amounts.ts";
import { type ConditionOf, type RuleForm, type RuleKind, UNKNOWN } from "./kind.ts";

const parameters = () => ({
  metric: z.enum(metricNames),
  op: z.enum([">", ">=", "<", "<="]),
  threshold: z.number(),
  /** How long it must hold; 0 means at once. */
  forSeconds: z.number().int().min(0).max(86_400).default(60),
});
type Condition = ConditionOf<ReturnType<typeof parameters>>;

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

function toLimitText({ op, metric, threshold }: Condition): string {
  return `${op} ${toValueText(metric, threshold)}`;
}

export const metric: RuleKind<ReturnType<typeof parameters>> = {
  parameters,
  cadence: "report",
  notice: "firing",
  waitSeconds: ({ forSeconds }) => forSeconds,
  evaluate: (condition, { live, readMetric }) => {
    if (live.state !== "online" || live.latest === undefined) return UNKNOWN;
    const value = readMetric(live.latest, condition.metric);
    return Number.isNaN(value) ? UNKNOWN : { breached: compares(value, condition), value };
  },
  words: {
    condition: (condition) =>
      `${condition.metric} ${toLimitText(condition)} for ${toDurationText(condition.forSeconds)}`,
    down: (condition, value) =>
      `: ${condition.metric} is ${toValueText(condition.metric, value)} (${toLimitText(condition)})`,
    up: (condition, value) => {
      const found = value === undefined ? "" : ` ${toValueText(condition.metric, value)},`;
      return `: ${condition.metric} is${found} no longer ${toLimitText(condition)}`;
    },
  },
};

export const metricForm: RuleForm = {
  title: { en: "A metric", zh: "指标" },
  fields: [
    {
      name: "metric",
      input: "metric",
      initial: "cpu.usagePercent",
      label: { en: "Metric", zh: "指标" },
    },
    {
      name: "op",
      input: "choice",
      initial: ">",
      label: { en: "Is", zh: "条件" },
      choices: {
        ">": { en: "above", zh: "高于" },
        ">=": { en: "at least", zh: "不低于" },
        "<": { en: "below", zh: "低于" },
        "<=": { en: "at most", zh: "不超过" },
      },
    },
    {
      name: "threshold",
      input: "threshold",
      initial: 90,
      metric: "metric",
      label: { en: "Threshold", zh: "阈值" },
    },
    {
      name: "forSeconds",
      input: "span",
      initial: 120,
      label: { en: "For at least", zh: "持续至少" },
      hint: { en: "0 means at once.", zh: "0 表示立即。" },
    },
  ],
  says: ({ forSeconds }) =>
    forSeconds === 0
      ? { en: "{metric} {op} {threshold}", zh: "{metric} {op} {threshold}" }
      : {
          en: "{metric} {op} {threshold} for {forSeconds}",
          zh: "{metric} {op} {threshold}，持续 {forSeconds}",
        },
  finding: "metric",
  suggestions: [
    {
      name: { en: "Disk over 90 % for 10 minutes", zh: "磁盘超过 90 % 持续 10 分钟" },
      severity: "warning",
      condition: { metric: "disk.usedPercent", op: ">", threshold: 90, forSeconds: 600 },
    },
    {
      name: { en: "Memory over 95 % for 10 minutes", zh: "内存超过 95 % 持续 10 分钟" },
      severity: "warning",
      condition: { metric: "memory.usedPercent", op: ">", threshold: 95, forSeconds: 600 },
    },
  ],
};

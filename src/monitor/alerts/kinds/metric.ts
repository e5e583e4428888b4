/** Rules about a number of the reports. */
import { z } from "zod";
import { labelOf, metricNames } from "../../base/metrics.ts";
import { toDurationText, toValueText } from "../words/amounts.ts";
import type { NoticeTexts } from "../words/words.ts";
import { type ConditionOf, type RuleFields, type RuleForm, type ServerRuleKind, UNKNOWN } from "./kind.ts";

const parameters = () => ({
  metric: z.enum(metricNames),
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

/** A value that wavers around its threshold is one incident. */
const steady = { recoverBy: 2, recoverSeconds: 300 } as const;

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

function isAbove({ op }: Condition): boolean {
  return op === ">" || op === ">=";
}

/** The metric's name, its threshold, and on which side of it something is wrong. */
function toParts(condition: Condition, t: NoticeTexts): { label: string; threshold: string; side: string } {
  const { metric: name, threshold } = condition;
  return {
    label: t(labelOf(name)),
    threshold: toValueText(name, threshold, t),
    side: isAbove(condition) ? "above" : "below",
  };
}

export const metric: ServerRuleKind<ReturnType<typeof parameters>> = {
  watches: "server",
  parameters,
  cadence: "report",
  notice: "firing",
  waitSeconds: ({ forSeconds }) => forSeconds,
  recoverSeconds: ({ recoverSeconds }) => recoverSeconds,
  evaluate: (condition, { live, readMetric, isFiring }) => {
    if (live.state !== "online" || live.latest === undefined) return UNKNOWN;
    const value = readMetric(live.latest, condition.metric);
    if (Number.isNaN(value)) return UNKNOWN;
    const { threshold, recoverBy } = condition;
    const margin = isAbove(condition) ? -recoverBy : recoverBy;
    const limit = isFiring === true ? { ...condition, threshold: threshold + margin } : condition;
    return { breached: compares(value, limit), value };
  },
  findDetails: (condition, { live, readSubject }) => ({ subject: readSubject(live, condition.metric) }),
  words: {
    condition: (condition, t) => {
      const { forSeconds } = condition;
      const parts = toParts(condition, t);
      if (forSeconds === 0) return t("metric.condition", parts);
      return t("metric.conditionLasting", { ...parts, span: toDurationText(forSeconds, t) });
    },
    down: (condition, { value }, t) =>
      t("metric.down", { ...toParts(condition, t), value: toValueText(condition.metric, value, t) }),
    up: (condition, value, t) => {
      const parts = toParts(condition, t);
      if (value === undefined) return t("metric.upUnknown", parts);
      return t("metric.up", { ...parts, value: toValueText(condition.metric, value, t) });
    },
    amounts: (condition, { value }, t) => ({
      value: Number.isNaN(value) ? "" : toValueText(condition.metric, value, t),
      threshold: toParts(condition, t).threshold,
    }),
  },
};

export const metricFields: RuleFields<ReturnType<typeof parameters>> = {
  metric: { kind: "metric", initial: "cpu.usagePercent" },
  op: { initial: ">" },
  threshold: { kind: "threshold", initial: 90 },
  forSeconds: { kind: "duration", initial: 120 },
  recoverBy: { kind: "threshold" },
  recoverSeconds: { kind: "duration" },
};

export const metricForm: RuleForm<"server"> = {
  watches: "server",
  title: "rule.metric.title",
  says: ({ forSeconds }) => (forSeconds === 0 ? "rule.metric.says" : "rule.metric.saysLasting"),
  finding: "metric",
  suggestions: [
    {
      name: "rule.metric.suggestion.1",
      severity: "warning",
      condition: { metric: "disk.fullestPercent", op: ">", threshold: 90, forSeconds: 600, ...steady },
    },
    {
      name: "rule.metric.suggestion.2",
      severity: "warning",
      condition: { metric: "memory.usedPercent", op: ">", threshold: 95, forSeconds: 600, ...steady },
    },
    {
      name: "rule.metric.suggestion.3",
      severity: "warning",
      condition: { metric: "containers.unhealthy", op: ">", threshold: 0, forSeconds: 300 },
    },
    {
      name: "rule.metric.suggestion.4",
      severity: "warning",
      condition: { metric: "systemd.failedUnits", op: ">", threshold: 0, forSeconds: 60 },
    },
    {
      name: "rule.metric.suggestion.5",
      severity: "critical",
      condition: { metric: "raid.degradedArrays", op: ">", threshold: 0, forSeconds: 60 },
    },
  ],
};

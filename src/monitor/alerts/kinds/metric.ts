/** Rules about a number of the reports. */
import { z } from "zod";
import { findLanguage } from "../../../kit/text/languages.ts";
import { labelOf, metricNames } from "../../base/metrics.ts";
import { toDurationText, toValueText } from "../words/amounts.ts";
import type { NoticeTexts } from "../words/words.ts";
import { type ConditionOf, type RuleForm, type ServerRuleKind, UNKNOWN } from "./kind.ts";

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
    label: labelOf(name)[findLanguage(t.language) ?? "en"],
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
  },
};

export const metricForm: RuleForm<"server"> = {
  watches: "server",
  title: { en: "A metric", zh: "指标", de: "Eine Metrik" },
  fields: [
    {
      name: "metric",
      input: "metric",
      initial: "cpu.usagePercent",
      label: { en: "Metric", zh: "指标", de: "Metrik" },
    },
    {
      name: "op",
      input: "choice",
      initial: ">",
      label: { en: "Is", zh: "条件", de: "Liegt" },
      choices: {
        ">": { en: "above", zh: "高于", de: "über" },
        ">=": { en: "at least", zh: "不低于", de: "bei mindestens" },
        "<": { en: "below", zh: "低于", de: "unter" },
        "<=": { en: "at most", zh: "不超过", de: "bei höchstens" },
      },
    },
    {
      name: "threshold",
      input: "threshold",
      initial: 90,
      metric: "metric",
      label: { en: "Threshold", zh: "阈值", de: "Schwelle" },
    },
    {
      name: "forSeconds",
      input: "span",
      initial: 120,
      label: { en: "For at least", zh: "持续至少", de: "Mindestens für" },
      hint: { en: "0 means at once.", zh: "0 表示立即。", de: "0 bedeutet sofort." },
    },
    {
      name: "recoverBy",
      input: "threshold",
      initial: 0,
      metric: "metric",
      isMargin: true,
      label: { en: "Recovery margin", zh: "恢复余量", de: "Erholungsabstand" },
      hint: {
        en: "How far behind the threshold the value must come back.",
        zh: "数值须回到阈值以内多少才算恢复。",
        de: "Wie weit der Wert hinter die Schwelle zurückgehen muss.",
      },
    },
    {
      name: "recoverSeconds",
      input: "span",
      initial: 0,
      label: { en: "Over when recovered for", zh: "恢复持续多久后结束", de: "Vorbei, wenn erholt seit" },
      hint: { en: "0 means at once.", zh: "0 表示立即。", de: "0 bedeutet sofort." },
    },
  ],
  says: ({ forSeconds }) =>
    forSeconds === 0
      ? { en: "{metric} {op} {threshold}", zh: "{metric} {op} {threshold}", de: "{metric} {op} {threshold}" }
      : {
          en: "{metric} {op} {threshold} for {forSeconds}",
          zh: "{metric} {op} {threshold}，持续 {forSeconds}",
          de: "{metric} {op} {threshold} für {forSeconds}",
        },
  finding: "metric",
  suggestions: [
    {
      name: {
        en: "Disk over 90 % for 10 minutes",
        zh: "磁盘超过 90 % 持续 10 分钟",
        de: "Festplatte 10 Minuten über 90 %",
      },
      severity: "warning",
      condition: { metric: "disk.fullestPercent", op: ">", threshold: 90, forSeconds: 600, ...steady },
    },
    {
      name: {
        en: "Memory over 95 % for 10 minutes",
        zh: "内存超过 95 % 持续 10 分钟",
        de: "Speicher 10 Minuten über 95 %",
      },
      severity: "warning",
      condition: { metric: "memory.usedPercent", op: ">", threshold: 95, forSeconds: 600, ...steady },
    },
    {
      name: {
        en: "Container unhealthy for 5 minutes",
        zh: "容器不健康持续 5 分钟",
        de: "Container seit 5 Minuten ungesund",
      },
      severity: "warning",
      condition: { metric: "containers.unhealthy", op: ">", threshold: 0, forSeconds: 300 },
    },
    {
      name: { en: "Unit of systemd failed", zh: "systemd 单元失败", de: "systemd-Unit fehlgeschlagen" },
      severity: "warning",
      condition: { metric: "systemd.failedUnits", op: ">", threshold: 0, forSeconds: 60 },
    },
    {
      name: { en: "RAID array degraded", zh: "RAID 阵列降级", de: "RAID-Verbund beeinträchtigt" },
      severity: "critical",
      condition: { metric: "raid.degradedArrays", op: ">", threshold: 0, forSeconds: 60 },
    },
  ],
};

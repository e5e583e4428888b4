/** Rules about a number of the reports. */
import { z } from "zod";
import type { Language } from "../../base/labels.ts";
import { labelOf, metricNames } from "../../base/metrics.ts";
import { toDurationText, toValueText } from "../words/amounts.ts";
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

const limits = {
  en: { above: "limit", below: "minimum" },
  zh: { above: "上限", below: "下限" },
  de: { above: "Grenze", below: "Mindestwert" },
} as const satisfies Record<Language, { above: string; below: string }>;

function isAbove({ op }: Condition): boolean {
  return op === ">" || op === ">=";
}

/** "CPU use" with "limit 90 %". */
function toParts(
  condition: Condition,
  language: Language,
): { label: string; limit: string; threshold: string } {
  const { metric: name, threshold } = condition;
  const text = toValueText(name, threshold, language);
  const limit = `${limits[language][isAbove(condition) ? "above" : "below"]} ${text}`;
  return { label: labelOf(name)[language], limit, threshold: text };
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
    en: {
      condition: (condition) => {
        const { label, threshold } = toParts(condition, "en");
        const side = isAbove(condition) ? "above" : "below";
        const lasting = condition.forSeconds > 0 ? ` for ${toDurationText(condition.forSeconds, "en")}` : "";
        return `${label} ${side} ${threshold}${lasting}`;
      },
      down: (condition, { value }) => {
        const { label, limit } = toParts(condition, "en");
        return `: ${label} ${toValueText(condition.metric, value, "en")}, ${limit}`;
      },
      up: (condition, value) => {
        const { label, threshold } = toParts(condition, "en");
        const found = value === undefined ? "" : ` ${toValueText(condition.metric, value, "en")},`;
        return `: ${label}${found} back ${isAbove(condition) ? "below" : "above"} ${threshold}`;
      },
    },
    zh: {
      condition: (condition) => {
        const { label, threshold } = toParts(condition, "zh");
        const lasting =
          condition.forSeconds > 0 ? `，持续 ${toDurationText(condition.forSeconds, "zh")}` : "";
        return `${label}${isAbove(condition) ? "高于" : "低于"} ${threshold}${lasting}`;
      },
      down: (condition, { value }) => {
        const { label, limit } = toParts(condition, "zh");
        return `：${label} ${toValueText(condition.metric, value, "zh")}，${limit}`;
      },
      up: (condition, value) => {
        const { label, threshold } = toParts(condition, "zh");
        const found = value === undefined ? "" : ` ${toValueText(condition.metric, value, "zh")}，`;
        return `：${label}${found}已回到 ${threshold} ${isAbove(condition) ? "以下" : "以上"}`;
      },
    },
    de: {
      condition: (condition) => {
        const { label, threshold } = toParts(condition, "de");
        const lasting =
          condition.forSeconds > 0 ? `, ${toDurationText(condition.forSeconds, "de")} lang` : "";
        return `${label} ${isAbove(condition) ? "über" : "unter"} ${threshold}${lasting}`;
      },
      down: (condition, { value }) => {
        const { label, limit } = toParts(condition, "de");
        return `: ${label} ${toValueText(condition.metric, value, "de")}, ${limit}`;
      },
      up: (condition, value) => {
        const { label, threshold } = toParts(condition, "de");
        const found = value === undefined ? "" : ` ${toValueText(condition.metric, value, "de")},`;
        return `: ${label}${found} wieder ${isAbove(condition) ? "unter" : "über"} ${threshold}`;
      },
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

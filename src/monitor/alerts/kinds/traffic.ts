/** Rules about the traffic of a cycle. */
import { z } from "zod";
import { toNumberText } from "../words/amounts.ts";
import type { RuleForm, ServerRuleKind } from "./kind.ts";

const parameters = () => ({
  /** Of the traffic of a cycle; servers without a limit are not watched. */
  percentOfLimit: z.number().min(1).max(1_000).default(80),
});

export const traffic: ServerRuleKind<ReturnType<typeof parameters>> = {
  watches: "server",
  parameters,
  cadence: "hour",
  notice: "firing",
  waitSeconds: () => 0,
  evaluate: ({ percentOfLimit }, { record, facts }) => {
    const { percent, limitBytes, cycleFrom } = facts.traffic(record);
    if (percent === undefined) return { breached: false };
    return { breached: percent >= percentOfLimit, value: percent, occasion: `${cycleFrom}/${limitBytes}` };
  },
  words: {
    condition: ({ percentOfLimit }, t) =>
      t("traffic.condition", { percent: toNumberText(percentOfLimit, t) }),
    down: (_condition, { value }, t) => t("traffic.down", { percent: toNumberText(value, t) }),
    up: ({ percentOfLimit }, _value, t) => t("traffic.up", { percent: toNumberText(percentOfLimit, t) }),
  },
};

export const trafficForm: RuleForm<"server"> = {
  watches: "server",
  title: { en: "Traffic is used up", zh: "流量用量", de: "Datenverkehr ist verbraucht" },
  fields: [
    {
      name: "percentOfLimit",
      input: "number",
      initial: 80,
      min: 1,
      max: 1_000,
      unit: "percent",
      label: { en: "Percent of the limit", zh: "限额的百分比", de: "Prozent der Grenze" },
      hint: {
        en: "Of the traffic of a cycle. Servers without a limit are not watched.",
        zh: "按周期流量计算；没有限额的服务器不监测。",
        de: "Vom Datenverkehr eines Zeitraums. Server ohne Grenze werden nicht überwacht.",
      },
      fault: {
        en: "must be 1 to 1,000",
        zh: "必须在 1 到 1,000 之间",
        de: "muss zwischen 1 und 1.000 liegen",
      },
    },
  ],
  says: () => ({
    en: "{percentOfLimit} of a cycle’s traffic is used",
    zh: "已用周期流量的 {percentOfLimit}",
    de: "{percentOfLimit} des Datenverkehrs eines Zeitraums sind verbraucht",
  }),
  finding: "percent",
  suggestions: [
    {
      name: {
        en: "Traffic over 80 % of the limit",
        zh: "流量超过限额的 80 %",
        de: "Datenverkehr über 80 % der Grenze",
      },
      severity: "warning",
      condition: { percentOfLimit: 80 },
    },
  ],
};

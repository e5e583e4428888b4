/** Rules about the traffic of a cycle. */
import { z } from "zod";
import { toNumberText } from "./amounts.ts";
import type { RuleForm, RuleKind } from "./kind.ts";

const parameters = () => ({
  /** Of the traffic of a cycle; servers without a limit are not watched. */
  percentOfLimit: z.number().min(1).max(1_000).default(80),
});

export const traffic: RuleKind<ReturnType<typeof parameters>> = {
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
    condition: ({ percentOfLimit }) => `${toNumberText(percentOfLimit)} % of the traffic used`,
    down: (_condition, value) => ` has used ${toNumberText(value)} % of its traffic`,
    up: ({ percentOfLimit }) => `: traffic is below ${toNumberText(percentOfLimit)} % of its limit again`,
  },
};

export const trafficForm: RuleForm = {
  title: { en: "Traffic is used up", zh: "流量用量" },
  fields: [
    {
      name: "percentOfLimit",
      input: "number",
      initial: 80,
      min: 1,
      max: 1_000,
      unit: "percent",
      label: { en: "Percent of the limit", zh: "限额的百分比" },
      hint: {
        en: "Of the traffic of a cycle. Servers without a limit are not watched.",
        zh: "按周期流量计算；没有限额的服务器不监测。",
      },
      fault: { en: "must be 1 to 1,000", zh: "必须在 1 到 1,000 之间" },
    },
  ],
  says: () => ({
    en: "{percentOfLimit} of the traffic of a cycle are used",
    zh: "已用周期流量的 {percentOfLimit}",
  }),
  finding: "percent",
  suggestions: [
    {
      name: { en: "Traffic over 80 % of the limit", zh: "流量超过限额的 80 %" },
      severity: "warning",
      condition: { percentOfLimit: 80 },
    },
  ],
};

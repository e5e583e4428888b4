/** Rules about the traffic of a cycle. */
import { z } from "zod";
import { toAmountText, toNumberText } from "../words/amounts.ts";
import type { RuleFields, RuleForm, ServerRuleKind } from "./kind.ts";

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
    amounts: ({ percentOfLimit }, { value }, t) => ({
      value: Number.isNaN(value) ? "" : toAmountText("percent", value, t),
      threshold: toAmountText("percent", percentOfLimit, t),
    }),
  },
};

export const trafficFields: RuleFields<ReturnType<typeof parameters>> = { percentOfLimit: { digits: 6 } };

export const trafficForm: RuleForm<"server"> = {
  watches: "server",
  title: "rule.traffic.title",
  says: () => "rule.traffic.says",
  finding: "percent",
  suggestions: [
    {
      name: "rule.traffic.suggestion.1",
      severity: "warning",
      condition: { percentOfLimit: 80 },
    },
  ],
};

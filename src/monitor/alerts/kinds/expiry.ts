/** Rules that remind of the end of paid time. */
import { z } from "zod";
import type { RuleForm, RuleKind } from "./kind.ts";

const DAY_MS = 86_400_000;

const parameters = () => ({
  /** How many days before the paid time ends; what renews itself is not reminded of. */
  daysAhead: z.number().int().min(0).max(365).default(7),
});

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export const expiry: RuleKind<ReturnType<typeof parameters>> = {
  parameters,
  cadence: "hour",
  notice: "reminder",
  waitSeconds: () => 0,
  evaluate: ({ daysAhead }, { record, facts, now }) => {
    const value = facts.expiresAt(record);
    if (value === undefined) return { breached: false };
    return { breached: value - now <= daysAhead * DAY_MS, value, occasion: String(value) };
  },
  words: {
    condition: ({ daysAhead }) => `paid time ends within ${daysAhead} days`,
    down: (_condition, value) => `: paid time ends on ${toDate(value)}`,
    up: (_condition, value) =>
      value === undefined
        ? ": no end of paid time to watch any more"
        : `: paid time now ends on ${toDate(value)}`,
  },
};

export const expiryForm: RuleForm = {
  title: { en: "Paid time ends", zh: "即将到期" },
  fields: [
    {
      name: "daysAhead",
      input: "number",
      initial: 7,
      min: 0,
      max: 365,
      isWhole: true,
      label: { en: "Days ahead", zh: "提前天数" },
      hint: {
        en: "Before the paid time ends. What renews itself is not reminded of.",
        zh: "在到期前提醒；自动续费的不提醒。",
      },
      fault: { en: "must be a whole number from 0 to 365", zh: "必须是 0 到 365 的整数" },
    },
  ],
  says: () => ({ en: "The paid time ends within {daysAhead} days", zh: "将在 {daysAhead} 天内到期" }),
  finding: "time",
  suggestions: [
    {
      name: { en: "Expires in 7 days", zh: "7 天内到期" },
      severity: "info",
      condition: { daysAhead: 7 },
    },
  ],
};

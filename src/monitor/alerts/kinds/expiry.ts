/** Rules that remind of the end of paid time. */
import { z } from "zod";
import type { RuleForm, ServerRuleKind } from "./kind.ts";

const DAY_MS = 86_400_000;

const parameters = () => ({
  /** How many days before the paid time ends; servers that renew automatically are left out. */
  daysAhead: z.number().int().min(0).max(365).default(7),
});

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export const expiry: ServerRuleKind<ReturnType<typeof parameters>> = {
  watches: "server",
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
    condition: ({ daysAhead }, t) => t("expiry.condition", { days: daysAhead }),
    down: (_condition, { value }, t) => t("expiry.down", { date: toDate(value) }),
    up: (_condition, value, t) =>
      value === undefined ? t("expiry.upOpen") : t("expiry.up", { date: toDate(value) }),
  },
};

export const expiryForm: RuleForm<"server"> = {
  watches: "server",
  title: { en: "Paid time ends", zh: "即将到期", de: "Bezahlte Zeit endet" },
  fields: [
    {
      name: "daysAhead",
      input: "number",
      initial: 7,
      min: 0,
      max: 365,
      isWhole: true,
      label: { en: "Days ahead", zh: "提前天数", de: "Tage im Voraus" },
      hint: {
        en: "Before the paid time ends. No reminder for servers that renew automatically.",
        zh: "在到期前提醒；自动续费的不提醒。",
        de: "Vor dem Ende der bezahlten Zeit. Server, die sich automatisch verlängern, werden nicht gemeldet.",
      },
      fault: {
        en: "must be a whole number from 0 to 365",
        zh: "必须是 0 到 365 的整数",
        de: "muss eine ganze Zahl von 0 bis 365 sein",
      },
    },
  ],
  says: () => ({
    en: "The paid time ends within {daysAhead} days",
    zh: "将在 {daysAhead} 天内到期",
    de: "Die bezahlte Zeit endet innerhalb von {daysAhead} Tagen",
  }),
  finding: "time",
  suggestions: [
    {
      name: { en: "Expires in 7 days", zh: "7 天内到期", de: "Läuft in 7 Tagen ab" },
      severity: "info",
      condition: { daysAhead: 7 },
    },
  ],
};

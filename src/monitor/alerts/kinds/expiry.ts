/** Rules that remind of the end of paid time. */
import { z } from "zod";
import { toDurationText } from "../words/amounts.ts";
import type { RuleFields, RuleForm, ServerRuleKind } from "./kind.ts";

const SECONDS_A_DAY = 86_400;
const DAY_MS = SECONDS_A_DAY * 1_000;

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
    amounts: ({ daysAhead }, { value }, t) => ({
      value: Number.isNaN(value) ? "" : toDate(value),
      threshold: toDurationText(daysAhead * SECONDS_A_DAY, t),
    }),
  },
};

export const expiryFields: RuleFields<ReturnType<typeof parameters>> = { daysAhead: {} };

export const expiryForm: RuleForm<"server"> = {
  watches: "server",
  title: "rule.expiry.title",
  says: () => "rule.expiry.says",
  finding: "time",
  suggestions: [
    {
      name: "rule.expiry.suggestion.1",
      severity: "info",
      condition: { daysAhead: 7 },
    },
  ],
};

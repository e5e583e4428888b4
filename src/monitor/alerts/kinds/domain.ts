/** Rules that remind of the end of domains that `domain` checks watch. */
import { z } from "zod";
import { toDurationText } from "../words/amounts.ts";
import { toDate, toDaysLeft } from "./end-of.ts";
import { type CheckRuleKind, type RuleFields, type RuleForm, UNKNOWN } from "./kind.ts";

const SECONDS_A_DAY = 86_400;
const DAY_MS = SECONDS_A_DAY * 1_000;

const parameters = () => ({
  /** How many days before the domain expires. */
  daysAhead: z.number().int().min(0).max(365).default(30),
});

export const domain: CheckRuleKind<ReturnType<typeof parameters>> = {
  watches: "check",
  parameters,
  cadence: "hour",
  notice: "reminder",
  waitSeconds: () => 0,
  evaluate: ({ daysAhead }, { record, standing, now }) => {
    // A check that was given another kind of target is about no domain any longer.
    if (record.target.kind !== "domain") return { breached: false };
    if (standing.state === "unknown" || standing.state === "paused") return UNKNOWN;
    const value = standing.registration?.expiresAt;
    if (value === undefined) return UNKNOWN;
    return { breached: value - now <= daysAhead * DAY_MS, value, occasion: String(value) };
  },
  findDetails: (_condition, { standing: { registration, places } }) => {
    if (registration === undefined) return {};
    const reported = places.filter(({ counts }) => counts).length;
    return { found: { detail: registration.domain, places: [], reported, isPartial: false } };
  },
  words: {
    condition: ({ daysAhead }, t) => t("domain.condition", { days: daysAhead }),
    down: (_condition, finds, t) => {
      const days = toDaysLeft(finds);
      return t(days < 0 ? "domain.ended" : "domain.down", { days, date: toDate(finds.value) });
    },
    up: (_condition, value, t) =>
      value === undefined ? t("domain.upNone") : t("domain.up", { date: toDate(value) }),
    amounts: ({ daysAhead }, { value }, t) => ({
      value: Number.isNaN(value) ? "" : toDate(value),
      threshold: toDurationText(daysAhead * SECONDS_A_DAY, t),
    }),
  },
};

export const domainFields: RuleFields<ReturnType<typeof parameters>> = { daysAhead: {} };

export const domainForm: RuleForm<"check"> = {
  watches: "check",
  title: "rule.domain.title",
  says: () => "rule.domain.says",
  finding: "time",
  suggestions: [
    {
      name: "rule.domain.suggestion.1",
      severity: "warning",
      condition: { daysAhead: 30 },
    },
  ],
};

/** Rules that remind of the end of certificates that checks see. */
import { z } from "zod";
import { earliestEnd } from "../../../kit/probes/certificate-end.ts";
import type { CheckStanding } from "../../checks/schema.ts";
import { toDurationText } from "../words/amounts.ts";
import { toDate, toDaysLeft } from "./end-of.ts";
import { type CheckRuleKind, type RuleFields, type RuleForm, UNKNOWN } from "./kind.ts";

const SECONDS_A_DAY = 86_400;
const DAY_MS = SECONDS_A_DAY * 1_000;
/** Certificates that are valid for less than three times the days ahead alert in the last third of their validity. */
const LAST_SHARE = 1 / 3;

const parameters = () => ({
  /** How many days before the certificate ends. */
  daysAhead: z.number().int().min(0).max(365).default(14),
});

function toName({ subject, issuer, names, chainEnd }: NonNullable<CheckStanding["certificate"]>): string {
  if (chainEnd !== undefined) return `${names[0] ?? subject} · chain: ${chainEnd.subject}`;
  return [names[0] ?? subject, issuer].filter((part) => part !== "").join(" · ");
}

export const certificate: CheckRuleKind<ReturnType<typeof parameters>> = {
  watches: "check",
  parameters,
  cadence: "hour",
  notice: "reminder",
  waitSeconds: () => 0,
  evaluate: ({ daysAhead }, { standing, now }) => {
    if (standing.state === "unknown" || standing.state === "paused") return UNKNOWN;
    const { certificate: seen } = standing;
    const value = seen && earliestEnd(seen);
    // A target that responds without a certificate has none; for one that does not respond, it is unknown.
    if (value === undefined) return standing.state === "up" ? { breached: false } : UNKNOWN;
    const lifetimeMs = (seen?.validTo ?? value) - (seen?.validFrom ?? 0);
    const aheadMs = Math.min(daysAhead * DAY_MS, lifetimeMs * LAST_SHARE);
    return { breached: value - now <= aheadMs, value, occasion: String(value) };
  },
  findDetails: (_condition, { standing }) => {
    const { certificate: seen, places } = standing;
    if (seen === undefined) return {};
    return {
      found: {
        detail: toName(seen),
        places: [],
        reported: places.filter(({ counts }) => counts).length,
        isPartial: false,
      },
    };
  },
  words: {
    condition: ({ daysAhead }, t) => t("certificate.condition", { days: daysAhead }),
    down: (_condition, finds, t) => {
      const days = toDaysLeft(finds);
      return t(days < 0 ? "certificate.ended" : "certificate.down", { days, date: toDate(finds.value) });
    },
    up: (_condition, value, t) =>
      value === undefined ? t("certificate.upNone") : t("certificate.up", { date: toDate(value) }),
    amounts: ({ daysAhead }, { value }, t) => ({
      value: Number.isNaN(value) ? "" : toDate(value),
      threshold: toDurationText(daysAhead * SECONDS_A_DAY, t),
    }),
  },
};

export const certificateFields: RuleFields<ReturnType<typeof parameters>> = { daysAhead: {} };

export const certificateForm: RuleForm<"check"> = {
  watches: "check",
  title: "rule.certificate.title",
  says: () => "rule.certificate.says",
  finding: "time",
  suggestions: [
    {
      name: "rule.certificate.suggestion.1",
      severity: "warning",
      condition: { daysAhead: 14 },
    },
  ],
};

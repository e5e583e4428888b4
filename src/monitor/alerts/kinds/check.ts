/** Rules that fire when a check is down. */
import { z } from "zod";
import type { CheckFault, CheckStanding, PlaceResult } from "../../checks/schema.ts";
import { toDurationText } from "../words/amounts.ts";
import type { NoticeTexts } from "../words/words.ts";
import { type CheckRuleKind, type Found, type RuleFields, type RuleForm, UNKNOWN } from "./kind.ts";

const parameters = () => ({
  /** Whether being down from some places, but fewer than the quorum, counts too. */
  countsPartial: z.boolean().default(false),
  /** How long it may be down before an alert, in addition to the retries of the check. */
  graceSeconds: z.number().int().min(0).max(86_400).default(0),
  /** How long it must be up before the alert is over; 0 means at once. */
  recoverSeconds: z.number().int().min(0).max(86_400).default(0),
});

/** The most common fault of the locations; among equals the first. */
function findFault(down: readonly PlaceResult[]): CheckFault | undefined {
  const counts = new Map<CheckFault, number>();
  for (const { fault } of down) if (fault !== undefined) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function toFound({ state, places }: CheckStanding): Found {
  const counting = places.filter(({ counts }) => counts);
  const down = counting.filter(({ isDown }) => isDown);
  const fault = findFault(down);
  const { detail = "", dueAt } = down.find((result) => result.fault === fault) ?? {};
  return {
    fault,
    detail,
    dueAt,
    places: down.map(({ place }) => place),
    reported: counting.length,
    isPartial: state === "partial",
  };
}

function toFaultText(found: Found | undefined, t: NoticeTexts): string {
  if (found?.fault === undefined) return "";
  return t("colon") + t(`check.fault.${found.fault}`);
}

export const check: CheckRuleKind<ReturnType<typeof parameters>> = {
  watches: "check",
  parameters,
  cadence: "report",
  notice: "firing",
  isOutage: true,
  waitSeconds: ({ graceSeconds }) => graceSeconds,
  recoverSeconds: ({ recoverSeconds }) => recoverSeconds,
  evaluate: ({ countsPartial }, { standing }) => {
    const { state, since } = standing;
    switch (state) {
      case "up":
        return { breached: false };
      case "partial":
        return countsPartial ? { breached: true, since } : { breached: false };
      case "down":
        return { breached: true, since };
      case "unknown":
      case "paused":
        return UNKNOWN;
    }
  },
  findDetails: (_condition, { standing }) => ({ found: toFound(standing) }),
  words: {
    condition: ({ countsPartial, graceSeconds }, t) => {
      const places = countsPartial ? "some" : "all";
      if (graceSeconds === 0) return t("check.condition", { places });
      return t("check.conditionLasting", { places, span: toDurationText(graceSeconds, t) });
    },
    down: (_condition, { found }, t) => {
      const counts = { down: found?.places.length ?? 0, reported: found?.reported ?? 0 };
      const what = found?.isPartial === true ? t("check.downInPart", counts) : t("check.down");
      return what + toFaultText(found, t);
    },
    up: (_condition, _value, t) => t("check.up"),
    amounts: ({ graceSeconds }, { found }, t) => ({
      value: found?.fault === undefined ? "" : t(`check.fault.${found.fault}`),
      threshold: graceSeconds === 0 ? "" : toDurationText(graceSeconds, t),
    }),
    many: (direction, count, t) => t(`check.many.${direction}`, { count }),
  },
};

export const checkFields: RuleFields<ReturnType<typeof parameters>> = {
  countsPartial: {},
  graceSeconds: { kind: "duration" },
  recoverSeconds: { kind: "duration" },
};

export const checkForm: RuleForm<"check"> = {
  watches: "check",
  title: "rule.check.title",
  says: ({ countsPartial, graceSeconds }) => {
    if (countsPartial === true)
      return graceSeconds === 0 ? "rule.check.saysPartial" : "rule.check.saysPartialLasting";
    return graceSeconds === 0 ? "rule.check.says" : "rule.check.saysLasting";
  },
  suggestions: [
    {
      name: "rule.check.suggestion.1",
      severity: "critical",
      condition: {},
    },
  ],
};

/** Rules that fire when a check is down. */
import { z } from "zod";
import { faultWords } from "../../checks/kinds/fault-words.ts";
import type { CheckFault, CheckStanding, PlaceResult } from "../../checks/schema.ts";
import { findLanguage } from "../../../kit/text/languages.ts";
import { toDurationText } from "../words/amounts.ts";
import type { NoticeTexts } from "../words/words.ts";
import { type CheckRuleKind, type Found, type RuleForm, UNKNOWN } from "./kind.ts";

const parameters = () => ({
  /** Whether being down from some places, but fewer than the quorum, counts too. */
  countsPartial: z.boolean().default(false),
  /** How long it may be down before anyone is told, on top of the tries that the check itself makes. */
  graceSeconds: z.number().int().min(0).max(86_400).default(0),
  /** How long it must be up before the alert is over; 0 means at once. */
  recoverSeconds: z.number().int().min(0).max(86_400).default(0),
});

/** What most places found; of equals what was found first. */
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
  return t("colon") + faultWords[found.fault][findLanguage(t.language) ?? "en"];
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
    many: (direction, count, t) => t(`check.many.${direction}`, { count }),
  },
};

export const checkForm: RuleForm<"check"> = {
  watches: "check",
  title: { en: "A check is down", zh: "检查故障", de: "Eine Prüfung ist ausgefallen" },
  fields: [
    {
      name: "countsPartial",
      input: "switch",
      initial: false,
      label: {
        en: "Also when it is down from some places only",
        zh: "仅部分位置故障时也告警",
        de: "Auch, wenn sie nur von einigen Orten ausgefallen ist",
      },
      hint: {
        en: "For checks that several places look at.",
        zh: "适用于由多个位置执行的检查。",
        de: "Für Prüfungen, die von mehreren Orten kommen.",
      },
    },
    {
      name: "graceSeconds",
      input: "span",
      initial: 0,
      label: { en: "Down for at least", zh: "故障持续至少", de: "Ausgefallen seit mindestens" },
      hint: {
        en: "0 means at once: the check has tried again by itself before it counts as down.",
        zh: "0 表示立即：检查在判定故障前已自行重试。",
        de: "0 bedeutet sofort: Die Prüfung hat es selbst schon wiederholt versucht.",
      },
    },
    {
      name: "recoverSeconds",
      input: "span",
      initial: 0,
      label: { en: "Over when up for", zh: "恢复持续多久后结束", de: "Vorbei, wenn in Ordnung seit" },
      hint: { en: "0 means at once.", zh: "0 表示立即。", de: "0 bedeutet sofort." },
    },
  ],
  says: ({ countsPartial, graceSeconds }) => {
    const isAtOnce = graceSeconds === 0;
    return countsPartial === true
      ? {
          en: `Down, also from some places only${isAtOnce ? "" : ", for {graceSeconds}"}`,
          zh: `故障，包括仅部分位置${isAtOnce ? "" : "，持续 {graceSeconds}"}`,
          de: `Ausgefallen, auch nur von einigen Orten${isAtOnce ? "" : ", {graceSeconds} lang"}`,
        }
      : {
          en: `Down${isAtOnce ? "" : " for {graceSeconds}"}`,
          zh: `故障${isAtOnce ? "" : "，持续 {graceSeconds}"}`,
          de: `Ausgefallen${isAtOnce ? "" : ", {graceSeconds} lang"}`,
        };
  },
  suggestions: [
    {
      name: { en: "A check is down", zh: "检查故障", de: "Prüfung ausgefallen" },
      severity: "critical",
      condition: {},
    },
  ],
};

/** What templates can name of an alert. */
import { isJudged } from "../checks/judged.ts";
import { describeTarget } from "../../kit/probes/probes.ts";
import { type NoticeFacts, factNames } from "../channels/kinds/notice.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { Direction } from "./notification-policy.ts";
import type { NewIncident } from "./schema.ts";
import { toDurationText } from "./words/amounts.ts";
import { noticeTexts } from "./words/words.ts";
import type { WordsOptions } from "./words-options.ts";

/** How long it has lasted, or did. */
export function toLasted(incident: NewIncident, { now, language }: WordsOptions): string {
  const { since, durationSeconds } = incident;
  const seconds = durationSeconds ?? Math.max(0, Math.round((now - since) / 1_000));
  return toDurationText(seconds, noticeTexts(language));
}

/** Facts of one alert. */
export function toFacts(incident: NewIncident, direction: Direction, options: WordsOptions): NoticeFacts {
  const { id, ruleName, condition, checkId, serverId, found } = incident;
  const { language, now, describe, describeCheck } = options;
  const ofCheck = checkId === undefined ? undefined : describeCheck(checkId)?.record;
  const ofServer = serverId === undefined ? undefined : describe(serverId)?.record;
  const number = direction === "up" ? (incident.resolvedValue ?? incident.firedValue) : incident.firedValue;
  const finds = { value: number ?? Number.NaN, now, found };
  const amounts = kindOf(condition).words.amounts?.(condition, finds, noticeTexts(language));
  return {
    key: id,
    rule: ruleName,
    check: incident.checkName ?? "",
    server: incident.serverName ?? "",
    group: (ofCheck ?? ofServer)?.group ?? "",
    value: amounts?.value ?? "",
    threshold: amounts?.threshold ?? "",
    duration: toLasted(incident, options),
    target: ofCheck === undefined || isJudged(ofCheck.target) ? "" : describeTarget(ofCheck.target),
  };
}

/** Those that all have in common; the others are "". */
export function toShared(all: readonly NoticeFacts[]): NoticeFacts {
  const [first] = all;
  const shared = factNames.map((name) => [
    name,
    all.every((facts) => facts[name] === first?.[name]) ? (first?.[name] ?? "") : "",
  ]);
  // `as`: Object.fromEntries does not know the names.
  return Object.fromEntries(shared) as NoticeFacts;
}

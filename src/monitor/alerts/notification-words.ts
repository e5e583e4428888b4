/** The text of a notification about one incident: what, where, since when, the last values, one link. */
import { isJudged } from "../checks/judged.ts";
import { toWallText } from "../../kit/time/zone-times.ts";
import { CENTER } from "../checks/schema.ts";
import type { LatestSample } from "../fleet/live.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { MetricName } from "../base/metrics.ts";
import { MAX_NOTICE_TEXT, MAX_NOTICE_TITLE } from "../channels/kinds/notice.ts";
import { describeTarget } from "../../kit/probes/probes.ts";
import { clip } from "../channels/kinds/messages.ts";
import type { AddressedNotice } from "../channels/notification.ts";
import { toFacts, toLasted } from "./notification-facts.ts";
import type { NewIncident } from "./schema.ts";
import { readPart, readValue } from "./evaluate.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { WatchedType } from "./kinds/watched.ts";
import type { Direction } from "./notification-policy.ts";
import { type NoticeTexts, noticeTexts } from "./words/words.ts";
import type { CheckFacts, ServerFacts, WordsOptions } from "./words-options.ts";

/** The name of an incident's server or check when it began. */
function nameOf({ serverName, checkName }: NewIncident): string {
  return checkName ?? serverName ?? "";
}

function typeOf({ checkId }: NewIncident): WatchedType {
  return checkId === undefined ? "server" : "check";
}

const signs = { info: "🔵", warning: "🟠", critical: "🔴" } as const;
const RECOVERED = "🟢";
const CLOSED = "⚪";

/** The sign that shows the state in a phone's list of notifications. */
export function toSign({ severity, closedBy }: NewIncident, direction: Direction): string {
  if (direction === "down") return signs[severity];
  return closedBy === undefined || closedBy === "recovered" ? RECOVERED : CLOSED;
}

/** The same of what goes on; it may have begun only now. */
function toLastedSoFar(
  incident: NewIncident,
  options: WordsOptions,
): { readonly lasted: string; readonly begun: "now" | "before" } {
  const isNew = incident.durationSeconds === undefined && options.now - incident.since < 500;
  return { lasted: toLasted(incident, options), begun: isNew ? "now" : "before" };
}

/** The time of day, with the day when it is another one than today's. */
function toShortTime(ms: number, { now, timeZone }: WordsOptions): string {
  const [day = "", time = ""] = toWallText(ms, timeZone).split(" ");
  return toWallText(now, timeZone).startsWith(day) ? time : `${day} ${time}`;
}

/** Since when, for lines that say it. */
export function toSince(incident: NewIncident, options: WordsOptions): string {
  const time = toShortTime(incident.since, options);
  return noticeTexts(options.language)("since", { time, ...toLastedSoFar(incident, options) });
}

/** The problem in one line. */
export function toDownLine(incident: NewIncident, options: WordsOptions): string {
  const { condition, firedValue: value = Number.NaN, subject, found } = incident;
  const kind = kindOf(condition);
  const t = noticeTexts(options.language);
  const what = kind.words.down(condition, { value, now: options.now, found }, t);
  const line = nameOf(incident) + (subject === undefined ? what : `${what} (${subject})`);
  return kind.isOutage === true ? line + toSince(incident, options) : line;
}

/** That it is over, in one line. */
export function toUpLine(incident: NewIncident, options: WordsOptions): string {
  const { ruleName, condition, closedBy = "recovered", resolvedValue } = incident;
  const t = noticeTexts(options.language);
  const name = nameOf(incident);
  if (closedBy !== "recovered") {
    const reason = t(`closed.${closedBy}`, { of: typeOf(incident) });
    return name + t("closed", { rule: ruleName, reason });
  }
  const { cadence, words } = kindOf(condition);
  const line = name + words.up(condition, resolvedValue, t);
  // Hourly rules have no useful duration.
  return cadence === "report" ? line + t("after", { lasted: toLasted(incident, options) }) : line;
}

/** Names of regions, by language. */
const regions = new Map<Language, Intl.DisplayNames>();

function toRegionName(region: string, language: Language): string {
  const names =
    regions.get(language) ?? new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  regions.set(language, names);
  return names.of(region) ?? region;
}

/** Where it is: group, country, provider, tags. */
function toPlace(record: CheckFacts["record"] | ServerFacts["record"], language: Language): string {
  const { group, tags } = record;
  const { region, provider } = "region" in record ? record : { region: "", provider: "" };
  const country = region === "" ? "" : toRegionName(region, language);
  return [group, country, provider, ...tags.map((tag) => `#${tag}`)]
    .filter((part) => part !== "")
    .join(" · ");
}

/** The machine's last values, in whole percent; "" without any. */
function toValues(latest: LatestSample | undefined, t: NoticeTexts): string {
  if (latest === undefined) return "";
  const parts: string[] = [];
  const add = (name: string, percent: number): void => {
    if (Number.isFinite(percent)) parts.push(`${name} ${Math.round(percent)} %`);
  };
  const read = (name: MetricName): number => readValue(latest, name);
  add(t("value.cpu"), read("cpu.usagePercent"));
  add(t("value.memory"), read("memory.usedPercent"));
  const path = readPart({ latest }, "disk.fullestPercent");
  if (path === undefined) add(t("value.disk"), read("disk.usedPercent"));
  else add(`${t("value.fullest")} ${path}`, read("disk.fullestPercent"));
  return parts.join(t("comma"));
}

const MAX_PLACES = 10;

/** From where a check is down; "" where only the monitor itself looks. */
function toDownFrom(
  { places, reported }: { readonly places: readonly string[]; readonly reported: number },
  { language, describe }: WordsOptions,
): string {
  if (places.length === 0 || (reported === 1 && places[0] === CENTER)) return "";
  const t = noticeTexts(language);
  const names = places
    .slice(0, MAX_PLACES)
    .map((place) => (place === CENTER ? t("center") : (describe(place)?.record.name ?? place)));
  const left = places.length - names.length;
  const listed = [...names, ...(left > 0 ? [t("more", { count: left })] : [])].join(t("comma"));
  return t("downFrom", { names: listed, down: places.length, reported });
}

/** A check's result when the rule fired, and now. */
function toCheckLines(incident: NewIncident, facts: CheckFacts | undefined, options: WordsOptions): string[] {
  const { language, timeZone } = options;
  const t = noticeTexts(language);
  const { found, state } = incident;
  const places = facts?.standing?.places.filter(({ counts }) => counts) ?? [];
  const isOpen = state === "open";
  const down = places.filter(({ isDown }) => isDown).map(({ place }) => place);
  const from = isOpen && found !== undefined ? found : { places: down, reported: places.length };
  const latency = places.find(({ isDown, latencyMs }) => isDown === isOpen && latencyMs !== undefined);
  const target = facts?.record.target;
  return [
    target === undefined || isJudged(target) ? "" : t("target", { target: describeTarget(target) }),
    isOpen && found !== undefined && found.detail !== "" ? t("detail", { detail: found.detail }) : "",
    isOpen && found?.dueAt !== undefined
      ? t("due", { time: toWallText(found.dueAt, timeZone), zone: timeZone })
      : "",
    toDownFrom(from, options),
    latency?.latencyMs === undefined ? "" : t("latency", { ms: Math.round(latency.latencyMs) }),
  ];
}

/** Lines about the server or check itself. */
function toSubjectLines(
  incident: NewIncident,
  options: WordsOptions,
): { record: CheckFacts["record"] | ServerFacts["record"] | undefined; lines: readonly string[] } {
  const { serverId, checkId } = incident;
  if (checkId !== undefined) {
    const facts = options.describeCheck(checkId);
    return { record: facts?.record, lines: toCheckLines(incident, facts, options) };
  }
  const facts = serverId === undefined ? undefined : options.describe(serverId);
  const t = noticeTexts(options.language);
  const values = toValues(facts?.latest, t);
  const line = values === "" ? "" : t("values", { values });
  return { record: facts?.record, lines: [line] };
}

/** Where people see more of what an incident is about. */
function toPath({ serverId = "", checkId }: NewIncident): string {
  return checkId === undefined ? `/servers/${serverId}` : `/admin/checks/${checkId}`;
}

/** What an outage leaves without alerts of its own; "" where nothing depends on it. */
function toBehind(incident: NewIncident, options: WordsOptions): string {
  if (kindOf(incident.condition).isOutage !== true || incident.state === "closed") return "";
  const { checks, servers } = options.countBehind(incident);
  if (checks + servers === 0) return "";
  const kind = servers === 0 ? "checks" : checks === 0 ? "servers" : "both";
  return noticeTexts(options.language)(`behind.${kind}`, { checks, servers });
}

function toDetails(incident: NewIncident, options: WordsOptions): string[] {
  const { language, timeZone } = options;
  const t = noticeTexts(language);
  const { ruleName, severity, condition, since, resolvedAt, closedBy = "recovered" } = incident;
  const lasted = toLasted(incident, options);
  const from = toWallText(since, timeZone);
  const { record, lines } = toSubjectLines(incident, options);
  return [
    closedBy === "recovered" ? "" : t(`line.closed.${closedBy}`, { of: typeOf(incident) }),
    record === undefined ? "" : toPlace(record, language),
    resolvedAt === undefined
      ? t("line.since", { time: from, zone: timeZone, ...toLastedSoFar(incident, options) })
      : t("line.until", { from, until: toWallText(resolvedAt, timeZone), zone: timeZone, lasted }),
    toBehind(incident, options),
    ...lines,
    t("rule", { name: ruleName, severity: t(`severity.${severity}`) }),
    t("condition", { condition: kindOf(condition).words.condition(condition, t) }),
  ].filter((line) => line !== "");
}

/** That someone acknowledged it; for receivers that keep alerts of their own. */
export function toAcknowledged(incident: NewIncident, options: WordsOptions): AddressedNotice | undefined {
  const { id, told, state, acknowledgedBy: name = "" } = incident;
  if (!told.down || state === "closed") return undefined;
  return {
    ...toNotice(incident, "down", options),
    kind: "acknowledged",
    text: noticeTexts(options.language)("acknowledged", { name }),
    key: `${id}:acknowledged`,
  };
}

/** One incident that began, lasts or ended. */
export function toNotice(
  incident: NewIncident,
  direction: Direction,
  options: WordsOptions & {
    /** Of one that is sent once more: why, and its key. */
    readonly again?: { readonly kind: "reminder" | "escalation"; readonly key: string };
  },
): AddressedNotice {
  const { id, condition, severity, channelIds, group, state } = incident;
  const { again } = options;
  const line = direction === "down" ? toDownLine(incident, options) : toUpLine(incident, options);
  const repeated = again === undefined ? "" : noticeTexts(options.language)(again.kind);
  const firing = again?.kind === "reminder" ? "reminder" : kindOf(condition).notice;
  return {
    kind: direction === "up" ? "resolved" : firing,
    severity,
    title: clip(`${toSign(incident, direction)} ${repeated}${line}`, MAX_NOTICE_TITLE),
    text: clip(toDetails(incident, options).join("\n"), MAX_NOTICE_TEXT),
    ...(options.publicUrl === undefined ? {} : { url: options.publicUrl + toPath(incident) }),
    channelIds,
    key: again?.key ?? `${id}:${direction}`,
    thread: group ?? id,
    facts: toFacts(incident, direction, options),
    isOver: direction === "down" && state === "closed",
  };
}

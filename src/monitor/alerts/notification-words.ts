/** The text of a notification about one incident: what, where, since when, the last values, one link. */
import { toWallText } from "../../kit/time/zone-times.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { LatestSample, Live } from "../fleet/live.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { Language } from "../labels.ts";
import type { MetricName } from "../metrics.ts";
import type { ServerRecord, SettingsRecord } from "../schema.ts";
import type { PublicAddress } from "../site/public-address.ts";
import { toTimeZone } from "../site/settings.ts";
import { MAX_NOTICE_TEXT, MAX_NOTICE_TITLE } from "../channels/kinds/notice.ts";
import { clip } from "../channels/kinds/messages.ts";
import type { AddressedNotice } from "../channels/notification.ts";
import type { NewIncident } from "./schema.ts";
import { readPart, readValue } from "./evaluate.ts";
import { toDurationText } from "./words/amounts.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { Direction } from "./notification-policy.ts";
import { noticeWords } from "./words/words.ts";

/** How notifications are written. */
export interface WordsOptions {
  /** Where people reach the service, without a slash at its end; undefined: no link. */
  readonly publicUrl: string | undefined;
  readonly language: Language;
  readonly timeZone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What is known of a server; undefined when it is gone. */
  readonly describe: (serverId: string) => ServerFacts | undefined;
}

/** What a notification says of a server. */
export interface ServerFacts {
  readonly record: Pick<ServerRecord, "group" | "region" | "provider" | "tags">;
  readonly latest: LatestSample | undefined;
}

/** How notifications are written now. */
export function toWordsOptions(
  settings: SettingsRecord,
  deps: {
    clock: Clock;
    directory: Pick<PublicSnapshot, "findRecord">;
    live: Pick<Live, "get">;
    address?: Pick<PublicAddress, "publicUrl"> | undefined;
  },
): WordsOptions {
  const { clock, directory, live, address } = deps;
  return {
    publicUrl: address?.publicUrl,
    language: settings.language,
    timeZone: toTimeZone(settings),
    now: clock.now(),
    describe: (serverId) => {
      const record = directory.findRecord(serverId);
      return record && { record, latest: live.get(serverId).latest };
    },
  };
}

const signs = { info: "🔵", warning: "🟠", critical: "🔴" } as const;
const RECOVERED = "🟢";
const CLOSED = "⚪";

/** The sign by which a phone's list shows how it stands. */
export function toSign({ severity, closedBy }: NewIncident, direction: Direction): string {
  if (direction === "down") return signs[severity];
  return closedBy === undefined || closedBy === "recovered" ? RECOVERED : CLOSED;
}

/** How long it has lasted, or did. */
export function toLasted(incident: NewIncident, { now, language }: WordsOptions): string {
  const { since, durationSeconds } = incident;
  return toDurationText(durationSeconds ?? Math.max(0, Math.round((now - since) / 1_000)), language);
}

/** The time of day, with the day when it is another one than today's. */
function toShortTime(ms: number, { now, timeZone }: WordsOptions): string {
  const [day = "", time = ""] = toWallText(ms, timeZone).split(" ");
  return toWallText(now, timeZone).startsWith(day) ? time : `${day} ${time}`;
}

/** Since when, for lines that say it. */
export function toSince(incident: NewIncident, options: WordsOptions): string {
  const lasted = toLasted(incident, options);
  return noticeWords[options.language].since(toShortTime(incident.since, options), lasted);
}

/** What is wrong, in one line. */
export function toDownLine(incident: NewIncident, options: WordsOptions): string {
  const { serverName, condition, firedValue = Number.NaN, subject } = incident;
  const kind = kindOf(condition);
  const found = serverName + kind.words[options.language].down(condition, firedValue);
  const line = subject === undefined ? found : `${found} (${subject})`;
  return kind.isSinceLastSeen ? line + toSince(incident, options) : line;
}

/** That it is over, in one line. */
export function toUpLine(incident: NewIncident, options: WordsOptions): string {
  const { serverName, ruleName, condition, closedBy = "recovered", resolvedValue } = incident;
  const words = noticeWords[options.language];
  if (closedBy !== "recovered") return serverName + words.closed(ruleName, closedBy);
  const { cadence, words: own } = kindOf(condition);
  const line = serverName + own[options.language].up(condition, resolvedValue);
  // What changes by the hour has no length that anybody asks for.
  return cadence === "report" ? line + words.after(toLasted(incident, options)) : line;
}

/** Names of regions, by language. */
const regions = new Map<Language, Intl.DisplayNames>();

function toRegionName(region: string, language: Language): string {
  const names =
    regions.get(language) ?? new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  regions.set(language, names);
  return names.of(region) ?? region;
}

/** Where the server is: group, country, provider, tags. */
function toPlace({ group, region, provider, tags }: ServerFacts["record"], language: Language): string {
  const country = region === "" ? "" : toRegionName(region, language);
  return [group, country, provider, ...tags.map((tag) => `#${tag}`)]
    .filter((part) => part !== "")
    .join(" · ");
}

/** What the machine reported last, in whole percent; "" when it said nothing. */
function toValues(latest: LatestSample | undefined, language: Language): string {
  if (latest === undefined) return "";
  const { listComma, valueNames } = noticeWords[language];
  const parts: string[] = [];
  const add = (name: string, percent: number): void => {
    if (Number.isFinite(percent)) parts.push(`${name} ${Math.round(percent)} %`);
  };
  const read = (name: MetricName): number => readValue(latest, name);
  add(valueNames.cpu, read("cpu.usagePercent"));
  add(valueNames.memory, read("memory.usedPercent"));
  const path = readPart({ latest }, "disk.fullestPercent");
  if (path === undefined) add(valueNames.disk, read("disk.usedPercent"));
  else add(`${valueNames.fullest} ${path}`, read("disk.fullestPercent"));
  return parts.join(listComma);
}

function toDetails(incident: NewIncident, options: WordsOptions): string[] {
  const { language, timeZone, describe } = options;
  const words = noticeWords[language];
  const { ruleName, severity, condition, since, resolvedAt, closedBy = "recovered", serverId } = incident;
  const lasted = toLasted(incident, options);
  const from = toWallText(since, timeZone);
  const facts = describe(serverId);
  const values = toValues(facts?.latest, language);
  return [
    closedBy === "recovered" ? "" : words.closedLines[closedBy],
    facts === undefined ? "" : toPlace(facts.record, language),
    resolvedAt === undefined
      ? words.sinceLine(from, timeZone, lasted)
      : words.untilLine(from, toWallText(resolvedAt, timeZone), { zone: timeZone, lasted }),
    values === "" ? "" : words.values(values),
    words.rule(ruleName, words.severities[severity]),
    words.condition(kindOf(condition).words[language].condition(condition)),
  ].filter((line) => line !== "");
}

/** One incident that began, lasts or ended. */
export function toNotice(
  incident: NewIncident,
  direction: Direction,
  options: WordsOptions & { readonly reminder?: string },
): AddressedNotice {
  const { id, condition, severity, channelIds, serverId, group } = incident;
  const { reminder } = options;
  const line = direction === "down" ? toDownLine(incident, options) : toUpLine(incident, options);
  const repeated = reminder === undefined ? "" : noticeWords[options.language].reminder;
  const firing = reminder === undefined ? kindOf(condition).notice : "reminder";
  return {
    kind: direction === "up" ? "resolved" : firing,
    severity,
    title: clip(`${toSign(incident, direction)} ${repeated}${line}`, MAX_NOTICE_TITLE),
    text: clip(toDetails(incident, options).join("\n"), MAX_NOTICE_TEXT),
    ...(options.publicUrl === undefined ? {} : { url: `${options.publicUrl}/servers/${serverId}` }),
    channelIds,
    key: reminder ?? `${id}:${direction}`,
    thread: group ?? id,
  };
}

/** The text of notifications about incidents: one alone, several together, and the digest after quiet hours. */
import { toWallText } from "../../kit/time/zone-times.ts";
import {
  type Notice,
  MAX_NOTICE_TEXT,
  MAX_NOTICE_TITLE,
  noticeSeverities,
} from "../channels/kinds/notice.ts";
import type { AddressedNotice } from "../channels/notification.ts";
import type { ClosingReason, NewIncident } from "./schema.ts";
import { toDurationText } from "./kinds/amounts.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { Direction } from "./notification-policy.ts";

/** Most names in one message. */
const MAX_NAMES = 50;
/** Characters kept free for what follows the list. */
const TAIL = 100;

export interface WordsOptions {
  /** Where people reach the service, without a slash at its end; undefined: no link. */
  readonly publicUrl: string | undefined;
  /** Time zone shown beside UTC; undefined: UTC alone. */
  readonly timeZone: string | undefined;
}

const closingWords: Readonly<Record<ClosingReason, string>> = {
  recovered: "it recovered",
  rule_changed: "the rule was changed",
  rule_disabled: "the rule was switched off",
  rule_deleted: "the rule was deleted",
  server_gone: "the server was deleted",
  server_disabled: "the server was disabled",
  left_scope: "the rule does not watch it any more",
};

function clip(text: string, length: number): string {
  // Half a surrogate pair is no character.
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** What is wrong, in one line. */
function toDownLine({ serverName, condition, firedValue = Number.NaN }: NewIncident): string {
  return serverName + kindOf(condition).words.down(condition, firedValue);
}

/** That it is over, in one line. */
function toUpLine({ serverName, ruleName, condition, closedBy, resolvedValue }: NewIncident): string {
  if (closedBy !== "recovered") return `${serverName}: "${ruleName}" is not watched any more`;
  return serverName + kindOf(condition).words.up(condition, resolvedValue);
}

/** An instant (epoch milliseconds) in UTC, and on the walls of `timeZone` when that is given. */
function toTimeText(ms: number, timeZone: string | undefined): string {
  const utc = new Date(ms).toISOString().replace(/\.\d{3}Z$/u, "Z");
  return timeZone === undefined ? utc : `${utc} (${toWallText(ms, timeZone)} ${timeZone})`;
}

function toDetails(incident: NewIncident, { timeZone }: WordsOptions): string[] {
  const { ruleName, severity, condition, since, resolvedAt, durationSeconds, closedBy } = incident;
  const lines = [
    `Rule: ${ruleName} (${severity})`,
    `Condition: ${kindOf(condition).words.condition(condition)}`,
    `Since: ${toTimeText(since, timeZone)}`,
  ];
  if (resolvedAt !== undefined) lines.push(`Until: ${toTimeText(resolvedAt, timeZone)}`);
  if (durationSeconds !== undefined) lines.push(`Duration: ${toDurationText(durationSeconds)}`);
  if (closedBy !== undefined) lines.push(`Closed because ${closingWords[closedBy]}`);
  return lines;
}

/** One incident that began or ended. */
export function toNotice(
  incident: NewIncident,
  direction: Direction,
  options: WordsOptions,
): AddressedNotice {
  const { id, condition, severity, channelIds, serverId, group } = incident;
  const line = direction === "down" ? toDownLine(incident) : toUpLine(incident);
  return {
    kind: direction === "up" ? "resolved" : kindOf(condition).notice,
    severity,
    title: clip(line, MAX_NOTICE_TITLE),
    text: clip([line, ...toDetails(incident, options)].join("\n"), MAX_NOTICE_TEXT),
    ...(options.publicUrl === undefined ? {} : { url: `${options.publicUrl}/servers/${serverId}` }),
    channelIds,
    key: `${id}:${direction}`,
    thread: group ?? id,
  };
}

/** A headed part of a message about several incidents. */
interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The sections, one name a line; what does not fit is counted. */
function toListText(sections: readonly Section[]): string {
  const lines: string[] = [];
  let length = 0;
  let names = 0;
  let left = 0;
  for (const { heading, lines: own } of sections) {
    if (own.length === 0) continue;
    lines.push(heading);
    length += heading.length + 1;
    for (const line of own) {
      if (names >= MAX_NAMES || length + line.length + 3 > MAX_NOTICE_TEXT - TAIL) {
        left += 1;
        continue;
      }
      names += 1;
      length += line.length + 3;
      lines.push(`- ${line}`);
    }
  }
  if (left > 0) lines.push(`and ${left} more`);
  return lines.join("\n");
}

function withDuration(line: string, { durationSeconds }: NewIncident): string {
  return durationSeconds === undefined ? line : `${line} (${toDurationText(durationSeconds)})`;
}

function toSections(incidents: readonly NewIncident[]): readonly (Section & { readonly name: string })[] {
  const down = incidents.filter(({ owed, state }) => owed === "down" && state === "open");
  const passed = incidents.filter(({ owed, state }) => owed === "down" && state === "closed");
  const up = incidents.filter(({ owed }) => owed === "up");
  return [
    { name: "still firing", heading: "Still firing:", lines: down.map(toDownLine) },
    {
      name: "came and went",
      heading: "Came and went:",
      lines: passed.map((incident) => withDuration(toDownLine(incident), incident)),
    },
    {
      name: "over",
      heading: "Over:",
      lines: up.map((incident) => withDuration(toUpLine(incident), incident)),
    },
  ];
}

function toCountsText(sections: readonly (Section & { readonly name: string })[]): string {
  const counts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, name }) => `${lines.length} ${name}`);
  return counts.join(", ");
}

function toMassTitle(incidents: readonly NewIncident[], direction: Direction): string {
  const open = incidents.filter(({ state }) => state === "open");
  if (direction === "down" && open.length === 0) return `${incidents.length} alerts came and went`;
  const counted = direction === "down" ? open : incidents;
  const [first] = counted;
  const isOneKind = counted.every(
    ({ condition, closedBy = "recovered" }) =>
      condition.kind === first?.condition.kind && closedBy === "recovered",
  );
  const many = first === undefined || !isOneKind ? undefined : kindOf(first.condition).words.many;
  if (many === undefined) return `${counted.length} alerts are ${direction === "down" ? "firing" : "over"}`;
  return `${new Set(counted.map(({ serverId }) => serverId)).size} ${many[direction]}`;
}

function toSeverity(incidents: readonly NewIncident[]): Notice["severity"] {
  const worst = Math.max(...incidents.map(({ severity }) => noticeSeverities.indexOf(severity)));
  return noticeSeverities[worst] ?? "info";
}

/** The direction they share; undefined when some begin and some end. */
function findDirection(incidents: readonly NewIncident[]): Direction | undefined {
  const isUp = ({ owed }: NewIncident): boolean => owed === "up";
  if (incidents.every(isUp)) return "up";
  return incidents.some(isUp) ? undefined : "down";
}

function toTogether(
  incidents: readonly NewIncident[],
  kind: "mass" | "digest",
): Pick<Notice, "kind" | "title" | "text"> {
  const sections = toSections(incidents);
  const text = toListText(sections);
  const counts = toCountsText(sections);
  if (kind === "digest") return { kind, title: `Quiet hours are over: ${counts}`, text };
  const direction = findDirection(incidents);
  // Some came back and failed again before the recovery was sent.
  if (direction === undefined) return { kind: "digest", title: counts, text };
  const isReminder = incidents.every(({ condition }) => kindOf(condition).notice === "reminder");
  const beginning = isReminder ? "reminder" : "firing";
  return {
    kind: direction === "up" ? "resolved" : beginning,
    title: toMassTitle(incidents, direction),
    text,
  };
}

/**
 * Notifications about several incidents: one per channel, with only its own incidents. A channel with a single
 * incident gets that incident's text.
 */
export function toGroupNotices(
  incidents: readonly NewIncident[],
  options: WordsOptions & { readonly kind: "mass" | "digest"; readonly batch: string },
): readonly AddressedNotice[] {
  const { kind, batch, publicUrl } = options;
  const channelIds = new Set(incidents.flatMap((incident) => incident.channelIds));
  return Array.from(channelIds, (channelId) => {
    const own = incidents.filter((incident) => incident.channelIds.includes(channelId));
    const addressed = { channelIds: [channelId], key: `${batch}:${kind}`, thread: batch };
    const [only] = own;
    if (only !== undefined && own.length === 1 && kind !== "digest")
      return { ...toNotice(only, only.owed ?? "down", options), ...addressed };
    return {
      ...toTogether(own, kind),
      severity: toSeverity(own),
      ...(publicUrl === undefined ? {} : { url: `${publicUrl}/` }),
      ...addressed,
    };
  });
}

/** The text of notifications about several incidents, and of the digest after quiet hours. */
import {
  type Notice,
  MAX_NOTICE_TEXT,
  MAX_NOTICE_TITLE,
  noticeSeverities,
} from "../channels/kinds/notice.ts";
import { clip } from "../channels/kinds/messages.ts";
import type { AddressedNotice } from "../channels/notification.ts";
import { toFacts, toShared } from "./notification-facts.ts";
import { kindOf } from "./kinds/kinds.ts";
import { toWatchedKey } from "./kinds/watched.ts";
import type { NewIncident } from "./schema.ts";
import type { Direction } from "./notification-policy.ts";
import { toDownLine, toNotice, toSign, toSince, toUpLine } from "./notification-words.ts";
import type { WordsOptions } from "./words-options.ts";
import { type NoticeTexts, noticeTexts } from "./words/words.ts";

/** Most names in one message. */
const MAX_NAMES = 50;
/** Characters kept free for what follows the list. */
const TAIL = 100;

/** A section of a notification: incidents that are open, short-lived or resolved. */
interface Section {
  readonly name: "firing" | "passed" | "over";
  readonly lines: readonly string[];
}

/** The sections, one name a line; what does not fit is counted. */
function toListText(sections: readonly Section[], t: NoticeTexts): string {
  const lines: string[] = [];
  let length = 0;
  let names = 0;
  let left = 0;
  for (const { name, lines: own } of sections) {
    const heading = t(`heading.${name}`);
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
  if (left > 0) lines.push(t("more", { count: left }));
  return lines.join("\n");
}

function toListLine(incident: NewIncident, direction: Direction, options: WordsOptions): string {
  const sign = toSign(incident, direction);
  if (direction === "up") return `${sign} ${toUpLine(incident, options)}`;
  const line = toDownLine(incident, options);
  // An outage says since when by itself.
  return `${sign} ${line}${kindOf(incident.condition).isOutage ? "" : toSince(incident, options)}`;
}

function toSections(incidents: readonly NewIncident[], options: WordsOptions): readonly Section[] {
  const toLines = (direction: Direction, isIn: (incident: NewIncident) => boolean): readonly string[] =>
    incidents.filter(isIn).map((incident) => toListLine(incident, direction, options));
  const sections: readonly Section[] = [
    { name: "firing", lines: toLines("down", ({ owed, state }) => owed === "down" && state === "open") },
    { name: "passed", lines: toLines("down", ({ owed, state }) => owed === "down" && state === "closed") },
    { name: "over", lines: toLines("up", ({ owed }) => owed === "up") },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

function toMassTitle(
  incidents: readonly NewIncident[],
  direction: Direction,
  { language }: WordsOptions,
): string {
  const t = noticeTexts(language);
  const open = incidents.filter(({ state }) => state === "open");
  if (direction === "down" && open.length === 0) return t("passed", { count: incidents.length });
  const counted = direction === "down" ? open : incidents;
  const [first] = counted;
  const isOneKind = counted.every(
    ({ condition, closedBy = "recovered" }) =>
      condition.kind === first?.condition.kind && closedBy === "recovered",
  );
  const many = first === undefined || !isOneKind ? undefined : kindOf(first.condition).words.many;
  return (
    many?.(direction, new Set(counted.map(toWatchedKey)).size, t) ??
    t(`many.${direction}`, { count: counted.length })
  );
}

function findWorst(incidents: readonly NewIncident[]): NewIncident | undefined {
  const rank = ({ severity }: NewIncident): number => noticeSeverities.indexOf(severity);
  return incidents.toSorted((a, b) => rank(b) - rank(a))[0];
}

/** The direction they share; undefined when some begin and some end. */
function findDirection(incidents: readonly NewIncident[]): Direction | undefined {
  const isUp = ({ owed }: NewIncident): boolean => owed === "up";
  if (incidents.every(isUp)) return "up";
  return incidents.some(isUp) ? undefined : "down";
}

type Together = Pick<Notice, "kind" | "title" | "text">;

function toTogether(
  incidents: readonly NewIncident[],
  { worst, ...options }: WordsOptions & { kind: GroupKind; worst: NewIncident },
): Together {
  const { kind } = options;
  const t = noticeTexts(options.language);
  const sections = toSections(incidents, options);
  const text = toListText(sections, t);
  const counts = sections
    .map(({ name, lines }) => t(`count.${name}`, { count: lines.length }))
    .join(t("comma"));
  const direction = findDirection(incidents);
  const sign = toSign(worst, direction === "up" ? "up" : "down");
  if (kind === "digest") return { kind, title: `${sign} ${t("digest", { counts })}`, text };
  // Some came back and failed again before the recovery was sent.
  if (direction === undefined) return { kind: "digest", title: `${sign} ${counts}`, text };
  const isReminder = incidents.every(({ condition }) => kindOf(condition).notice === "reminder");
  const beginning = isReminder || kind === "reminder" ? "reminder" : "firing";
  const repeated = kind === "reminder" || kind === "escalation" ? t(kind) : "";
  return {
    kind: direction === "up" ? "resolved" : beginning,
    title: `${sign} ${repeated}${toMassTitle(incidents, direction, options)}`,
    text,
  };
}

/** Many at once, what waited for the end of quiet hours, or what still lasts. */
export type GroupKind = "mass" | "digest" | "reminder" | "escalation";

/**
 * Notifications about several incidents: one per channel, with only its own incidents. A channel with a single
 * incident gets that incident's text.
 */
export function toGroupNotices(
  incidents: readonly NewIncident[],
  options: WordsOptions & { readonly kind: GroupKind; readonly batch: string },
): readonly AddressedNotice[] {
  const { kind, batch, publicUrl } = options;
  const channelIds = new Set(incidents.flatMap((incident) => incident.channelIds));
  return Array.from(channelIds, (channelId): readonly AddressedNotice[] => {
    const own = incidents.filter((incident) => incident.channelIds.includes(channelId));
    const worst = findWorst(own);
    if (worst === undefined) return [];
    const key = `${batch}:${kind}`;
    const addressed = { channelIds: [channelId], key, thread: batch };
    if (own.length === 1 && kind !== "digest") {
      const repeated = kind === "reminder" || kind === "escalation" ? { again: { kind, key } } : {};
      return [{ ...toNotice(worst, worst.owed ?? "down", { ...options, ...repeated }), ...addressed }];
    }
    const toPart = (incident: NewIncident): AddressedNotice => {
      const again = { kind, key: `${key}:${incident.id}` };
      const repeated = kind === "reminder" || kind === "escalation" ? { again: { ...again, kind } } : {};
      return {
        ...toNotice(incident, incident.owed ?? "down", { ...options, ...repeated }),
        channelIds: [channelId],
      };
    };
    const { title, ...rest } = toTogether(own, { ...options, worst });
    return [
      {
        ...rest,
        title: clip(title, MAX_NOTICE_TITLE),
        severity: worst.severity,
        ...(publicUrl === undefined ? {} : { url: `${publicUrl}/` }),
        ...addressed,
        facts: toShared(own.map((incident) => toFacts(incident, incident.owed ?? "down", options))),
        parts: () => own.map(toPart),
      },
    ];
  }).flat();
}

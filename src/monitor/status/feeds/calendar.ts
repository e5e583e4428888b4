/** Planned maintenance of a page as a calendar (RFC 5545), which programs ask for again and again. */
import { cutUtf8 } from "./cut-octets.ts";
import type { FeedSource } from "./atom.ts";
import type { PostRecord } from "../schema.ts";

const DAY_MS = 86_400_000;
/** Past events stay this long. */
const PAST_MS = 90 * DAY_MS;
const MAX_EVENTS = 500;
/** Octets of a line without its end (RFC 5545 section 3.1). */
const LINE_OCTETS = 75;

/** A text as a value (RFC 5545 section 3.3.11). */
function escapeText(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll(";", "\\;")
    .replaceAll(",", "\\,")
    .replaceAll(/\r\n|\r|\n/gu, "\\n");
}

/** A time in UTC (RFC 5545 section 3.3.5). */
function toTime(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/gu, "");
}

/** Lines in pieces of at most 75 octets, each further one behind a space. */
function fold(line: string): string {
  const [first = "", ...rest] = cutUtf8(line, { first: LINE_OCTETS, further: LINE_OCTETS - 1 });
  return [first, ...rest.map((piece) => ` ${piece}`)].join("\r\n");
}

function toEvent({ page, pageUrl }: FeedSource, post: PostRecord): string[] {
  const { plannedFrom = post.startedAt, plannedTo = plannedFrom, endedAt } = post;
  const isCancelled = endedAt !== undefined && endedAt <= plannedFrom;
  // Over before its time, or later: as it was.
  const end = endedAt === undefined || isCancelled ? plannedTo : Math.max(endedAt, plannedFrom + 1_000);
  const concerned = page.components.flatMap(({ id = "", name }) =>
    Object.hasOwn(post.components, id) ? [name] : [],
  );
  const text = [post.updates.at(-1)?.text ?? "", concerned.join(", ")].filter((part) => part !== "");
  return [
    "BEGIN:VEVENT",
    `UID:${post.id}@${page.id}`,
    `DTSTAMP:${toTime(post.updatedAt)}`,
    `CREATED:${toTime(post.createdAt)}`,
    `LAST-MODIFIED:${toTime(post.updatedAt)}`,
    `SEQUENCE:${post.version}`,
    `DTSTART:${toTime(plannedFrom)}`,
    `DTEND:${toTime(end)}`,
    `SUMMARY:${escapeText(post.title)}`,
    ...(text.length === 0 ? [] : [`DESCRIPTION:${escapeText(text.join("\n\n"))}`]),
    `URL:${pageUrl}/incidents/${post.id}`,
    `STATUS:${isCancelled ? "CANCELLED" : "CONFIRMED"}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** The calendar as a text; `now` in epoch milliseconds. */
export function toCalendar(source: FeedSource, now: number): string {
  const { page, posts } = source;
  const planned = posts
    .filter(({ type, state, plannedTo = 0 }) => {
      return type === "maintenance" && state !== "draft" && plannedTo > now - PAST_MS;
    })
    .toSorted((a, b) => (b.plannedFrom ?? 0) - (a.plannedFrom ?? 0))
    .slice(0, MAX_EVENTS);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Trivet//Status page//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escapeText(page.title)}`,
    `X-WR-CALNAME:${escapeText(page.title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...planned.flatMap((post) => toEvent(source, post)),
    "END:VCALENDAR",
  ];
  return `${lines.map(fold).join("\r\n")}\r\n`;
}

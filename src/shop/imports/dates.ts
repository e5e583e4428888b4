/** Dates as shops and spreadsheets write them: "2026-12-31", "31.12.2026", "12/31/26", "2025-12-08 11:28:18 -0600". */
import { addDays } from "../../kit/time/zone-days.ts";
import { toInstant } from "../../kit/time/zone-times.ts";
import { type Said, say, toQuote } from "./said.ts";
import type { ImportOptions } from "./schema.ts";

/** How the dates of a file are read. */
export interface DateRules {
  readonly timeZone: string;
  readonly dateOrder: ImportOptions["dateOrder"];
}

/** A time, with whether the cell named only a day; or what is wrong. */
export type ReadDate =
  | { readonly at: number; readonly isDay: boolean; readonly day: string }
  | { readonly problem: Said };

const MONTH_LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "el"];

/** Names of months in small letters without dots, long and short. */
const months: ReadonlyMap<string, number> = new Map(
  MONTH_LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) => {
      const form = new Intl.DateTimeFormat(language, { month, day: "numeric", timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, at): [string, number] => {
        const parts = form.formatToParts(Date.UTC(2026, at, 15));
        const name = parts.find(({ type }) => type === "month")?.value ?? "";
        return [name.toLowerCase().replaceAll(".", ""), at + 1];
      });
    }),
  ),
);

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function toText({ year, month, day }: Day): string | undefined {
  const full = year < 100 ? year + 2_000 : year;
  const text = `${String(full).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const real = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(text) ? text : undefined;
}

function toDay(year: string, month: string, day: string): Day {
  return { year: Number(year), month: Number(month), day: Number(day) };
}

/** The days that a text can be; two where the order is not certain. */
function listDays(text: string, order: DateRules["dateOrder"]): Day[] {
  const iso = /^(\d{4})(?:[-/.]|年 ?)(\d{1,2})(?:[-/.]|月 ?)(\d{1,2})日?$/u.exec(text);
  if (iso !== null) return [toDay(iso[1] ?? "", iso[2] ?? "", iso[3] ?? "")];
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})$/u.exec(text);
  if (dotted !== null) return [toDay(dotted[3] ?? "", dotted[2] ?? "", dotted[1] ?? "")];
  const [, one = "", two = "", year = ""] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/u.exec(text) ?? [];
  if (year !== "") {
    const both = [toDay(year, two, one), toDay(year, one, two)].filter((day) => toText(day) !== undefined);
    if (order !== undefined) return [order === "dmy" ? toDay(year, two, one) : toDay(year, one, two)];
    return one === two ? both.slice(0, 1) : both;
  }
  const words = text
    .toLowerCase()
    .replaceAll(/[.,]|\b(?:de|of)\b|(?<=\d)(?:st|nd|rd|th)\b/gu, " ")
    .trim()
    .split(/\s+/u);
  const month = words.map((word) => months.get(word)).find((found) => found !== undefined);
  const [first = "", second = ""] = words.filter((word) => /^\d+$/u.test(word));
  if (month === undefined || words.length !== 3 || second === "") return [];
  return [first.length === 4 ? toDay(first, String(month), second) : toDay(second, String(month), first)];
}

interface Clock {
  readonly minutes: number;
  readonly seconds: number;
  /** Minutes east of UTC; undefined: in the file's zone. */
  readonly offset: number | undefined;
}

const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(am|pm|a\.m\.|p\.m\.)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/iu;

/** The day of a text, and the time behind it; undefined for a time that cannot be read. */
function splitTime(text: string): { readonly day: string; readonly clock?: Clock } | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) return { day: text };
  const start = colon - (/\d{1,2}$/u.exec(text.slice(Math.max(0, colon - 2), colon))?.[0].length ?? 0);
  const [whole, hours = "", minutes = "", seconds = "0", half = "", zone] =
    TIME.exec(text.slice(start)) ?? [];
  if (whole === undefined) return undefined;
  const isLate = /^p/iu.test(half);
  const hour = half === "" ? Number(hours) : (Number(hours) % 12) + (isLate ? 12 : 0);
  const [, sign = "+", east = "0", more = "0"] = /^([+-])(\d{2}):?(\d{2})$/u.exec(zone ?? "") ?? [];
  const offset = (Number(east) * 60 + Number(more)) * (sign === "-" ? -1 : 1);
  const clock = {
    minutes: hour * 60 + Number(minutes),
    seconds: Number(seconds),
    offset: zone === undefined ? undefined : offset,
  };
  return { day: text.slice(0, start).trim().replace(/[T,]$/u, "").trim(), clock };
}

/** Digits of other scripts, and marks of direction. */
function toPlain(cell: string): string {
  return cell
    .normalize("NFKC")
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => String(digit.charCodeAt(0) & 0x0f))
    .replaceAll(/[\u200e\u200f\u061c]/gu, "")
    .split(/\s+/u)
    .join(" ")
    .trim();
}

const problem = (cell: string): ReadDate => ({
  problem: say("import.coupon.date", { value: toQuote(cell) }),
});

/** Reads a day or a time. A day begins at 00:00 in the zone. */
export function readDate(cell: string, { timeZone, dateOrder }: DateRules): ReadDate {
  const text = toPlain(cell);
  // WordPress stores seconds since 1970.
  if (/^\d{10}$/u.test(text)) {
    const at = Number(text) * 1_000;
    return { at, isDay: false, day: new Date(at).toISOString().slice(0, 10) };
  }
  const parts = text.length > 100 ? undefined : splitTime(text);
  if (parts === undefined) return problem(cell);
  const { clock } = parts;
  const days = listDays(parts.day, dateOrder).flatMap((day) => toText(day) ?? []);
  const [day, other] = days;
  if (day === undefined) return problem(cell);
  if (other !== undefined) {
    const values = { value: toQuote(cell), first: day, second: other };
    return { problem: say("import.coupon.dateTwo", values) };
  }
  if (clock === undefined)
    return { at: toInstant({ day, minutes: 0 }, { timeZone, pick: "first" }), isDay: true, day };
  const { minutes, seconds, offset } = clock;
  if (minutes >= 1_440 || seconds >= 60) return problem(cell);
  const at =
    offset === undefined
      ? toInstant({ day, minutes }, { timeZone, pick: "first" })
      : Date.parse(`${day}T00:00:00Z`) + (minutes - offset) * 60_000;
  return { at: at + seconds * 1_000, isDay: false, day };
}

/** The end of what a cell names: of the whole day where it names one. */
export function readEnd(cell: string, rules: DateRules): ReadDate {
  const read = readDate(cell, rules);
  if (!("at" in read) || !read.isDay) return read;
  const next = addDays(read.day, 1);
  return { ...read, at: toInstant({ day: next, minutes: 0 }, { timeZone: rules.timeZone, pick: "first" }) };
}

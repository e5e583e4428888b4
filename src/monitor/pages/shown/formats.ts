/** Times, spans and figures for people, in their language and the owner's zone. */
import type { Language } from "../../../kit/text/languages.ts";

/** Languages and zones come from settings: there are few, and this only bounds the unexpected. */
const MAX_KEPT = 200;
const MINUTE_MS = 60_000;
const kept = new Map<string, Intl.DateTimeFormat>();

function findFormat(key: string, make: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

const shapes = {
  /** "Nov 23, 2026, 14:02 UTC": the zone is named. */
  time: {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  },
  /** "14:02 UTC". */
  clock: { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" },
  /** "Nov 23". */
  day: { month: "short", day: "numeric" },
  /** "November 2026". */
  month: { year: "numeric", month: "long" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Formats of one language and zone. */
export interface Formats {
  /** A moment, by its shape; epoch milliseconds. */
  time(ms: number, shape?: keyof typeof shapes): string;
  /** How long something took or takes: "18 minutes", "2 hours", "3 days". */
  duration(ms: number): string;
  /** A percentage, never rounded up to 100: "99.98%". */
  percent(percent: number): string;
  milliseconds(ms: number): string;
  /** "Website, Shop and Mail". */
  list(items: readonly string[]): string;
}

/** The largest unit of which there are two at least, or minutes. */
function toUnit(ms: number): [number, "day" | "hour" | "minute"] {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes >= 48 * 60) return [Math.round(minutes / 1_440), "day"];
  return minutes >= 120 ? [Math.round(minutes / 60), "hour"] : [minutes, "minute"];
}

export function createFormats(language: Language, timeZone: string): Formats {
  const number = (value: number, options: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(language, options).format(value);
  return {
    time: (ms, shape = "time") =>
      findFormat(
        `${language} ${timeZone} ${shape}`,
        () => new Intl.DateTimeFormat(language, { ...shapes[shape], timeZone }),
      ).format(ms),
    duration: (ms) => {
      const [value, unit] = toUnit(ms);
      return number(value, { style: "unit", unit, unitDisplay: "long" });
    },
    percent: (percent) => {
      // Never round up to 100 percent.
      const shown = Math.floor(percent * 100 + 1e-6) / 10_000;
      return number(shown, { style: "percent", maximumFractionDigits: 2 });
    },
    milliseconds: (ms) =>
      number(Math.round(ms), { style: "unit", unit: "millisecond", unitDisplay: "short" }),
    list: (items) => new Intl.ListFormat(language, { type: "conjunction" }).format(items),
  };
}

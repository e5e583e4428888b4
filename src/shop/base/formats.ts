/** Formats for people. */

/** Languages, zones and currencies come from settings: there are few, and this only bounds the unexpected. */
const MAX_KEPT = 500;

/** Creates each format once per key; beyond `most` (some hundreds), the cache is cleared. */
export function keepFormats<F>(most: number = MAX_KEPT): (key: string, make: () => F) => F {
  const kept = new Map<string, F>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= most) kept.clear();
    kept.set(key, made);
    return made;
  };
}

/** Every zone's minutes begin with those of UTC, whatever its offset is since seconds went out of use. */
const MINUTE_MS = 60_000;

/** A format whose texts differ by the minute at most: within one, the same time is not written twice. */
function keepTimes(): (ms: number, key: string, make: () => Intl.DateTimeFormat) => string {
  const format = keepFormats<Intl.DateTimeFormat>();
  const texts = keepFormats<string>();
  return (ms, key, make) => texts(`${Math.floor(ms / MINUTE_MS)} ${key}`, () => format(key, make).format(ms));
}

const days = keepTimes();

/** The day in a zone: "2026-11-21". */
export function formatDay(ms: number, timeZone: string): string {
  const options = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return days(ms, timeZone, () => new Intl.DateTimeFormat("en-CA", options));
}

const times = keepTimes();

/** A time for people, in the shop's zone, which is named. */
export function formatTime(
  ms: number,
  { language, timeZone }: { language: string; timeZone: string },
): string {
  const make = (): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(language, {
      year: "numeric",
      month: "long",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone,
    });
  return times(ms, `${language} ${timeZone}`, make);
}

/**
 * When a systemd timer with `OnCalendar=` is due: calendar events of systemd.time(7). Expressions name whole seconds;
 * fractions are refused. Runs in browsers too. Pure but for what it keeps of expressions that were read before.
 */
import { keepPlans } from "./kept-plans.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const YEARS = { least: 1970, most: 2199 } as const;
/** systemd counts from the end of a month as far as every month has days. */
const MOST_FROM_END = 28;

const weekdayNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const shorthands: ReadonlyMap<string, string> = new Map([
  ["minutely", "*-*-* *:*:00"],
  ["hourly", "*-*-* *:00:00"],
  ["daily", "*-*-* 00:00:00"],
  ["weekly", "Mon *-*-* 00:00:00"],
  ["monthly", "*-*-01 00:00:00"],
  ["quarterly", "*-01,04,07,10-01 00:00:00"],
  ...["semiannually", "semi-annually", "biannually", "bi-annually"].map(
    (name) => [name, "*-01,07-01 00:00:00"] as const,
  ),
  ...["yearly", "annually"].map((name) => [name, "*-01-01 00:00:00"] as const),
]);

/** Sorted numbers of each component. */
interface CalendarPlan {
  /** 0 for Monday; all when the expression names none. */
  readonly weekdays: readonly number[];
  readonly years: readonly number[];
  readonly months: readonly number[];
  /** `fromEnd`: 1 for the last day of the month. */
  readonly days: readonly number[];
  readonly fromEnd: boolean;
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  readonly offsetAt: (ms: number) => number;
}

interface Range {
  readonly least: number;
  readonly most: number;
  /** Repetitions without an end go down to `least`: days from the end of a month. */
  readonly isFromEnd?: boolean;
}

function sort(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other);
}

function listSteps(first: number, last: number, step: number): readonly number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}

/** One of a component's values: "5", "1..5", "0/15", "8..18/2". */
function readItem(item: string, { least, most, isFromEnd = false }: Range): readonly number[] {
  const [, begin = "", end, repeat] = /^(\d{1,4})(?:\.\.(\d{1,4}))?(?:\/(\d{1,4}))?$/u.exec(item) ?? [];
  const toNumber = (digits: string): number => {
    const number = Number(digits);
    // Two digits of a year: "12" is 2012, "89" is 1989.
    return least === YEARS.least && number < 100 ? number + (number < 70 ? 2_000 : 1_900) : number;
  };
  const first = toNumber(begin);
  const isRange = end !== undefined;
  const last = isRange ? toNumber(end) : repeat === undefined ? first : isFromEnd ? least : most;
  const step = repeat === undefined ? 1 : Number(repeat);
  const low = Math.min(first, last);
  const high = Math.max(first, last);
  const isWrong = begin === "" || low < least || high > most || step === 0 || (isRange && last < first);
  if (isWrong || (!isRange && repeat !== undefined && high - low < step))
    throw new RangeError(`"${item}" is not a value from ${least} to ${most}`);
  return last < first
    ? listSteps(0, first - last, step).map((back) => first - back)
    : listSteps(first, last, step);
}

function readComponent(text: string, range: Range): readonly number[] {
  if (text === "*") return listSteps(range.least, range.most, 1);
  return sort(text.split(",").flatMap((item) => readItem(item, range)));
}

function readWeekday(name: string): number {
  const at = weekdayNames.findIndex((each) => each === name || each.slice(0, 3) === name);
  if (at === -1) throw new RangeError(`"${name}" is not a day of the week`);
  return at;
}

/** "mon..fri,sun"; weeks begin on Monday. */
function readWeekdays(text: string): readonly number[] {
  const items = text.toLowerCase().replace(/,$/u, "").split(",");
  return items.flatMap((item) => {
    const [, begin = "", end = begin] = /^([a-z]+)(?:(?:\.\.|-)([a-z]+))?$/u.exec(item) ?? [];
    const first = readWeekday(begin);
    const last = readWeekday(end);
    if (last < first) throw new RangeError(`"${item}" ends before it begins`);
    return listSteps(first, last, 1);
  });
}

function readDate(text: string): Pick<CalendarPlan, "years" | "months" | "days" | "fromEnd"> {
  const [, year = "*", month, sign, day] = /^(?:([^-~]+)-)?([^-~]+)([-~])([^-~]+)$/u.exec(text) ?? [];
  if (month === undefined || day === undefined) throw new RangeError(`"${text}" is not a date`);
  const fromEnd = sign === "~" && day !== "*";
  const days: Range = fromEnd ? { least: 1, most: MOST_FROM_END, isFromEnd: true } : { least: 1, most: 31 };
  return {
    years: readComponent(year, YEARS),
    months: readComponent(month, { least: 1, most: 12 }),
    days: readComponent(day, days),
    fromEnd,
  };
}

function readTime(text: string): Pick<CalendarPlan, "hours" | "minutes" | "seconds"> {
  const [hour = "", minute, second = "0", ...rest] = text.split(":");
  if (minute === undefined || rest.length > 0) throw new RangeError(`"${text}" is not a time`);
  return {
    hours: readComponent(hour, { least: 0, most: 23 }),
    minutes: readComponent(minute, { least: 0, most: 59 }),
    seconds: readComponent(second, { least: 0, most: 59 }),
  };
}

/** How far clocks of a zone are ahead of UTC at an instant, milliseconds. Throws RangeError for an unknown zone. */
function findOffsets(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /([+-])(\d\d):(\d\d)(?::(\d\d))?$/u.exec(name) ?? [];
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === "-" ? -ahead : ahead) * SECOND_MS;
  };
}

/** The time zone at the end of an expression; undefined without. */
export function findZone(expression: string): string | undefined {
  return /\s([a-z]\S*)$/iu.exec(expression.trim())?.[1];
}

/** Reads an expression; a zone at its end takes precedence over `timeZone`. Throws RangeError. */
function readCalendar(expression: string, timeZone: string): CalendarPlan {
  const words = expression.trim().split(/\s+/u);
  const zone = findZone(expression) === undefined ? timeZone : (words.pop() ?? "");
  const parts =
    words.length === 1 ? (shorthands.get(words[0]?.toLowerCase() ?? "")?.split(" ") ?? words) : words;
  const [weekdays, ...others] = /^[a-z]/iu.test(parts[0] ?? "") ? parts : ["", ...parts];
  const time = others.at(-1)?.includes(":") === true ? others.pop() : "00:00:00";
  const date = others.pop() ?? "*-*-*";
  if (others.length > 0) throw new RangeError(`"${expression}" has too many parts`);
  return {
    weekdays: weekdays === "" || weekdays === undefined ? [0, 1, 2, 3, 4, 5, 6] : readWeekdays(weekdays),
    ...readDate(date),
    ...readTime(time ?? ""),
    offsetAt: findOffsets(zone),
  };
}

/** The first time of a day that is after `afterMs`. `dayMs`: its midnight as if in UTC. */
function findInDay(
  { hours, minutes, seconds, offsetAt }: CalendarPlan,
  dayMs: number,
  afterMs: number,
): number | undefined {
  // The larger offset first: of a time that clocks show twice, the first one counts.
  const offsets = sort([offsetAt(dayMs - DAY_MS), offsetAt(dayMs + 2 * DAY_MS)]).toReversed();
  for (const hour of hours)
    for (const minute of minutes)
      for (const second of seconds) {
        const wallMs = dayMs + ((hour * 60 + minute) * 60 + second) * SECOND_MS;
        // None for a time that clocks skip.
        const offset = offsets.find((each) => offsets.length === 1 || offsetAt(wallMs - each) === each);
        if (offset !== undefined && wallMs - offset > afterMs) return wallMs - offset;
      }
  return undefined;
}

function listDays({ days, fromEnd }: CalendarPlan, year: number, month: number): readonly number[] {
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return fromEnd ? days.map((day) => count + 1 - day).toReversed() : days.filter((day) => day <= count);
}

function findNext(plan: CalendarPlan, afterMs: number): number | undefined {
  const fromMs = afterMs + plan.offsetAt(afterMs) - DAY_MS;
  const fromYear = new Date(fromMs).getUTCFullYear();
  for (const year of plan.years)
    for (const month of year < fromYear ? [] : plan.months)
      for (const day of listDays(plan, year, month)) {
        const dayMs = Date.UTC(year, month - 1, day);
        if (dayMs <= fromMs || !plan.weekdays.includes((new Date(dayMs).getUTCDay() + 6) % 7)) continue;
        const found = findInDay(plan, dayMs, afterMs);
        if (found !== undefined) return found;
      }
  return undefined;
}

/**
 * The first time after `afterMs` at which a calendar event is due, epoch milliseconds; undefined when it never comes.
 * As systemd does it: what clocks skip is not due that day, what they show twice is due the first time. Throws
 * RangeError for an expression that {@link isOnCalendar} refuses.
 */
export const findNextOnCalendar: (
  expression: string,
  timeZone: string,
  afterMs: number,
) => number | undefined = keepPlans({ read: readCalendar, next: findNext });

/** Whether a text is a calendar event that comes at all: not on 30 February. */
export function isOnCalendar(expression: string): boolean {
  try {
    return findNextOnCalendar(expression, "UTC", 0) !== undefined;
  } catch {
    return false;
  }
}

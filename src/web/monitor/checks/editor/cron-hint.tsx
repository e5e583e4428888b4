/** When a heartbeat with an expression is due next, while it is typed. Loaded when somebody types one. */
import { Cron } from "croner";
import type { JSX } from "preact";
import { findNextOnCalendar } from "../../../../kit/time/on-calendar.ts";
import { keep } from "../../../app/format.ts";
import { minute } from "../../../app/now.ts";
import { type TextName, text } from "../../../app/texts.ts";

const COUNT = 3;
const wrongTexts = {
  cron: "admin.check.cron.wrong",
  onCalendar: "admin.check.calendar.wrong",
} as const satisfies Record<PlanType, TextName>;

/** How the expression is written. */
export type PlanType = "cron" | "onCalendar";

interface Plan {
  readonly type: PlanType;
  readonly expression: string;
  readonly timeZone: string;
}

function findOnCalendarTimes({ expression, timeZone }: Plan): readonly number[] {
  const times: number[] = [];
  let after: number | undefined = minute.value;
  while (times.length < COUNT) {
    after = findNextOnCalendar(expression.trim(), timeZone, after);
    if (after === undefined) break;
    times.push(after);
  }
  return times;
}

/** The next times, epoch milliseconds; undefined for what is no plan. */
function findNextTimes(given: Plan): readonly number[] | undefined {
  const { type, expression, timeZone } = given;
  try {
    if (type === "onCalendar") return findOnCalendarTimes(given);
    const plan = new Cron(expression.trim(), { timezone: timeZone, mode: "5-part", paused: true });
    return plan.nextRuns(COUNT, new Date(minute.value)).map((time) => time.getTime());
  } catch {
    return undefined;
  }
}

/** A time in the zone of the plan, as short as leaves no doubt. */
function toPlanTime(at: number, timeZone: string): string {
  const style = {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    weekday: "short",
  } as const;
  return keep(
    `plan ${timeZone}`,
    (language) => new Intl.DateTimeFormat(language, { ...style, timeZone }),
  ).format(at);
}

/** The sentence; nothing while nothing is typed. */
export function CronHint({ type, expression, timeZone }: Plan): JSX.Element | null {
  if (expression.trim() === "") return null;
  const times = findNextTimes({ type, expression, timeZone });
  if (times === undefined) return <p class="field-hint">{text(wrongTexts[type])}</p>;
  if (times.length === 0) return <p class="field-hint">{text("admin.check.cron.never")}</p>;
  const words = times.map((at) => toPlanTime(at, timeZone)).join(" · ");
  return (
    <p class="field-hint" role="status">
      {text("admin.check.cron.next", { times: words, zone: timeZone })}
    </p>
  );
}

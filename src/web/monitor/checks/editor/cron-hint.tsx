/** When a heartbeat with a cron expression is due next, while it is typed. Loaded when somebody types one. */
import { Cron } from "croner";
import type { JSX } from "preact";
import { keep } from "../../../app/format.ts";
import { minute } from "../../../app/now.ts";
import { text } from "../../../app/texts.ts";

const COUNT = 3;

/** The next times, epoch milliseconds; undefined for what is no plan. */
function findNextTimes(expression: string, timeZone: string): readonly number[] | undefined {
  try {
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
export function CronHint({
  expression,
  timeZone,
}: {
  expression: string;
  timeZone: string;
}): JSX.Element | null {
  if (expression.trim() === "") return null;
  const times = findNextTimes(expression, timeZone);
  if (times === undefined) return <p class="field-hint">{text("admin.check.cron.wrong")}</p>;
  if (times.length === 0) return <p class="field-hint">{text("admin.check.cron.never")}</p>;
  const words = times.map((at) => toPlanTime(at, timeZone)).join(" · ");
  return (
    <p class="field-hint" role="status">
      {text("admin.check.cron.next", { times: words, zone: timeZone })}
    </p>
  );
}

/** @jsxImportSource hono/jsx */
/** 90 days of a component: bars to look at, and the same in words. */
import { raw } from "hono/html";
import { toUptimeFigure } from "../../../kit/text/uptime-figure.ts";
import { escapeHtml } from "../../../kit/text/html.ts";
import type { ShownComponent } from "../../status/board.ts";
import type { ComponentDays, DayUptime } from "../../status/uptime-days.ts";
import type { Shown } from "../shown/shown.ts";

/** Of one bar in the picture, with what is between two. */
const STEP = 10;
const HEIGHT = 40;
/** At least so much of a day is "well", and so much "partly". */
const WELL = 99.9;
const PARTLY = 95;

type DayTone = "good" | "warn" | "bad" | "none";

/** How a day is drawn; what is unknown is not good. */
export function toDayTone(percent: number | null): DayTone {
  if (percent === null) return "none";
  if (percent >= WELL) return "good";
  return percent >= PARTLY ? "warn" : "bad";
}

/** Top of each bar by tone: colors alone are not enough for people with color blindness. */
const tops: Readonly<Record<DayTone, number>> = { good: 8, warn: 4, bad: 0, none: 32 };

function toBar(index: number, tone: DayTone): string {
  return `M${index * STEP} ${tops[tone]}h8V${HEIGHT}h-8z`;
}

/** Bars of one tone: each begins where the one before it does, so that they are the same text again and again. */
function toBars(indexes: readonly number[], tone: DayTone): string {
  const bar = `h8v${HEIGHT - tops[tone]}h-8z`;
  return indexes
    .map(
      (index, at) =>
        `${at === 0 ? `M${index * STEP} ${tops[tone]}` : `m${(index - (indexes[at - 1] ?? 0)) * STEP} 0`}${bar}`,
    )
    .join("");
}

function toDate({ formats }: Shown, { day }: DayUptime): string {
  return formats.time(Date.parse(`${day}T12:00:00Z`), "day");
}

function toValue({ t, formats }: Shown, percent: number | null): string {
  return percent === null ? t("days.unknown") : formats.percent(percent);
}

/** Days one after the other with the same value, in one line. */
export function toRuns(days: readonly DayUptime[], toText: (percent: number | null) => string) {
  const runs: { first: DayUptime; last: DayUptime; value: string }[] = [];
  for (const day of days) {
    const value = toText(day.percent);
    const run = runs.at(-1);
    if (run?.value === value) run.last = day;
    else runs.push({ first: day, last: day, value });
  }
  return runs;
}

/** The share of all days together, and since when where that is not as long as pages show. */
export function toPercentText(shown: Shown, { days, percent, knownMs }: ComponentDays): string {
  const { t, formats } = shown;
  const figure = toUptimeFigure(percent, knownMs);
  if (figure.kind === "none") return t("days.none");
  if (figure.kind === "young") return t("days.young", { span: formats.duration(figure.knownMs) });
  const text = formats.percent(figure.share);
  const firstAt = days.findIndex((day) => day.percent !== null);
  const first = days[firstAt];
  if (firstAt <= 0 || first === undefined) return t("days.percent", { percent: text });
  if (firstAt === days.length - 1) return t("days.percentToday", { percent: text });
  return t("days.percentSince", { percent: text, day: toDate(shown, first) });
}

/** The picture. Days that were not well say so when a pointer rests on them. */
function Chart({ shown, days, label }: { shown: Shown; days: readonly DayUptime[]; label: string }) {
  const paths = (["good", "none"] as const).map((tone) => {
    const indexes = days.flatMap(({ percent }, index) => (toDayTone(percent) === tone ? [index] : []));
    return indexes.length === 0 ? "" : `<path class="is-${tone}" d="${toBars(indexes, tone)}"/>`;
  });
  const told = days.flatMap((day, index) => {
    const tone = toDayTone(day.percent);
    if (tone === "good" || tone === "none") return [];
    const text = shown.t("days.day", { day: toDate(shown, day), value: toValue(shown, day.percent) });
    return [`<path class="is-${tone}" d="${toBar(index, tone)}"><title>${escapeHtml(text)}</title></path>`];
  });
  // As text: hono keeps contexts for the elements of SVG, as `src/html/render.ts` says.
  return raw(
    `<svg class="day-bars" viewBox="0 0 ${days.length * STEP - 2} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(label)}">${paths.join("")}${told.join("")}</svg>`,
  );
}

/** Bars, and each day in words for those who do not see them. */
export function DayBars({
  shown,
  component,
  data,
}: {
  readonly shown: Shown;
  readonly component: ShownComponent;
  readonly data: ComponentDays;
}) {
  const { t } = shown;
  const value = toPercentText(shown, data);
  const { days } = data;
  const runs = toRuns(days, (each) => toValue(shown, each));
  return (
    <>
      <Chart shown={shown} days={days} label={t("days.chart", { name: component.name, value })} />
      <div class="day-scale small muted" aria-hidden="true">
        <span>{t("days.from")}</span>
        <span>{t("days.to")}</span>
      </div>
      <details class="day-words small">
        <summary aria-label={t("days.summaryOf", { name: component.name })}>{t("days.summary")}</summary>
        <ul>
          {runs.map(({ first, last, value }) => (
            <li>
              {first === last
                ? t("days.day", { day: toDate(shown, first), value })
                : t("days.span", { from: toDate(shown, first), to: toDate(shown, last), value })}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

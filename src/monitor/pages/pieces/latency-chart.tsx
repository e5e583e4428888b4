/** @jsxImportSource hono/jsx */
/** Response times of a day as a line. */
import { raw } from "hono/html";
import { escapeHtml } from "../../../kit/text/html.ts";
import type { SeriesPoint } from "../../status/uptime-days.ts";
import type { Shown } from "../shown/shown.ts";

const WIDTH = 600;
const HEIGHT = 60;
const DAY_MS = 86_400_000;
/** A longer gap breaks the line: its values are unknown. */
const GAP_MS = 3_600_000;

/** The line through points, in the picture's own units. */
export function toLine(points: readonly SeriesPoint[], nowMs: number): string {
  const most = Math.max(1, ...points.map(({ avg }) => avg));
  let before: SeriesPoint | undefined;
  return points
    .map((point) => {
      const isOn = before !== undefined && point.at - before.at <= GAP_MS;
      before = point;
      const x = Math.max(0, ((point.at - (nowMs - DAY_MS)) / DAY_MS) * WIDTH);
      const y = HEIGHT - 2 - (point.avg / most) * (HEIGHT - 4);
      return `${isOn ? "L" : "M"}${x.toFixed(0)} ${y.toFixed(1)}${isOn ? "" : "h.1"}`;
    })
    .join("");
}

/** The line with its figures in words. */
export function LatencyChart({
  shown,
  points,
}: {
  readonly shown: Shown;
  readonly points: readonly SeriesPoint[];
}) {
  const { t, formats, nowMs } = shown;
  if (points.length === 0) return <p class="small muted">{t("latency.none")}</p>;
  const average = points.reduce((sum, { avg }) => sum + avg, 0) / points.length;
  const values = t("latency.values", {
    average: formats.milliseconds(average),
    slowest: formats.milliseconds(Math.max(...points.map(({ avg }) => avg))),
  });
  const label = `${t("latency.title")}: ${values}`;
  return (
    <div class="latency">
      {raw(
        `<svg class="latency-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(label)}"><path d="${toLine(points, nowMs)}"/></svg>`,
      )}
      <p class="small muted num">
        {t("latency.title")}: {values}
      </p>
    </div>
  );
}

/** Draws into a chart what is no value: outages, time before the first value, alerts and restarts. */
import type uPlot from "uplot";
import { text } from "../app/texts.ts";
import { toSpan } from "../app/format.ts";
import { type Mark, toMarks } from "./marks.ts";
import type { ChartEvents } from "./outages.ts";
import type { Span } from "./range/span.ts";

export interface Paint {
  readonly grid: string;
  readonly hatch: string;
  readonly shade: string;
  readonly words: string;
  readonly surface: string;
  readonly font: string;
  readonly severities: Readonly<Record<"info" | "warning" | "critical", string>>;
  readonly good: string;
}

const HATCH = 7;
const WORD_PADDING = 8;
const MARK = 4.5;

interface Edges {
  readonly left: number;
  readonly right: number;
}

/** Left and right of a span in canvas pixels, cut at the edges; undefined when nothing of it is in sight. */
function toEdges(plot: uPlot, { from, to }: Span): Edges | undefined {
  const { left, width } = plot.bbox;
  const start = Math.max(left, plot.valToPos(from / 1_000, "x", true));
  const end = Math.min(left + width, plot.valToPos(to / 1_000, "x", true));
  return end > start ? { left: start, right: end } : undefined;
}

function drawWords(plot: uPlot, edges: Edges, { words, paint }: { words: string[]; paint: Paint }): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  // The chart goes on with the pen that it left.
  ctx.save();
  ctx.font = paint.font.replace(/^[\d.]+/u, (size) => String(Number(size) * scale));
  ctx.fillStyle = paint.words;
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  const room = edges.right - edges.left - WORD_PADDING * scale;
  // The longest that fits.
  const fitting = words.find((one) => ctx.measureText(one).width <= room);
  if (fitting === undefined) {
    ctx.restore();
    return;
  }
  // A rim in the colour of the ground keeps lines from striking it through.
  ctx.strokeStyle = paint.shade;
  ctx.lineWidth = 5 * scale;
  ctx.lineJoin = "round";
  const at = [(edges.left + edges.right) / 2, bbox.top + WORD_PADDING * scale] as const;
  ctx.strokeText(fitting, ...at);
  ctx.fillText(fitting, ...at);
  ctx.restore();
}

function drawHatch(plot: uPlot, edges: Edges, paint: Paint): void {
  const { ctx, bbox } = plot;
  const { left, right } = edges;
  const step = HATCH * devicePixelRatio;
  ctx.beginPath();
  ctx.rect(left, bbox.top, right - left, bbox.height);
  ctx.clip();
  ctx.fillStyle = paint.shade;
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.strokeStyle = paint.hatch;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  // From a fixed place, so that the lines stay where they are while the edges move.
  for (let x = Math.floor((left - bbox.height) / step) * step; x < right; x += step) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
}

/** The time before the first value, as far as it is in sight. */
function toBefore(plot: uPlot, { firstAt }: ChartEvents): Edges | undefined {
  const from = (plot.scales["x"]?.min ?? 0) * 1_000;
  return firstAt === undefined ? undefined : toEdges(plot, { from, to: firstAt });
}

/** Behind the lines: time before the first value, and outages. */
export function paintBehind(plot: uPlot, events: ChartEvents, paint: Paint): void {
  const { ctx, bbox } = plot;
  const before = toBefore(plot, events);
  if (before !== undefined) {
    ctx.save();
    ctx.fillStyle = paint.shade;
    ctx.fillRect(before.left, bbox.top, before.right - before.left, bbox.height);
    ctx.restore();
  }
  for (const outage of events.outages) {
    const edges = toEdges(plot, outage);
    if (edges === undefined) continue;
    ctx.save();
    // Be it ever so short, it is seen.
    const right = Math.max(edges.right, edges.left + 2 * devicePixelRatio);
    drawHatch(plot, { left: edges.left, right }, paint);
    ctx.restore();
  }
}

/** The names of what lies behind the lines. */
export function paintNames(plot: uPlot, events: ChartEvents, paint: Paint): void {
  const before = toBefore(plot, events);
  if (before !== undefined)
    drawWords(plot, before, { words: [text("chart.notYet"), text("chart.noData")], paint });
  for (const outage of events.outages) {
    const edges = toEdges(plot, outage);
    if (edges === undefined) continue;
    const span = toSpan(outage.to - outage.from);
    const words = [text("chart.offlineFor", { span }), text("state.offline"), span];
    drawWords(plot, edges, { words, paint });
  }
}

/** Shapes differ too, for those who do not see the colours: a triangle, a ring, a diamond. */
function drawMark(
  ctx: CanvasRenderingContext2D,
  { kind }: Mark,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  ctx.beginPath();
  if (kind === "recovery") ctx.arc(x, y - size, size * 0.8, 0, 2 * Math.PI);
  else if (kind === "alert") {
    ctx.moveTo(x, y - 2 * size);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x - size, y);
  } else {
    ctx.moveTo(x, y - 2 * size);
    ctx.lineTo(x + size, y - size);
    ctx.lineTo(x, y);
    ctx.lineTo(x - size, y - size);
  }
  ctx.closePath();
}

/** Marks on the time axis: alerts as bars from start to end, and moments. */
export function paintMarks(plot: uPlot, events: ChartEvents, paint: Paint): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const y = bbox.top + bbox.height;
  const { min = 0, max = 0 } = plot.scales["x"] ?? {};
  const span = { from: (min ?? 0) * 1_000, to: (max ?? 0) * 1_000 };
  ctx.save();
  for (const { from, to, severity } of events.alerts) {
    const edges = toEdges(plot, { from, to: to ?? span.to });
    if (edges === undefined) continue;
    ctx.fillStyle = paint.severities[severity];
    ctx.fillRect(edges.left, y - 1.5 * scale, Math.max(edges.right - edges.left, scale), 3 * scale);
  }
  let lastX = Number.NEGATIVE_INFINITY;
  for (const mark of toMarks(events, span)) {
    const x = plot.valToPos(mark.at / 1_000, "x", true);
    // One of a crowd stands for it; the tip names them all. An end close to its start is the end of the bar.
    const room = mark.kind === "recovery" ? 4 : 2;
    if (x - lastX < room * MARK * scale) continue;
    lastX = x;
    drawMark(ctx, mark, { x, y, size: MARK * scale });
    const colour = mark.kind === "alert" ? paint.severities[mark.alert?.severity ?? "info"] : paint.words;
    ctx.fillStyle = mark.kind === "recovery" ? paint.surface : colour;
    ctx.strokeStyle = mark.kind === "recovery" ? paint.good : paint.surface;
    ctx.lineWidth = (mark.kind === "recovery" ? 1.8 : 1) * scale;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

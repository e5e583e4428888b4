/** A chart on a canvas by uPlot. */
import uPlot from "uplot";
import type { ChartEvents } from "./outages.ts";
import { type Paint, paintBehind, paintMarks, paintNames } from "./paint.ts";
import type { ChartData } from "./series.ts";
import type { Span } from "./range/span.ts";
import type { ChartSpec } from "./specs.ts";
import { toTickSpace, toTimeTicks } from "./range/times.ts";
import { type ShownUnit, axisSteps, toAxisTop, toTickWords } from "./units.ts";

export interface PlotOptions {
  readonly spec: ChartSpec;
  readonly unit: ShownUnit;
  readonly width: number;
  /** The present window: asked at each drawing. */
  readonly window: () => Span;
  readonly events: () => ChartEvents;
  /** The place of the cursor in the data, and its time in seconds; undefined when it has left. */
  readonly onCursor: (at: { readonly index: number; readonly time: number } | undefined) => void;
}

export const PLOT_HEIGHT = 176;
const SYNC_KEY = "server";
const BAND_ALPHA = "2b";
/** Strength of the fill below a line, at the top of the chart and at its foot. */
const FILL_ALPHAS = ["3d", "05"] as const;
const VALUE_AXIS = 66;
const ROOM_RIGHT = 14;
/** Columns of a line: average, least, most. */
const COLUMNS = 3;

function readColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function readPaint(font: string): Paint {
  return {
    grid: readColour("--chart-grid"),
    hatch: readColour("--chart-hatch"),
    shade: readColour("--chart-shade"),
    words: readColour("--ink-2"),
    surface: readColour("--surface"),
    font,
    severities: {
      info: readColour("--accent"),
      warning: readColour("--meter-warn"),
      critical: readColour("--bad"),
    },
    good: readColour("--good"),
  };
}

function createMeasure(font: string): (words: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map<string, number>();
  if (context !== null) context.font = font;
  return (words) => {
    let width = known.get(words);
    if (width === undefined) {
      width = context?.measureText(words).width ?? 0;
      known.set(words, width);
    }
    return width;
  };
}

function createFill(colour: string): uPlot.Series.Fill {
  let kept: { readonly top: number; readonly height: number; readonly gradient: CanvasGradient } | undefined;
  return ({ ctx, bbox: { top, height } }) => {
    if (kept?.top !== top || kept.height !== height) {
      const gradient = ctx.createLinearGradient(0, top, 0, top + height);
      FILL_ALPHAS.forEach((alpha, end) => gradient.addColorStop(end, colour + alpha));
      kept = { top, height, gradient };
    }
    return kept.gradient;
  };
}

/** Three columns a line: average, and hidden ones that the band is filled between. */
function toSeries(spec: ChartSpec): { series: uPlot.Series[]; bands: uPlot.Band[] } {
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  // More fills than two are mud.
  const filled = spec.lines.length <= 2 ? spec.lines.length : 1;
  spec.lines.forEach((_, index) => {
    const colour = readColour(`--chart-${index + 1}`);
    const hidden = (): uPlot.Series => ({ stroke: "transparent", points: { show: false } });
    const fill = index < filled ? { fill: createFill(colour) } : {};
    series.push({ stroke: colour, width: 1.75, points: { show: false }, ...fill }, hidden(), hidden());
    const at = COLUMNS * index + 1;
    if (index < filled) bands.push({ series: [at + 2, at + 1], fill: colour + BAND_ALPHA });
  });
  return { series, bands };
}

/** The data as uPlot wants it; without a band its columns are empty, which costs nothing to draw. */
function toAligned({ times, lines, hasBand }: ChartData): uPlot.AlignedData {
  const none = times.map(() => null);
  const columns = lines.flatMap(({ avg, min, max }) => [
    [...avg],
    hasBand ? [...min] : none,
    hasBand ? [...max] : none,
  ]);
  return [[...times], ...columns];
}

function toAxes({ unit, window }: PlotOptions, paint: Paint): uPlot.Axis[] {
  const measure = createMeasure(paint.font);
  const look = {
    stroke: paint.words,
    font: paint.font,
    grid: { stroke: paint.grid, width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...look,
      size: 28,
      gap: 6,
      space: (_plot, _axis, from, to) => toTickSpace(to - from, measure),
      values: ({ width }, lines, _axis, _space, step) => {
        const { from, to } = window();
        return toTimeTicks(lines, step, {
          from: from / 1_000,
          to: to / 1_000,
          width: width - VALUE_AXIS - ROOM_RIGHT,
          room: ROOM_RIGHT,
          measure,
        });
      },
    },
    {
      ...look,
      size: VALUE_AXIS,
      gap: 8,
      space: 30,
      incrs: axisSteps,
      values: (_plot, lines) => lines.map((value) => toTickWords(unit, value)),
    },
  ];
}

/** A drawn chart. */
export interface Plot {
  /** The part of the page that holds the lines, without the axes. */
  readonly over: HTMLElement;
  setData(data: ChartData): void;
  setWidth(width: number): void;
  /** Draws what the window shows by now. */
  move(): void;
  /** Redraws the events. */
  redraw(): void;
  /** Shows lines that are not in the set of hidden ones. */
  hide(hidden: ReadonlySet<number>): void;
  /** Marks a span that may be zoomed to, or nothing. */
  select(span: Span | undefined): void;
  /** Puts the cursor on a point, or takes it away. */
  point(index: number | undefined): void;
  /** The time at a place from the left of {@link over}, epoch ms. */
  timeAt(left: number): number;
  destroy(): void;
}

function toOptions(options: PlotOptions, paint: Paint): uPlot.Options {
  const { spec, unit, width, window, events, onCursor } = options;
  return {
    width,
    height: PLOT_HEIGHT,
    padding: [10, ROOM_RIGHT, 0, 0],
    ...toSeries(spec),
    axes: toAxes(options, paint),
    legend: { show: false },
    cursor: {
      sync: { key: SYNC_KEY },
      drag: { x: false, y: false },
      y: false,
      // A double click resets the zoom of all charts.
      bind: { dblclick: () => null },
      // Only the averages are marked.
      points: { size: (_self, index) => (index % COLUMNS === 1 ? 8 : 0) },
    },
    scales: {
      x: {
        range: () => {
          const { from, to } = window();
          return [from / 1_000, to / 1_000];
        },
      },
      y: { range: (_self, _least, largest) => [0, toAxisTop(unit, largest ?? 0)] },
    },
    hooks: {
      drawClear: [(self) => paintBehind(self, events(), paint)],
      draw: [
        (self) => {
          paintNames(self, events(), paint);
          paintMarks(self, events(), paint);
        },
      ],
      setCursor: [
        (self) => {
          const { idx, left = -1 } = self.cursor;
          const isOut = idx === null || idx === undefined || left < 0;
          onCursor(isOut ? undefined : { index: idx, time: self.posToVal(left, "x") });
        },
      ],
    },
  };
}

/** Draws a chart into `target`. */
export function createPlot(target: HTMLElement, options: PlotOptions): Plot {
  const { spec, window } = options;
  const paint = readPaint(`11px ${getComputedStyle(document.body).fontFamily}`);
  const plot = new uPlot(toOptions(options, paint), [[]], target);
  return {
    over: plot.over,
    setData: (data) => plot.setData(toAligned(data)),
    setWidth: (width) => plot.setSize({ width, height: PLOT_HEIGHT }),
    move: () => {
      const { from, to } = window();
      plot.setScale("x", { min: from / 1_000, max: to / 1_000 });
    },
    redraw: () => plot.redraw(false),
    hide: (hidden) =>
      plot.batch(() => {
        spec.lines.forEach((_, line) => {
          for (let column = 1; column <= COLUMNS; column += 1)
            plot.setSeries(COLUMNS * line + column, { show: !hidden.has(line) });
        });
      }),
    select: (span) => {
      const [left, right] =
        span === undefined
          ? [0, 0]
          : [plot.valToPos(span.from / 1_000, "x"), plot.valToPos(span.to / 1_000, "x")];
      plot.setSelect({ left, width: right - left, top: 0, height: plot.over.clientHeight }, false);
    },
    point: (index) => {
      const at = index === undefined ? undefined : plot.data[0][index];
      const left = at === undefined ? -10 : plot.valToPos(at, "x");
      plot.setCursor({ left, top: at === undefined ? -10 : PLOT_HEIGHT / 2 });
    },
    timeAt: (left) => plot.posToVal(left, "x") * 1_000,
    destroy: () => plot.destroy(),
  };
}

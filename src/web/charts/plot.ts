/** A chart on a canvas by uPlot. */
import uPlot from "uplot";
import type { ChartData } from "./series.ts";
import type { ChartSpec } from "./specs.ts";
import { toTimeTicks } from "./times.ts";
import { toAxisTop, toSteps, toTickWords } from "./units.ts";

export interface PlotOptions {
  readonly spec: ChartSpec;
  readonly width: number;
  /** The present window, epoch ms: asked at each drawing. */
  readonly window: () => { readonly from: number; readonly to: number };
  /** The place of the cursor in the data; undefined when it has left. */
  readonly onCursor: (index: number | undefined) => void;
}

export const PLOT_HEIGHT = 190;
const SYNC_KEY = "server";
const BAND_ALPHA = "2e";

function readColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Three columns a line: average, and hidden ones that the band is filled between. */
function toSeries(spec: ChartSpec): { series: uPlot.Series[]; bands: uPlot.Band[] } {
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  spec.lines.forEach((_, index) => {
    const colour = readColour(`--chart-${index + 1}`);
    const hidden: uPlot.Series = { stroke: "transparent", points: { show: false } };
    series.push({ stroke: colour, width: 1.6 }, hidden, hidden);
    const at = 3 * index + 1;
    bands.push({ series: [at + 2, at + 1], fill: colour + BAND_ALPHA });
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

function toAxes(spec: ChartSpec): uPlot.Axis[] {
  const look = {
    stroke: readColour("--text-2"),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: readColour("--chart-grid"), width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...look,
      size: 26,
      gap: 4,
      space: 64,
      values: (_plot, splits, _axis, _space, step) => toTimeTicks(splits, step),
    },
    {
      ...look,
      size: 70,
      gap: 6,
      space: 34,
      incrs: toSteps(spec.unit),
      values: (_plot, splits) => splits.map((value) => toTickWords(spec.unit, value)),
    },
  ];
}

/** A drawn chart. */
export interface Plot {
  setData(data: ChartData): void;
  setWidth(width: number): void;
  /** Puts the cursor on a point, or takes it away. */
  point(index: number | undefined): void;
  destroy(): void;
}

/** Draws a chart into `target`. */
export function createPlot(target: HTMLElement, options: PlotOptions): Plot {
  const { spec, width, window, onCursor } = options;
  const { series, bands } = toSeries(spec);
  const plot = new uPlot(
    {
      width,
      height: PLOT_HEIGHT,
      padding: [8, 6, 0, 0],
      series,
      bands,
      axes: toAxes(spec),
      legend: { show: false },
      cursor: {
        sync: { key: SYNC_KEY },
        drag: { x: false, y: false },
        y: false,
        // Only the averages are marked.
        points: { size: (_self, index) => (index % 3 === 1 ? 8 : 0) },
      },
      scales: {
        x: {
          range: () => {
            const { from, to } = window();
            return [from / 1_000, to / 1_000];
          },
        },
        y: { range: (_self, _least, largest) => [0, toAxisTop(spec.unit, largest ?? 0)] },
      },
      hooks: { setCursor: [(self) => onCursor(self.cursor.idx ?? undefined)] },
    },
    [[]],
    target,
  );
  return {
    setData: (data) => plot.setData(toAligned(data)),
    setWidth: (next) => plot.setSize({ width: next, height: PLOT_HEIGHT }),
    point: (index) => {
      const at = index === undefined ? undefined : plot.data[0][index];
      const left = at === undefined ? -10 : plot.valToPos(at, "x");
      plot.setCursor({ left, top: at === undefined ? -10 : PLOT_HEIGHT / 2 });
    },
    destroy: () => plot.destroy(),
  };
}

/** A chart's values as a table, for those to whom a drawing says nothing. */
import type { JSX } from "preact";
import { UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { Table } from "../ui/controls-table.tsx";
import type { ChartData, ChartLineData } from "./series.ts";
import type { ChartSpec } from "./specs.ts";
import { toTimeWords } from "./times.ts";
import { toValueWords } from "./units.ts";

function toCell(
  line: ChartLineData | undefined,
  { spec, index }: { spec: ChartSpec; index: number },
): string {
  const [avg, min, max] = [line?.avg[index], line?.min[index], line?.max[index]];
  if (typeof avg !== "number") return UNKNOWN;
  const words = toValueWords(spec.unit, avg);
  if (typeof min !== "number" || typeof max !== "number" || max <= min) return words;
  return `${words} (${toValueWords(spec.unit, min)} – ${toValueWords(spec.unit, max)})`;
}

/** The table, the newest values first. */
export function ChartTable(props: { spec: ChartSpec; data: ChartData; rangeMs: number }): JSX.Element {
  const { spec, data, rangeMs } = props;
  const rows = data.times
    .map((_, index) => index)
    .filter((index) => data.lines.some(({ avg }) => typeof avg[index] === "number"))
    .reverse();
  return (
    <div class="chart-table" tabIndex={0} role="region" aria-label={text(spec.title)}>
      <Table
        caption={text(spec.title)}
        rows={rows}
        keyOf={(index) => String(data.times[index])}
        columns={[
          {
            key: "time",
            label: text("chart.time"),
            cell: (index) => toTimeWords(data.times[index] ?? 0, rangeMs),
          },
          ...spec.lines.map(({ metric, label }, line) => ({
            key: metric,
            label: text(label),
            number: true,
            cell: (index: number) => toCell(data.lines[line], { spec, index }),
          })),
        ]}
      />
    </div>
  );
}

/** A chart's values as a table, for those to whom a drawing says nothing. */
import type { JSX } from "preact";
import { UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { Table } from "../ui/controls-table.tsx";
import { type Shown, isFilled } from "./cursor.ts";
import { listEvents } from "./marks.ts";
import type { ChartLineData } from "./series.ts";
import { toLineName } from "./specs.ts";
import { toTimeWords } from "./range/times.ts";
import { type ShownUnit, toValueWords } from "./units.ts";
import { shownSpan } from "./range/view.ts";

function toCell(
  line: ChartLineData | undefined,
  { unit, index }: { unit: ShownUnit; index: number },
): string {
  const [avg, min, max] = [line?.avg[index], line?.min[index], line?.max[index]];
  if (typeof avg !== "number") return UNKNOWN;
  const words = toValueWords(unit, avg);
  if (typeof min !== "number" || typeof max !== "number" || max <= min) return words;
  return `${words} (${toValueWords(unit, min)} – ${toValueWords(unit, max)})`;
}

/** Events and values of the span, newest first. */
export function ChartTable({ shown }: { shown: Shown }): JSX.Element {
  const { spec, unit, data, events, rangeMs, hidden } = shown;
  const span = shownSpan();
  const rows = data.times
    .map((_, index) => index)
    .filter((index) => {
      const at = (data.times[index] ?? 0) * 1_000;
      return at >= span.from && at <= span.to && isFilled(data, index);
    })
    .reverse();
  const happened = listEvents(events, span);
  return (
    <div class="chart-table" tabIndex={0} role="region" aria-label={text(spec.title)}>
      {happened.length > 0 && (
        <ul class="chart-events" aria-label={text("chart.events")}>
          {happened.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
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
          ...spec.lines
            .map((shownLine, line) => ({
              key: shownLine.metric,
              label: toLineName(shownLine),
              number: true,
              cell: (index: number) => toCell(data.lines[line], { unit, index }),
            }))
            .filter((_, line) => !hidden.has(line)),
        ]}
      />
    </div>
  );
}

/** A chart with its title, legend and table. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { serviceNow } from "../ui/server-clock.ts";
import { text } from "../app/texts.ts";
import { useIsNear } from "../app/use-element.ts";
import { IconButton } from "../ui/controls.tsx";
import { ChartCanvas } from "./canvas.tsx";
import { ChartTable } from "./chart-table.tsx";
import { type Cursor, type Shown, isFilled } from "./cursor.ts";
import { hiddenMetrics, hideMetrics, switchLine } from "./hidden-lines.ts";
import { Legend } from "./legend.tsx";
import type { ChartEvents } from "./outages.ts";
import { toChartData } from "./series.ts";
import type { ChartSpec, ChartedPart } from "./specs.ts";
import { toShownUnit, toShownValue } from "./units.ts";
import { type Asked, type ChartHistory, toAskedSpan, useHistory } from "./use-history.ts";
import { chartView, historyStart, toShownSpan } from "./range/view.ts";

export interface ChartProps {
  readonly server: PublicServer;
  readonly spec: ChartSpec;
  readonly asked: Asked;
  readonly events: ChartEvents;
  /** Of which its metrics are; default: the server itself. */
  readonly part?: ChartedPart | undefined;
}

function toNumbers(spec: ChartSpec, hidden: ReadonlySet<string>): ReadonlySet<number> {
  return new Set(spec.lines.flatMap(({ metric }, line) => (hidden.has(metric) ? [line] : [])));
}

function useShown({ spec, asked, events }: ChartProps, { series, asked: loaded }: ChartHistory): Shown {
  const unit = toShownUnit(spec.unit);
  const data = useMemo(() => {
    // Pending data is no gap.
    const { from, to } = toAskedSpan(loaded ?? asked);
    const span = { from, to: Math.min(to, serviceNow()) };
    return toChartData(series, { span, convert: (value) => toShownValue(unit, value) });
  }, [series, unit]);
  const metrics = hiddenMetrics.value;
  const hidden = useMemo(() => toNumbers(spec, metrics), [spec, metrics]);
  // Moving keeps the length: only the chart is redrawn, not its texts.
  const { from, to } = toShownSpan(chartView.value, historyStart.value);
  return { spec, unit, data, events, rangeMs: to - from, hidden };
}

/** The chart. */
export function Chart(props: ChartProps): JSX.Element {
  const { server, spec, asked, part } = props;
  const ref = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const metrics = spec.lines.map(({ metric }) => metric);
  // A chart stays loaded; what is far away is not asked for again.
  const history = useHistory(server, { metrics, asked, part, wanted: useIsNear(ref) });
  const shown = useShown(props, history);
  const cursor = useSignal<Cursor | undefined>(undefined);
  const isLoading = history.asked !== asked && !history.failed;
  const isEmpty = !isLoading && !shown.data.times.some((_, index) => isFilled(shown.data, index));
  return (
    <figure
      class={`panel chart ${isLoading ? "is-loading" : ""}`}
      ref={ref}
      data-testid={`chart-${spec.key}`}
    >
      <figcaption class="chart-head">
        <h3>{text(spec.title)}</h3>
        <IconButton
          icon="table"
          label={text("chart.table")}
          small
          pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        />
      </figcaption>
      <Legend
        shown={shown}
        cursor={cursor}
        onSwitch={(line, { alone, before }) => {
          const metric = metrics[line];
          if (metric === undefined) return;
          const hidden = new Set(hiddenMetrics.peek());
          metrics.forEach((name, index) => (before.has(index) ? hidden.add(name) : hidden.delete(name)));
          hideMetrics(switchLine(hidden, { metrics, metric, alone }));
        }}
      />
      <div class="chart-body">
        {asTable ? (
          <ChartTable shown={shown} />
        ) : (
          <ChartCanvas shown={shown} span={asked.span} cursor={cursor} />
        )}
        {history.failed && <p class="chart-note">{text("chart.failed")}</p>}
        {!history.failed && isEmpty && <p class="chart-note">{text("chart.empty")}</p>}
      </div>
    </figure>
  );
}

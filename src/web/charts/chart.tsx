/** A chart with its title, legend and table. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { text } from "../app/texts.ts";
import { useIsNear } from "../app/use-element.ts";
import { IconButton } from "../ui/controls.tsx";
import { ChartCanvas } from "./canvas.tsx";
import { ChartTable } from "./chart-table.tsx";
import { Legend } from "./legend.tsx";
import type { Range } from "./ranges.ts";
import { toChartData } from "./series.ts";
import type { ChartSpec } from "./specs.ts";
import { useHistory } from "./use-history.ts";

/** The chart. */
export function Chart(props: { server: PublicServer; spec: ChartSpec; range: Range }): JSX.Element {
  const { server, spec, range } = props;
  const ref = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const metrics = spec.lines.map(({ metric }) => metric);
  // A chart stays loaded; what is far away is not asked for again.
  const history = useHistory(server, { metrics, range, wanted: useIsNear(ref) });
  const data = useMemo(() => toChartData(history.series), [history.series]);
  const cursor = useSignal<number | undefined>(undefined);
  const isLoading = history.range !== range && !history.failed;
  const isEmpty = !isLoading && data.times.length === 0;
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
      <Legend spec={spec} data={data} rangeMs={range.ms} cursor={cursor} />
      <div class="chart-body">
        {asTable ? (
          <ChartTable spec={spec} data={data} rangeMs={range.ms} />
        ) : (
          <ChartCanvas spec={spec} data={data} rangeMs={range.ms} cursor={cursor} />
        )}
        {history.failed && <p class="chart-note">{text("chart.failed")}</p>}
        {!history.failed && isEmpty && <p class="chart-note">{text("chart.empty")}</p>}
      </div>
    </figure>
  );
}

/** Response times of a check by location, with its outages. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { judgedKinds } from "../../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { ChartCanvas } from "../../../charts/canvas.tsx";
import { ChartTable } from "../../../charts/chart-table.tsx";
import { type Cursor, type Shown, isFilled } from "../../../charts/cursor.ts";
import { switchLine } from "../../../charts/hidden-lines.ts";
import { Legend } from "../../../charts/legend.tsx";
import { noEvents } from "../../../charts/outages.ts";
import { RangeBar } from "../../../charts/range/range-bar.tsx";
import { readerZone } from "../../../charts/range/span-dialog.tsx";
import { chartView, historyStart, toShownSpan } from "../../../charts/range/view.ts";
import { toChartData } from "../../../charts/series.ts";
import type { ChartSpec } from "../../../charts/specs.ts";
import { type Asked, toAskedSpan, useAsked } from "../../../charts/use-history.ts";
import { IconButton } from "../../../ui/controls.tsx";
import { useQuery } from "../../../ui/console/query.ts";
import { serviceNow } from "../../../ui/server-clock.ts";
import { MONITOR, listLocations, toLocationName, useLocationNames } from "../check-locations.ts";
import { type CheckHistory, useCheckHistory } from "./check-history.ts";
import { type CheckEvent, toOutages } from "./check-events.ts";
import { Panel } from "../../../ui/panel.tsx";

/** A range that shows something for a check that runs every minute. */
const FIRST_RANGE = "24h";
/** So many colours can be told apart. */
const MOST_LINES = 4;

/** The lines: the monitor itself first, then machines. */
function toSpec(locations: readonly string[], names: ReadonlyMap<string, string>): ChartSpec {
  return {
    key: "latency",
    title: "admin.checks.latency",
    unit: "milliseconds",
    lines: locations.map((location) => ({
      metric: location,
      label: "admin.check.place.center" as const,
      name: toLocationName(location, names),
    })),
  };
}

function listShown({ locations, target }: CheckView): readonly string[] {
  if (judgedKinds.includes(target.kind)) return [MONITOR];
  return listLocations(locations).slice(0, MOST_LINES);
}

function useShown(
  {
    spec,
    asked,
    history,
    events,
  }: { spec: ChartSpec; asked: Asked; history: CheckHistory; events: readonly CheckEvent[] },
  hiddenLocations: ReadonlySet<string>,
): Shown {
  const data = useMemo(() => {
    // Pending data is no gap.
    const { from, to } = toAskedSpan(history.asked ?? asked);
    return toChartData(history.series, { span: { from, to: Math.min(to, serviceNow()) } });
  }, [history.series]);
  const firstAt = historyStart.value;
  const shownEvents = useMemo(
    () => ({ ...noEvents, firstAt, outages: toOutages(events, serviceNow()) }),
    [events, firstAt],
  );
  const hidden = useMemo(
    () => new Set(spec.lines.flatMap(({ metric }, line) => (hiddenLocations.has(metric) ? [line] : []))),
    [spec, hiddenLocations],
  );
  const { from, to } = toShownSpan(chartView.value, firstAt);
  return { spec, unit: "milliseconds", data, events: shownEvents, rangeMs: to - from, hidden };
}

function LatencyChart({ check, events }: { check: CheckView; events: readonly CheckEvent[] }): JSX.Element {
  const asked = useAsked();
  const names = useLocationNames();
  const locations = listShown(check);
  const known = locations.map((location) => toLocationName(location, names)).join("\n");
  // The same object while the lines are the same: a new one would redraw the chart.
  const spec = useMemo(() => toSpec(locations, names), [locations.join(" "), known]);
  const history = useCheckHistory(check.id, { locations, asked });
  const [hiddenLocations, setHiddenLocations] = useState<ReadonlySet<string>>(new Set());
  const shown = useShown({ spec, asked, history, events }, hiddenLocations);
  const cursor = useSignal<Cursor | undefined>(undefined);
  const [asTable, setAsTable] = useState(false);
  const isLoading = history.asked !== asked && !history.failed;
  const isEmpty = !isLoading && !shown.data.times.some((_, index) => isFilled(shown.data, index));
  return (
    <figure class={`chart ${isLoading ? "is-loading" : ""}`}>
      <figcaption class="chart-head">
        <Legend
          shown={shown}
          cursor={cursor}
          onSwitch={(line, { alone }) => {
            const metric = locations[line];
            if (metric !== undefined)
              setHiddenLocations(switchLine(hiddenLocations, { metrics: locations, metric, alone }));
          }}
        />
        <IconButton
          icon="table"
          label={text("chart.table")}
          small
          pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        />
      </figcaption>
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

/** The chart with what chooses its span. */
export function LatencyPanel(props: { check: CheckView; events: readonly CheckEvent[] }): JSX.Element {
  const { check } = props;
  const query = useQuery();
  const isHeartbeat = check.target.kind === "heartbeat";
  const hasRange = query.get("range") !== "";
  useEffect(() => {
    if (!hasRange) query.set({ range: FIRST_RANGE });
  }, [hasRange]);
  useEffect(() => {
    historyStart.value = Date.parse(check.createdAt);
    return () => {
      historyStart.value = undefined;
    };
  }, [check.id]);
  return (
    <Panel
      small
      title={text(isHeartbeat ? "admin.check.runs" : "admin.checks.latency")}
      class="check-charts"
      action={<RangeBar hasUnits={false} />}
    >
      {hasRange && <LatencyChart {...props} />}
      <p class="charts-zone quiet-text">{text("chart.zone", { zone: readerZone() })}</p>
    </Panel>
  );
}

/** All charts of a server, over one range of time. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PublicServer, ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { toCount } from "../app/format.ts";
import { navigate, search } from "../app/route.ts";
import { readMetric, readNumber } from "../app/sample.ts";
import { text } from "../app/texts.ts";
import { Chart } from "../charts/chart.tsx";
import { type Range, findRange, ranges } from "../charts/ranges.ts";
import { chooseCharts } from "../charts/specs.ts";
import { Segments, Select } from "../ui/controls.tsx";
import { readGpus, readSensors } from "./detail.ts";

/** The latest values by name of metric; undefined also for what a machine does not have, such as swap. */
function createReader(
  server: PublicServer,
  detail: ServerDetail | undefined,
): (metric: string) => number | undefined {
  return (metric) => {
    if (metric === "temperatures.maxCelsius") return detail && readSensors(detail)[0]?.celsius;
    if (metric === "gpus.maxUsagePercent") return detail && readGpus(detail)[0]?.usagePercent;
    if (metric.startsWith("swap.") && !((readNumber(server, "swap.totalBytes") ?? 0) > 0)) return undefined;
    return readMetric(server, metric);
  };
}

function chooseRange(key: string): void {
  navigate(`${location.pathname}?range=${key}`, { replace: true });
}

function RangeChoice({ range }: { range: Range }): JSX.Element {
  const choices = ranges.map(({ key, amount, unit }) => ({
    value: key,
    label: toCount(amount, unit, "short"),
  }));
  const props = { label: text("chart.range"), value: range.key, choices, onChange: chooseRange };
  return (
    <>
      <span class="for-wide">
        <Segments {...props} />
      </span>
      <span class="for-narrow">
        <Select {...props} />
      </span>
    </>
  );
}

/** The charts. */
export function Charts(props: { server: PublicServer; detail: ServerDetail | undefined }): JSX.Element {
  const { server, detail } = props;
  const range = findRange(new URLSearchParams(search.value).get("range"));
  const chosen = chooseCharts(createReader(server, detail));
  // The same objects as long as the same lines are there: a new one would draw the chart anew.
  const key = chosen.map((spec) => `${spec.key} ${spec.lines.length}`).join(",");
  const specs = useMemo(() => chosen, [key]);
  return (
    <section class="charts" aria-labelledby="charts">
      <div class="charts-head">
        <h2 id="charts">{text("chart.title")}</h2>
        {specs.length > 0 && <RangeChoice range={range} />}
      </div>
      {specs.length === 0 && <p class="panel quiet-text">{text("server.noCharts")}</p>}
      <div class="chart-grid">
        {specs.map((spec) => (
          <Chart key={spec.key} server={server} spec={spec} range={range} />
        ))}
      </div>
    </section>
  );
}

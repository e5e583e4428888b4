/** All charts of a server, over one span of time. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PublicServer, ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { readFullestPath, readMetric, readNumber } from "../app/sample.ts";
import { text } from "../app/texts.ts";
import { Chart } from "../charts/chart.tsx";
import { RangeBar } from "../charts/range/range-bar.tsx";
import { readerZone } from "../charts/range/span-dialog.tsx";
import { chooseCharts } from "../charts/specs.ts";
import { useEvents, useHistoryStart } from "../charts/use-events.ts";
import { useAsked } from "../charts/use-history.ts";
import { readGpus, readSensors } from "./detail.ts";

/** The latest values by name of metric; undefined also for what a machine does not have, such as swap. */
function createReader(
  server: PublicServer,
  detail: ServerDetail | undefined,
): (metric: string) => number | undefined {
  return (metric) => {
    if (metric === "temperatures.maxCelsius") return detail && readSensors(detail)[0]?.celsius;
    if (metric === "gpus.maxUsagePercent") return detail && readGpus(detail)[0]?.usagePercent;
    if (metric.startsWith("pressure.")) return detail && readNumber(detail, metric);
    // On a machine with one disk the same line as that of all.
    if (metric === "disk.fullestPercent" && readFullestPath(server) === undefined) return undefined;
    if (metric.startsWith("swap.") && !((readNumber(server, "swap.totalBytes") ?? 0) > 0)) return undefined;
    return readMetric(server, metric);
  };
}

/** The charts. */
export function Charts(props: { server: PublicServer; detail: ServerDetail | undefined }): JSX.Element {
  const { server, detail } = props;
  const asked = useAsked();
  useHistoryStart(server.id);
  const events = useEvents(server, asked);
  const chosen = chooseCharts(createReader(server, detail));
  // The same objects while the lines are the same: new ones would redraw the chart.
  const key = chosen.map((spec) => `${spec.key} ${spec.lines.length}`).join(",");
  const specs = useMemo(() => chosen, [key]);
  return (
    <section class="charts" aria-labelledby="charts">
      <h2 id="charts" class="for-readers">
        {text("chart.title")}
      </h2>
      {specs.length === 0 ? (
        <p class="panel quiet-text">{text("server.noCharts")}</p>
      ) : (
        <>
          <div class="charts-head">
            <RangeBar />
          </div>
          <div class="chart-grid">
            {specs.map((spec) => (
              <Chart key={spec.key} server={server} spec={spec} asked={asked} events={events} />
            ))}
          </div>
          <p class="charts-zone quiet-text">{text("chart.zone", { zone: readerZone() })}</p>
        </>
      )}
    </section>
  );
}

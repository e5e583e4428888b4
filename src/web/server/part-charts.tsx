/** Charts of one part of a server, which the reader chooses: a mount, an interface, a container. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import type { PartList } from "../../monitor/parts/schema.ts";
import { text } from "../app/texts.ts";
import { Chart } from "../charts/chart.tsx";
import { type ChartSpec, toLines } from "../charts/specs.ts";
import { useEvents } from "../charts/use-events.ts";
import { useAsked } from "../charts/use-history.ts";
import { SelectField } from "../ui/controls.tsx";
import { usePolled } from "./use-polled.ts";

const POLL_MS = 60_000;

type Part = PartList["items"][number];
type PartKind = Part["kind"];

const network: ChartSpec = {
  key: "part-network",
  title: "metric.network",
  unit: "bytesPerSecond",
  lines: toLines({ rxBytesPerSecond: "metric.down", txBytesPerSecond: "metric.up" }),
};
const temperature: ChartSpec = {
  key: "part-temperature",
  title: "chart.temperature",
  unit: "celsius",
  lines: toLines({ celsius: "chart.temperature" }),
};
const working: ChartSpec = {
  key: "part-working",
  title: "chart.working",
  unit: "percent",
  lines: toLines({ upPercent: "chart.working" }),
};

const specs: Readonly<Record<PartKind, readonly ChartSpec[]>> = {
  mount: [
    {
      key: "part-disk",
      title: "chart.disk",
      unit: "percent",
      lines: toLines({ usedPercent: "chart.used", inodesUsedPercent: "chart.inodes" }),
    },
    {
      key: "part-space",
      title: "chart.space",
      unit: "bytes",
      lines: toLines({ usedBytes: "chart.used", totalBytes: "chart.size" }),
    },
  ],
  interface: [
    network,
    {
      key: "part-errors",
      title: "chart.errors",
      unit: "count",
      lines: toLines({ errorsPerMinute: "chart.errorsPerMinute" }),
    },
  ],
  temperature: [temperature],
  gpu: [
    {
      key: "part-gpu",
      title: "chart.gpu",
      unit: "percent",
      lines: toLines({ usagePercent: "chart.usage", memoryUsedPercent: "metric.memory" }),
    },
    temperature,
    { key: "part-power", title: "chart.power", unit: "count", lines: toLines({ powerWatts: "chart.watts" }) },
  ],
  container: [
    { key: "part-cpu", title: "metric.cpu", unit: "percent", lines: toLines({ cpuPercent: "chart.usage" }) },
    {
      key: "part-memory",
      title: "metric.memory",
      unit: "bytes",
      lines: toLines({ memoryUsedBytes: "chart.used" }),
    },
    network,
    {
      key: "part-running",
      title: "chart.working",
      unit: "percent",
      lines: toLines({ upPercent: "chart.working", healthyPercent: "server.container.state.healthy" }),
    },
  ],
  unit: [working],
  disk: [temperature, working],
};

const kindNames = {
  mount: "server.part.mount",
  interface: "server.part.interface",
  temperature: "server.part.temperature",
  gpu: "server.part.gpu",
  container: "server.part.container",
  unit: "server.part.unit",
  disk: "server.part.disk",
} as const;

const toKey = ({ kind, name }: Part): string => `${kind} ${name}`;

/** Reported parts without a history; only administrators see them. */
function LeftOut({ leftOut = [] }: Pick<PartList, "leftOut">): JSX.Element | null {
  if (leftOut.length === 0) return null;
  return (
    <ul class="quiet-text">
      {leftOut.map(({ kind, reason, name, count }) => (
        <li key={`${kind} ${reason}`}>
          {text(`server.part.left.${reason}`, { kind: text(kindNames[kind]), name, count })}
        </li>
      ))}
    </ul>
  );
}

/** The charts; nothing while no part has a history. */
export function PartCharts({ server }: { server: PublicServer }): JSX.Element | null {
  const { data } = usePolled<PartList>(`/api/servers/${encodeURIComponent(server.id)}/parts`, POLL_MS);
  const [chosen, setChosen] = useState("");
  const asked = useAsked();
  const events = useEvents(server, asked);
  const items = data?.items ?? [];
  const part = items.find((item) => toKey(item) === chosen) ?? items[0];
  if (part === undefined) return null;
  return (
    <section class="charts" aria-labelledby="parts">
      <div class="charts-head">
        <h2 id="parts">{text("server.parts")}</h2>
        <SelectField<string>
          label={text("server.part")}
          value={toKey(part)}
          choices={items.map((item) => ({
            value: toKey(item),
            label: `${text(kindNames[item.kind])}: ${item.name}`,
          }))}
          onChange={setChosen}
        />
      </div>
      <div class="chart-grid">
        {specs[part.kind].map((spec) => (
          <Chart
            key={`${toKey(part)} ${spec.key}`}
            server={server}
            spec={spec}
            asked={asked}
            events={events}
            part={part}
          />
        ))}
      </div>
      <LeftOut leftOut={data?.leftOut} />
    </section>
  );
}

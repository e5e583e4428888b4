/** The GPUs and sensors of a machine. */
import type { JSX } from "preact";
import type { ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { toBytes, toNumber, toTemperature } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { Bar, Meter } from "../ui/meter.tsx";
import { type Gpu, readGpus, readSensors } from "./detail.ts";

/** "CPU temperature". */
export function toSensorName(name: string): string {
  if (name === "") return text("chart.temperature");
  return text("server.sensor", { name: name === "cpu" ? text("metric.cpu") : name });
}

function toGpuWords({ memoryUsedBytes: used, memoryTotalBytes: total, celsius, powerWatts }: Gpu): string {
  const words = [
    used === undefined || total === undefined
      ? undefined
      : text("fleet.ofLimit", { used: toBytes(used), limit: toBytes(total) }),
    celsius === undefined ? undefined : toTemperature(celsius),
    powerWatts === undefined ? undefined : `${toNumber(powerWatts)} W`,
  ];
  return words.filter((word) => word !== undefined).join(" · ");
}

/** The panel; nothing where all that is known is one temperature, which is among the present values. */
export function Devices({ detail }: { detail: ServerDetail }): JSX.Element | null {
  const gpus = readGpus(detail);
  const sensors = readSensors(detail);
  if (gpus.length === 0 && sensors.length < 2) return null;
  return (
    <section
      class={`panel ${detail.state === "online" && detail.reports === undefined ? "" : "is-past"}`}
      aria-labelledby="devices"
    >
      <h2 id="devices">{text("server.devices")}</h2>
      <div class="fullnesses">
        {gpus.map((gpu, index) => (
          <div class="fullness" key={index}>
            <Meter label={gpu.name === "" ? text("chart.gpu") : gpu.name} percent={gpu.usagePercent} />
            <span class="quiet-text">{toGpuWords(gpu)}</span>
          </div>
        ))}
        {sensors.map(({ name, celsius }, index) => (
          <div class="fullness" key={`sensor ${index}`}>
            <span class="meter">
              <span class="meter-label">{toSensorName(name)}</span>
              <span class="meter-value">{toTemperature(celsius, 1)}</span>
              <Bar percent={celsius} />
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** A server right now: how full it is, its cores, sensors and GPUs. */
import type { JSX } from "preact";
import type { PublicServer, ServerDetail } from "../../monitor/fleet/view-schema.ts";
import {
  toAgo,
  toBytes,
  toLoad,
  toNumber,
  toPercent,
  toRate,
  toTemperature,
  toTraffic,
  UNKNOWN,
} from "../app/format.ts";
import { second } from "../app/now.ts";
import { readNumber, readUsedPercent } from "../app/sample.ts";
import { text } from "../app/texts.ts";
import { toUsedWords } from "../fleet/card.tsx";
import { Bar, Meter } from "../ui/meter.tsx";
import { toUrgency } from "../ui/urgency.ts";
import { readCores, readGpus, readSensors } from "./detail.ts";

function Fullness({
  server,
  group,
}: {
  server: PublicServer;
  group: "memory" | "swap" | "disk";
}): JSX.Element | null {
  const percent = readUsedPercent(server, group);
  if (percent === undefined) return null;
  return (
    <div class="fullness">
      <Meter label={text(`metric.${group}`)} percent={percent} />
      <span class="quiet-text">{toUsedWords(server, group)}</span>
    </div>
  );
}

function Cores({ percents }: { percents: readonly number[] }): JSX.Element | null {
  if (percents.length === 0) return null;
  return (
    <div class="cores" role="list" aria-label={text("server.perCore")}>
      {percents.map((percent, index) => {
        const words = text("server.core", { number: index + 1, percent: toPercent(percent) });
        return (
          <span class={`core is-${toUrgency(percent)}`} role="listitem" key={index} title={words}>
            <span class="core-fill" style={{ blockSize: `${percent}%` }} />
            <span class="for-readers">{words}</span>
          </span>
        );
      })}
    </div>
  );
}

function Figure(props: {
  label: string;
  /** Values with what each stands for. */
  values: readonly (readonly [value: string, name?: string])[];
  detail?: string;
}): JSX.Element {
  const { label, values, detail } = props;
  return (
    <div class="now-figure">
      <dt>{label}</dt>
      <dd>
        <span class="now-values">
          {values.map(([value, name]) => (
            <span key={name}>
              {value}
              {name !== undefined && <span class="quiet-text"> {name}</span>}
            </span>
          ))}
        </span>
        {detail !== undefined && <span class="quiet-text">{detail}</span>}
      </dd>
    </div>
  );
}

const loads = [
  ["load.one", "chart.load1"],
  ["load.five", "chart.load5"],
  ["load.fifteen", "chart.load15"],
] as const;

function Figures({ server }: { server: PublicServer }): JSX.Element {
  function show(name: string, format: (value: number) => string): string {
    const value = readNumber(server, name);
    return value === undefined ? UNKNOWN : format(value);
  }
  const total = (name: string): string => `${text("server.total")} ${show(name, toTraffic)}`;
  return (
    <dl class="now-figures">
      <Figure
        label={text("metric.down")}
        values={[[show("network.rxBytesPerSecond", toRate)]]}
        detail={total("network.rxTotalBytes")}
      />
      <Figure
        label={text("metric.up")}
        values={[[show("network.txBytesPerSecond", toRate)]]}
        detail={total("network.txTotalBytes")}
      />
      <Figure
        label={text("metric.load")}
        values={loads.map(([name, span]) => [show(name, toLoad), text(span)])}
      />
      <Figure
        label={text("chart.connections")}
        values={[
          [show("connections.tcp", toNumber), "TCP"],
          [show("connections.udp", toNumber), "UDP"],
        ]}
      />
      <Figure label={text("chart.processes")} values={[[show("processes", toNumber)]]} />
    </dl>
  );
}

/** "CPU temperature". */
function toSensorName(name: string): string {
  if (name === "") return text("chart.temperature");
  return text("server.sensor", { name: name === "cpu" ? text("metric.cpu") : name });
}

function Devices({ detail }: { detail: ServerDetail }): JSX.Element {
  return (
    <>
      {readGpus(detail).map((gpu, index) => (
        <div class="fullness" key={index}>
          <Meter label={gpu.name === "" ? text("chart.gpu") : gpu.name} percent={gpu.usagePercent} />
          <span class="quiet-text">
            {gpu.memoryUsedBytes !== undefined &&
              gpu.memoryTotalBytes !== undefined &&
              text("fleet.ofLimit", {
                used: toBytes(gpu.memoryUsedBytes),
                limit: toBytes(gpu.memoryTotalBytes),
              })}
            {gpu.celsius !== undefined && ` · ${toTemperature(gpu.celsius)}`}
            {gpu.powerWatts !== undefined && ` · ${toNumber(gpu.powerWatts)} W`}
          </span>
        </div>
      ))}
      {readSensors(detail).map((sensor, index) => (
        <div class="fullness" key={`sensor ${index}`}>
          <span class="meter">
            <span class="meter-label">{toSensorName(sensor.name)}</span>
            <span class="meter-value">{toTemperature(sensor.celsius, 1)}</span>
            <Bar percent={sensor.celsius} />
          </span>
        </div>
      ))}
    </>
  );
}

/** The age of the values; updates by itself. */
function LastValues({ atMs }: { atMs: number }): JSX.Element {
  return <>{text("server.lastValues", { ago: toAgo(second.value - atMs) })}</>;
}

/** The panel; `detail` comes a little later than `server`. */
export function Present(props: {
  server: PublicServer;
  detail: ServerDetail | undefined;
}): JSX.Element | null {
  const { server, detail } = props;
  if (server.latest === undefined) return null;
  const isNow = server.state === "online" && server.reports === undefined;
  return (
    <section class={`panel now ${isNow ? "" : "is-past"}`} aria-labelledby="now">
      <h2 id="now">{isNow ? text("server.now") : <LastValues atMs={server.latest.collectedAt} />}</h2>
      <div class="fullnesses">
        <div class="fullness">
          <Meter label={text("metric.cpu")} percent={readNumber(server, "cpu.usagePercent")} />
          {detail && <Cores percents={readCores(detail)} />}
        </div>
        <Fullness server={server} group="memory" />
        <Fullness server={server} group="swap" />
        <Fullness server={server} group="disk" />
        {detail && <Devices detail={detail} />}
      </div>
      <Figures server={server} />
    </section>
  );
}

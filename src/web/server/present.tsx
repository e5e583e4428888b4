/** A server right now, in one row above its charts: how full it is, its cores, its rates. */
import type { JSX } from "preact";
import type { PublicServer, ServerDetail } from "../../monitor/fleet/view-schema.ts";
import {
  toAgo,
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
import { Meter } from "../ui/meter.tsx";
import { toUrgency } from "../ui/urgency.ts";
import { type Sensor, readCores, readSensors } from "./detail.ts";
import { toSensorName } from "./devices.tsx";

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

/** From here on, gaps between their bars would take more room than the bars. */
const MANY_CORES = 32;

function Cores({ percents }: { percents: readonly number[] }): JSX.Element | null {
  if (percents.length === 0) return null;
  return (
    <div
      class={`cores ${percents.length > MANY_CORES ? "is-dense" : ""}`}
      role="list"
      aria-label={text("server.perCore")}
    >
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
    <div class={`now-figure ${values.length > 2 ? "is-wide" : ""}`}>
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

function toHotter(hottest: Sensor | undefined, sensor: Sensor): Sensor {
  return hottest === undefined || sensor.celsius > hottest.celsius ? sensor : hottest;
}

const loads = [
  ["load.one", "chart.load1"],
  ["load.five", "chart.load5"],
  ["load.fifteen", "chart.load15"],
] as const;

function Figures(props: { server: PublicServer; detail: ServerDetail | undefined }): JSX.Element {
  const { server, detail } = props;
  const sensor = detail && readSensors(detail).reduce(toHotter, undefined);
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
      {sensor && <Figure label={toSensorName(sensor.name)} values={[[toTemperature(sensor.celsius, 1)]]} />}
    </dl>
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
      <h2 id="now" class={isNow ? "for-readers" : ""}>
        {isNow ? text("server.now") : <LastValues atMs={server.latest.collectedAt} />}
      </h2>
      <div class="now-row">
        <div class="fullnesses">
          <div class="fullness">
            <Meter label={text("metric.cpu")} percent={readNumber(server, "cpu.usagePercent")} />
            {detail && <Cores percents={readCores(detail)} />}
          </div>
          <Fullness server={server} group="memory" />
          <Fullness server={server} group="swap" />
          <Fullness server={server} group="disk" />
        </div>
        <Figures server={server} detail={detail} />
      </div>
    </section>
  );
}

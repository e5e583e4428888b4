/** The past days of a server: uptime of 90, traffic of 30. */
import type { JSX } from "preact";
import { toBytes, toUptime, UNKNOWN } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { UptimeBars } from "../ui/uptime-bars.tsx";
import { type DaysAnswer, type TrafficBar, toRatios, toSpanRatio, toTrafficBars } from "./days.ts";
import { usePolled } from "./use-polled.ts";

const DAYS = 90;
const TRAFFIC_DAYS = 30;
const REFRESH_MS = 5 * 60_000;
const SPANS = [1, 7, 30, 90];

function TrafficBars({ bars }: { bars: readonly TrafficBar[] }): JSX.Element {
  return (
    <div class="traffic-bars" role="list" aria-label={text("server.trafficDays")}>
      {bars.map(({ day, rx, tx }) => {
        const words = text("server.trafficDay", {
          date: day.date,
          rx: toBytes(day.rxBytes),
          tx: toBytes(day.txBytes),
        });
        return (
          <span class="traffic-bar" role="listitem" key={day.date} title={words}>
            <span class="is-tx" style={{ blockSize: `${tx * 100}%` }} />
            <span class="is-rx" style={{ blockSize: `${rx * 100}%` }} />
            <span class="for-readers">{words}</span>
          </span>
        );
      })}
    </div>
  );
}

/** The panel; nothing before the days are known. */
export function DayPanel({ id }: { id: string }): JSX.Element | null {
  const { data } = usePolled<DaysAnswer>(
    `/api/servers/${encodeURIComponent(id)}/days?days=${DAYS}`,
    REFRESH_MS,
  );
  if (data === undefined) return null;
  const { days } = data;
  const hasTraffic = days.some(({ rxBytes, txBytes }) => rxBytes + txBytes > 0);
  return (
    <section class="panel days" aria-labelledby="days">
      <h2 id="days">{text("server.uptime")}</h2>
      <dl class="uptime-spans">
        {SPANS.map((span) => {
          const ratio = toSpanRatio(days, span);
          return (
            <div key={span}>
              <dt>{span === 1 ? text("uptime.today") : text("server.days", { days: span })}</dt>
              <dd>{ratio === undefined ? UNKNOWN : toUptime(ratio)}</dd>
            </div>
          );
        })}
      </dl>
      <UptimeBars days={toRatios(days)} ratio={toSpanRatio(days, DAYS)} focusable />
      <div class="uptime-span quiet-text">
        <span>{text("uptime.first", { days: DAYS })}</span>
        <span>{text("uptime.today")}</span>
      </div>
      {hasTraffic && (
        <>
          <div class="days-head">
            <h3>{text("server.trafficDays")}</h3>
            <ul class="legend">
              <li>
                <span class="legend-mark is-line-1" aria-hidden="true" /> {text("server.received")}
              </li>
              <li>
                <span class="legend-mark is-line-2" aria-hidden="true" /> {text("server.sent")}
              </li>
            </ul>
          </div>
          <TrafficBars bars={toTrafficBars(days, TRAFFIC_DAYS)} />
          <div class="uptime-span quiet-text">
            <span>{text("uptime.first", { days: TRAFFIC_DAYS })}</span>
            <span>{text("uptime.today")}</span>
          </div>
        </>
      )}
    </section>
  );
}

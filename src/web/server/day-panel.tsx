/** The past days of a server: uptime of 90, traffic of 30. */
import type { JSX } from "preact";
import { toUptimeWords } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { UptimeBars } from "../ui/uptime-bars.tsx";
import type { ServerDays } from "../../monitor/fleet/days-schema.ts";
import { toDayName, toKnownMs, toRatios, toSpanRatio } from "./days.ts";
import { TrafficBars } from "./traffic-bars.tsx";
import { usePolled } from "./use-polled.ts";

const DAYS = 90;
const TRAFFIC_DAYS = 30;
const REFRESH_MS = 5 * 60_000;
const SPANS = [1, 7, 30, 90];

/** The panel; nothing before the days are known. */
export function DayPanel({ id }: { id: string }): JSX.Element | null {
  const { data } = usePolled<ServerDays>(
    `/api/servers/${encodeURIComponent(id)}/days?days=${DAYS}`,
    REFRESH_MS,
  );
  if (data === undefined) return null;
  const { days, timeZone } = data;
  const knownMs = toKnownMs(days);
  const hasTraffic = days.some(({ rxBytes, txBytes }) => rxBytes + txBytes > 0);
  return (
    <section class="panel days" aria-labelledby="days">
      <h2 id="days">{text("server.uptime")}</h2>
      <dl class="uptime-spans">
        {SPANS.map((span) => {
          return (
            <div key={span}>
              <dt>{span === 1 ? text("uptime.today") : text("server.days", { days: span })}</dt>
              <dd>{toUptimeWords(toSpanRatio(days, span), knownMs)}</dd>
            </div>
          );
        })}
      </dl>
      <UptimeBars
        days={toRatios(days)}
        value={toUptimeWords(toSpanRatio(days, DAYS), knownMs)}
        dates={days.map(toDayName)}
        focusable
      />
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
          <TrafficBars days={days} count={TRAFFIC_DAYS} />
          <div class="uptime-span quiet-text">
            <span>{text("uptime.first", { days: TRAFFIC_DAYS })}</span>
            <span>{text("uptime.today")}</span>
          </div>
        </>
      )}
      <p class="days-zone quiet-text">{text("server.daysZone", { zone: timeZone })}</p>
    </section>
  );
}

/** Received and sent traffic of each of the last days. */
import type { JSX } from "preact";
import { toTraffic } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { DayBars } from "../ui/day-bars.tsx";
import { type Day, toDayName, toTrafficBars } from "./days.ts";

/** The bars with their scale. */
export function TrafficBars({ days, count }: { days: readonly Day[]; count: number }): JSX.Element {
  const { top, bars } = toTrafficBars(days, count);
  function toWords(index: number): string {
    const day = bars[index]?.day;
    if (day === undefined) return "";
    const words = { rx: toTraffic(day.rxBytes), tx: toTraffic(day.txBytes) };
    return text("server.trafficDay", { date: toDayName(day), ...words });
  }
  return (
    <div class="traffic-scale">
      <span class="traffic-marks" aria-hidden="true">
        <span>{toTraffic(top)}</span>
        <span>{toTraffic(top / 2)}</span>
        <span>0</span>
      </span>
      <DayBars
        class="traffic-bars"
        count={bars.length}
        label={text("server.trafficDays")}
        toWords={toWords}
        focusable
      >
        {bars.map(({ day, rx, tx }) => (
          <span class="traffic-bar" key={day.date}>
            <span class="is-tx" style={{ blockSize: `${tx * 100}%` }} />
            <span class="is-rx" style={{ blockSize: `${rx * 100}%` }} />
          </span>
        ))}
      </DayBars>
    </div>
  );
}

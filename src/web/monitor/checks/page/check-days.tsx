/** The last 90 days of a check as bars, with a table for those to whom colours say nothing. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toDay, toUptime, toUptimeWords } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { IconButton } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { usePolled } from "../../../ui/console/polled.ts";
import { UptimeBars } from "../../../ui/uptime-bars.tsx";
import { toCheckPath } from "../check-data.ts";
import { type Period, type UptimeAnswer, findShare, periods, toKnownMs, toShare } from "./day-shares.ts";
import { Panel } from "../../../ui/panel.tsx";

const DAYS = 90;
// `as`: Object.keys knows texts alone.
const shownPeriods = Object.keys(periods) as readonly Period[];
const POLL_MS = 5 * 60_000;

/** The name of a day, in UTC, whatever the reader's time zone. */
function toDayName(date: string): string {
  return toDay(Date.parse(date), "UTC");
}

/** The panel; nothing before the days are known. */
export function CheckDays({ id }: { id: string }): JSX.Element | null {
  const { data } = usePolled<UptimeAnswer>(`${toCheckPath(id)}/uptime`, POLL_MS);
  const [asTable, setAsTable] = useState(false);
  if (data === undefined) return null;
  const { days } = data;
  const knownMs = toKnownMs(data.knownSince);
  return (
    <Panel
      small
      title={text("admin.checks.uptime")}
      action={
        <IconButton
          icon="table"
          label={text("chart.table")}
          small
          pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        />
      }
    >
      <dl class="uptime-spans">
        {shownPeriods.map((period) => {
          return (
            <div key={period}>
              <dt>
                {period === "24h" ? text("admin.checks.day") : text("server.days", { days: periods[period] })}
              </dt>
              <dd>{toUptimeWords(findShare(data, period), knownMs)}</dd>
            </div>
          );
        })}
      </dl>
      {asTable ? (
        <div class="check-days-table" tabIndex={0} role="region" aria-label={text("admin.checks.uptime")}>
          <Table
            caption={text("admin.checks.uptime")}
            rows={days.toReversed()}
            keyOf={({ day }) => day}
            columns={[
              { key: "day", label: text("admin.check.day"), cell: ({ day }) => toDayName(day) },
              {
                key: "uptime",
                label: text("admin.checks.uptime"),
                number: true,
                cell: ({ upPercent }) => {
                  const ratio = toShare(upPercent);
                  return ratio === null ? text("uptime.unknown") : toUptime(ratio);
                },
              },
            ]}
          />
        </div>
      ) : (
        <>
          <UptimeBars
            days={days.map(({ upPercent }) => toShare(upPercent))}
            value={toUptimeWords(findShare(data, "90d"), knownMs)}
            dates={days.map(({ day }) => toDayName(day))}
            focusable
          />
          <div class="uptime-span quiet-text">
            <span>{text("uptime.first", { days: DAYS })}</span>
            <span>{text("uptime.today")}</span>
          </div>
        </>
      )}
    </Panel>
  );
}

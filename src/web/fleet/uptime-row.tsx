/** A server as a row of the uptime view. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { toUptimeWords } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { UPTIME_DAYS, uptime } from "../app/uptime.ts";
import { SortButton, toAriaSort } from "../ui/controls-table.tsx";
import { UptimeBars } from "../ui/uptime-bars.tsx";
import { NameCell } from "./columns.tsx";
import type { Criteria } from "./criteria.ts";
import { sortBy } from "./row.tsx";

const noDays = Array.from({ length: UPTIME_DAYS }, () => null);

/** The headings of the uptime view. */
export function UptimeHead({ criteria }: { criteria: Criteria }): JSX.Element {
  const order = { key: criteria.sort, descending: criteria.descending };
  return (
    <div class="uptime-row head-row" role="row">
      <span role="columnheader" aria-sort={toAriaSort(order, "name")}>
        <SortButton
          label={text("metric.name")}
          column="name"
          order={order}
          onOrder={() => sortBy("name", criteria)}
        />
      </span>
      <span role="columnheader" class="uptime-span">
        <span>{text("uptime.first", { days: UPTIME_DAYS })}</span>
        <span class="for-wide">{text("uptime.zone")}</span>
        <span>{text("uptime.today")}</span>
      </span>
      <span role="columnheader" class="is-number" aria-sort={toAriaSort(order, "uptime")}>
        <SortButton
          label={text("metric.uptime")}
          column="uptime"
          order={order}
          onOrder={() => sortBy("uptime", criteria)}
        />
      </span>
    </div>
  );
}

/** The row; its parent has role "row". */
export function UptimeRow({ server, compact }: { server: PublicServer; compact: boolean }): JSX.Element {
  const known = uptime.value.byId.get(server.id);
  const value = toUptimeWords(known?.ratio, known?.knownMs);
  return (
    <div class={`uptime-row row is-${server.state}${compact ? " is-compact" : ""}`} role="presentation">
      <span role="cell">
        <NameCell server={server} />
      </span>
      <span role="cell" class="uptime-cell">
        <UptimeBars days={known?.days ?? noDays} value={value} zone={known?.timeZone} />
      </span>
      <span role="cell" class="is-number uptime-ratio">
        {value}
      </span>
    </div>
  );
}

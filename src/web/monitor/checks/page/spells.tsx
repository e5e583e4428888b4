/** State changes of a check: each state with its duration, and the reason. */
import type { JSX } from "preact";
import { toMoment, toSpan } from "../../../app/format.ts";
import { second } from "../../../app/now.ts";
import { text } from "../../../app/texts.ts";
import type { Pages } from "../../../ui/console/paged.ts";
import { PagedRows } from "../../../ui/console/paged-rows.tsx";
import { CheckStateBadge } from "../check-marks.tsx";
import { listLocations, toLocationName, useLocationNames } from "../check-locations.ts";
import { toFoundText, toWhy } from "../../pieces/check-words.ts";
import type { CheckEvent } from "./check-events.ts";
import { Panel } from "../../../ui/panel.tsx";

function EventRow({ event, names }: { event: CheckEvent; names: ReadonlyMap<string, string> }): JSX.Element {
  const { state, since, until, fault, locations } = event;
  const found = toFoundText(event);
  const from = Date.parse(since);
  const to = until === undefined ? second.value : Date.parse(until);
  const span = toSpan(Math.max(1_000, to - from));
  const isElsewhere = locations.serverIds.length > 0;
  const isBad = state === "down" || state === "partial";
  return (
    <li class={`spell is-${state}`}>
      <div class="spell-head">
        <CheckStateBadge state={state} />
        <time dateTime={since}>{toMoment(from)}</time>
        <span class="field-hint">
          {until === undefined
            ? text("admin.check.spell.lasts", { span })
            : text("admin.check.spell.lasted", { span })}
        </span>
      </div>
      {isBad && (
        <p class="break">
          {toWhy(fault, found)}
          {fault !== undefined && found !== "" && <span class="field-hint"> {found}</span>}
          {isElsewhere && (
            <span class="field-hint">
              {" "}
              ·{" "}
              {listLocations(locations)
                .map((location) => toLocationName(location, names))
                .join(", ")}
            </span>
          )}
        </p>
      )}
    </li>
  );
}

/** The timeline. */
export function Spells({ pages }: { pages: Pages<CheckEvent> }): JSX.Element {
  const names = useLocationNames();
  return (
    <Panel small title={text("admin.check.spells")}>
      <PagedRows pages={pages} none="admin.check.spells.none">
        <ol class="plain-list spells">
          {pages.items.map((event) => (
            <EventRow event={event} names={names} key={event.id} />
          ))}
        </ol>
      </PagedRows>
    </Panel>
  );
}

/** The table of checks by group: how each stands, its last day, and what can be done with it. */
import type { JSX } from "preact";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { toLatency, toSpan, toUptime } from "../../app/format.ts";
import { second } from "../../app/now.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Menu } from "../../ui/controls-menu.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import type { CheckSection } from "./check-list.ts";
import { toCheckPage } from "./check-data.ts";
import type { DayFigures } from "./check-uptime.ts";
import { HourBars } from "./hour-bars.tsx";
import { CheckStateBadge } from "./check-marks.tsx";
import { findLatency, findWhy, kindText, toFoundText, toTargetText, toWhy } from "../pieces/check-words.ts";

export interface CheckActions {
  readonly onTick: (ids: readonly string[], ticked: boolean) => void;
  readonly onPause: (check: CheckView) => void;
  readonly onDelete: (check: CheckView) => void;
}

interface RowProps extends CheckActions {
  readonly check: CheckView;
  readonly ticked: boolean;
  /** Its last day; undefined while that is not known. */
  readonly figures: DayFigures | undefined;
}

/** How long it has been so. */
function Since({ check }: { check: CheckView }): JSX.Element {
  const { since } = check.standing;
  const span = toSpan(Math.max(60_000, second.value - Date.parse(since)));
  return (
    <time dateTime={since} title={new Date(since).toLocaleString()}>
      {span}
    </time>
  );
}

function Name({ check }: { check: CheckView }): JSX.Element {
  const { state } = check.standing;
  const why = state === "up" || state === "paused" ? undefined : findWhy(check);
  return (
    <>
      <a class="row-name" href={toCheckPage(check.id)}>
        {check.name}
      </a>
      <span class="marks">
        {check.mute !== undefined && <Badge>{text("admin.mark.muted")}</Badge>}
        {check.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
      <span class="check-about">
        <span class="check-kind-word">{kindText(check.target.kind)}</span>
        {why === undefined ? (
          <span class="check-target">{toTargetText(check)}</span>
        ) : (
          <span class="check-why">
            {toWhy(why.fault, why.detail)}
            {toFoundText(why) !== "" && <span class="field-hint"> {toFoundText(why)}</span>}
          </span>
        )}
      </span>
    </>
  );
}

function Deeds({ check, onPause, onDelete }: RowProps): JSX.Element {
  const { id, name, paused } = check;
  return (
    <Menu
      label={text("admin.deeds", { name })}
      items={[
        {
          label: text("admin.edit"),
          icon: "edit",
          onSelect: () => navigate(`${toCheckPage(id)}?tab=settings`),
        },
        {
          label: text(paused ? "admin.bulk.enable" : "admin.bulk.disable"),
          icon: paused ? "play" : "pause",
          onSelect: () => onPause(check),
        },
        {
          label: text("admin.check.copy"),
          icon: "copy",
          onSelect: () => navigate(`/admin/checks/new?copy=${encodeURIComponent(id)}`),
        },
        { label: text("admin.delete"), icon: "trash", danger: true, onSelect: () => onDelete(check) },
      ]}
    />
  );
}

function Row(props: RowProps): JSX.Element {
  const { check, ticked, figures, onTick } = props;
  const latency = findLatency(check);
  return (
    <tr class={`is-${check.standing.state}`}>
      <td class="check-tick">
        <input
          type="checkbox"
          aria-label={text("admin.tick", { name: check.name })}
          checked={ticked}
          onChange={(event) => onTick([check.id], event.currentTarget.checked)}
        />
      </td>
      <td class="check-name">
        <Name check={check} />
      </td>
      <td class="check-standing">
        <CheckStateBadge state={check.standing.state} />
        <span class="field-hint">
          <Since check={check} />
        </span>
      </td>
      <td class="check-day">
        <HourBars figures={figures} />
      </td>
      <td class="is-number check-uptime">{figures?.uptime === undefined ? "–" : toUptime(figures.uptime)}</td>
      <td class="is-number check-latency">{latency === undefined ? "–" : toLatency(latency)}</td>
      <td class="check-deeds">
        <Deeds {...props} />
      </td>
    </tr>
  );
}

function SectionHead(props: {
  section: CheckSection;
  ticked: ReadonlySet<string>;
  onTick: CheckActions["onTick"];
}): JSX.Element {
  const { section, ticked, onTick } = props;
  const { group, checks } = section;
  const name =
    group === undefined ? text("admin.checks.troubled") : group === "" ? text("fleet.noGroup") : group;
  const ids = checks.map(({ id }) => id);
  return (
    <tr class={`check-group${group === undefined ? " is-troubled" : ""}`}>
      <td class="check-tick">
        <input
          type="checkbox"
          aria-label={text("admin.checks.tick.group", { group: name })}
          checked={ids.every((id) => ticked.has(id))}
          onChange={(event) => onTick(ids, event.currentTarget.checked)}
        />
      </td>
      <th scope="rowgroup" colSpan={6}>
        {name} <span class="chip-count">{checks.length}</span>
      </th>
    </tr>
  );
}

/** The table. */
export function CheckTable(
  props: CheckActions & {
    sections: readonly CheckSection[];
    ticked: ReadonlySet<string>;
    figures: ReadonlyMap<string, DayFigures>;
  },
): JSX.Element {
  const { sections, ticked, figures, ...actions } = props;
  return (
    <table class="table check-table">
      <caption class="for-readers">{text("admin.nav.checks")}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="for-readers">{text("admin.column.tick")}</span>
          </th>
          <th scope="col">{text("admin.field.name")}</th>
          <th scope="col">{text("admin.column.state")}</th>
          <th scope="col">{text("admin.checks.day")}</th>
          <th scope="col" class="is-number">
            {text("admin.checks.uptime")}
          </th>
          <th scope="col" class="is-number">
            {text("admin.checks.latency")}
          </th>
          <th scope="col">
            <span class="for-readers">{text("admin.column.deeds")}</span>
          </th>
        </tr>
      </thead>
      {sections.map((section) => (
        <tbody key={section.group ?? "troubled "}>
          {/* A single group without a name needs no head. */}
          {(sections.length > 1 || section.group !== "") && (
            <SectionHead section={section} ticked={ticked} onTick={actions.onTick} />
          )}
          {section.checks.map((check) => (
            <Row
              {...actions}
              key={check.id}
              check={check}
              ticked={ticked.has(check.id)}
              figures={figures.get(check.id)}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

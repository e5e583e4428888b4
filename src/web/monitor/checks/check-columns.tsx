/** The columns of the list of checks: the state of each, its last day, and what can be done with it. */
import type { JSX } from "preact";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { toLatency, toSpan, toUptimeWords } from "../../app/format.ts";
import { second } from "../../app/now.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Menu } from "../../ui/controls-menu.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import { showProblem } from "../../ui/console/problem.tsx";
import type { ListTools } from "../../ui/resource/resource.ts";
import { changeChecks } from "./check-bulk.tsx";
import { toCheckPage } from "./check-data.ts";
import { useDayFigures } from "./check-uptime.ts";
import { HourBars } from "./hour-bars.tsx";
import { CheckStateBadge } from "./check-marks.tsx";
import {
  findLatency,
  findWhy,
  kindText,
  toFoundText,
  toMembersText,
  toTargetText,
  toWhy,
} from "../pieces/check-words.ts";

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
  const members = state === "paused" ? "" : toMembersText(check, true);
  const isPartly = members !== "" && (check.standing.members?.down ?? 0) > 0;
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
        {isPartly ? (
          <span class={`check-members is-${state}`}>
            <Icon name="alert" />
            {members}
          </span>
        ) : why === undefined ? (
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

function RowMenu({
  check,
  tools,
  onPause,
}: {
  check: CheckView;
  tools: ListTools<CheckView>;
  onPause: (check: CheckView) => void;
}): JSX.Element {
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
        { label: text("admin.delete"), icon: "trash", danger: true, onSelect: () => tools.open(check) },
      ]}
    />
  );
}

/** The columns. */
export function useCheckColumns(
  tools: ListTools<CheckView>,
  items: readonly CheckView[],
): readonly TableColumn<CheckView>[] {
  const figures = useDayFigures(items.map(({ id }) => id));
  const pause = ({ id, paused }: CheckView): void =>
    void changeChecks([id], { action: paused ? "resume" : "pause" }).then(tools.refresh, showProblem);
  return [
    {
      key: "name",
      label: text("admin.field.name"),
      class: "check-name",
      cell: (check) => <Name check={check} />,
    },
    {
      key: "state",
      label: text("admin.column.state"),
      class: "check-standing",
      cell: (check) => (
        <>
          <CheckStateBadge state={check.standing.state} />
          <span class="field-hint">
            <Since check={check} />
          </span>
        </>
      ),
    },
    {
      key: "day",
      label: text("admin.checks.day"),
      class: "check-day",
      cell: ({ id }) => <HourBars figures={figures.get(id)} />,
    },
    {
      key: "uptime",
      label: text("admin.checks.uptime"),
      number: true,
      class: "check-uptime",
      cell: ({ id }) => {
        const found = figures.get(id);
        return toUptimeWords(found?.uptime, found?.knownMs);
      },
    },
    {
      key: "latency",
      label: text("admin.checks.latency"),
      number: true,
      class: "check-latency",
      cell: (check) => {
        const latency = findLatency(check);
        return latency === undefined ? "–" : toLatency(latency);
      },
    },
    ...(tools.mayWrite
      ? [
          {
            key: "menu",
            label: text("admin.column.deeds"),
            silent: true,
            class: "check-deeds",
            cell: (check: CheckView) => <RowMenu check={check} tools={tools} onPause={pause} />,
          },
        ]
      : []),
  ];
}

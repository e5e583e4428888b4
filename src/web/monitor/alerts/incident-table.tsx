/** Incidents as rows: how bad, which server or check, what was found, since when, who knows of it. */
import type { JSX } from "preact";
import type { IncidentRecord } from "../../../monitor/alerts/schema.ts";
import { toMoment, toSpan } from "../../app/format.ts";
import { second } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Ago, Moment } from "../../ui/console/pieces.tsx";
import type { WithTimes } from "../../ui/forms/with-times.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { MaintenanceMark } from "../../ui/state-mark.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { ListTools } from "../../ui/resource/resource.ts";
import { toFoundText } from "../pieces/check-words.ts";
import { toConditionText, toFindingText } from "./rule-data.ts";
import { SeverityMark } from "./severity-mark.tsx";

/** An incident as shown. */
export type IncidentView = WithTimes<
  Pick<
    IncidentRecord,
    | "id"
    | "state"
    | "ruleId"
    | "ruleName"
    | "condition"
    | "severity"
    | "serverId"
    | "serverName"
    | "checkId"
    | "checkName"
    | "since"
    | "openedAt"
    | "firedValue"
    | "subject"
    | "resolvedAt"
    | "durationSeconds"
    | "closedBy"
    | "acknowledgedAt"
    | "acknowledgedBy"
    | "note"
    | "notedBy"
    | "told"
  >,
  "since" | "openedAt" | "resolvedAt" | "acknowledgedAt"
> & {
  readonly found?: WithTimes<NonNullable<IncidentRecord["found"]>, "dueAt">;
  /** Why a notification waits. */
  readonly waits?: "gather" | "quiet" | "mute";
  /** That its server or check is muted, and until when. */
  readonly mute?: { readonly until?: string };
  /** When the planned maintenance of its server or check ends. */
  readonly maintenanceUntil?: string;
};

type About = Pick<IncidentView, "serverId" | "serverName" | "checkId" | "checkName">;

/** The name of the server or check. */
function nameOf({ serverName, checkName }: About): string {
  return checkName ?? serverName ?? "";
}

/** Server or check, and that it is in maintenance. */
export function AboutCell(props: { incident: About & Pick<IncidentView, "maintenanceUntil"> }): JSX.Element {
  const { serverId = "", checkId, maintenanceUntil } = props.incident;
  const path = checkId === undefined ? `/admin/servers/${serverId}` : `/admin/checks/${checkId}`;
  return (
    <>
      <a class="row-name" href={path}>
        {nameOf(props.incident)}
      </a>{" "}
      <MaintenanceMark until={maintenanceUntil === undefined ? undefined : Date.parse(maintenanceUntil)} />
    </>
  );
}

/** Whether the alert was sent, or why not, and that nothing more is sent. */
function Notified({ incident }: { incident: IncidentView }): JSX.Element {
  const { told, waits, maintenanceUntil, mute } = incident;
  const isMaintenance = waits === "mute" && maintenanceUntil !== undefined;
  const name = isMaintenance ? "maintenance" : (waits ?? (told.down ? "yes" : "no"));
  const until = mute?.until;
  return (
    <>
      <span class={name === "no" ? "is-warn-text" : "quiet-text"}>{text(`admin.notified.${name}`)}</span>
      {mute !== undefined && name !== "mute" && (
        <span class="quiet-text">
          {" · "}
          {text("admin.mark.muted")}
        </span>
      )}
      {until !== undefined && (
        <span class="for-readers">
          {text("admin.mute.until")} {toMoment(Date.parse(until))}
        </span>
      )}
    </>
  );
}

/** Who acknowledged it and when, or the button that does it. */
function Acknowledge(props: {
  incident: IncidentView;
  mayWrite: boolean;
  onDone: () => Promise<void>;
}): JSX.Element | null {
  const { incident, mayWrite, onDone } = props;
  const task = useTask();
  const { acknowledgedAt, acknowledgedBy = "" } = incident;
  if (acknowledgedAt !== undefined)
    return (
      <span class="quiet-text" title={text("admin.incident.acknowledged", { name: acknowledgedBy })}>
        {text("admin.incident.acknowledged.done")} <Ago at={acknowledgedAt} />
      </span>
    );
  async function acknowledge(): Promise<void> {
    const path = `/api/admin/incidents/${encodeURIComponent(incident.id)}/acknowledge`;
    await adminRequest(path, { method: "POST" });
    showToast(text("admin.incident.acknowledged.done"));
    await onDone();
  }
  if (!mayWrite) return null;
  if (task.message !== undefined) return <ErrorNote message={task.message} onRetry={() => task.clear()} />;
  return (
    <Button small kind="quiet" icon="check" disabled={task.busy} onClick={() => void task.run(acknowledge)}>
      {text("admin.incident.acknowledge")}
      <span class="for-readers"> {toIncidentName(incident)}</span>
    </Button>
  );
}

function What({ incident }: { incident: IncidentView }): JSX.Element {
  const { condition, firedValue, ruleName, subject, found, note, notedBy = "" } = incident;
  const finding = firedValue === undefined ? undefined : toFindingText(condition, firedValue);
  return (
    <span title={toConditionText(condition)}>
      {ruleName}
      {finding !== undefined && <span class="quiet-text"> · {finding}</span>}
      {subject !== undefined && <span class="quiet-text"> · {subject}</span>}
      {found?.fault !== undefined && (
        <span class="quiet-text" title={toFoundText(found)}>
          {" "}
          · {text(`check.fault.${found.fault}`)}
        </span>
      )}
      {note !== undefined && (
        <span class="incident-note" title={text("admin.incident.noted", { name: notedBy })}>
          <Icon name="edit" /> {note}
        </span>
      )}
    </span>
  );
}

/** What an alert is about, and which rule fired. */
export function toIncidentName(incident: IncidentView): string {
  return `${nameOf(incident)}: ${incident.ruleName}`;
}

const shared = (): readonly TableColumn<IncidentView>[] => [
  {
    key: "severity",
    label: text("admin.rule.severity"),
    class: "is-severity",
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  {
    key: "about",
    label: text("admin.incident.about"),
    class: "is-about",
    cell: (incident) => <AboutCell incident={incident} />,
  },
  {
    key: "what",
    label: text("admin.column.what"),
    class: "is-what",
    cell: (incident) => <What incident={incident} />,
  },
];

/** Columns of open alerts. */
export function openColumns({
  mayWrite,
  refresh,
}: Pick<ListTools<IncidentView>, "mayWrite" | "refresh">): readonly TableColumn<IncidentView>[] {
  return [
    ...shared(),
    {
      key: "since",
      label: text("admin.incident.for"),
      class: "is-span",
      cell: ({ since }) => (
        <time
          dateTime={since}
          title={text("admin.incident.sinceMoment", { moment: toMoment(Date.parse(since)) })}
        >
          {toSpan(Math.max(0, second.value - Date.parse(since)))}
        </time>
      ),
    },
    {
      key: "notified",
      label: text("admin.incident.notified"),
      cell: (incident) => <Notified incident={incident} />,
    },
    {
      key: "acknowledge",
      label: text("admin.incident.acknowledged.done"),
      silent: true,
      number: true,
      cell: (incident) => <Acknowledge incident={incident} mayWrite={mayWrite} onDone={refresh} />,
    },
  ];
}

/** Closed alerts. */
export function ClosedIncidents({ incidents }: { incidents: readonly IncidentView[] }): JSX.Element {
  const columns: readonly TableColumn<IncidentView>[] = [
    ...shared(),
    {
      key: "since",
      label: text("admin.incident.began"),
      cell: ({ since }) => <Moment at={since} />,
    },
    {
      key: "for",
      label: text("admin.incident.lasted"),
      cell: ({ durationSeconds = 0 }) => toSpan(durationSeconds * 1_000),
    },
    {
      key: "end",
      label: text("admin.incident.end"),
      cell: ({ closedBy }) => (
        <span class="quiet-text">{closedBy === undefined ? "–" : text(`admin.closed.${closedBy}`)}</span>
      ),
    },
  ];
  return (
    <div class="incident-table">
      <Table
        caption={text("admin.incidents.title")}
        columns={columns}
        rows={incidents}
        keyOf={({ id }) => id}
      />
    </div>
  );
}

/** One incident: what was wrong with which server, since when, for how long, and who has seen it. */
import type { JSX } from "preact";
import type { IncidentRecord } from "../../../monitor/alerts/schema.ts";
import { serviceNow } from "../../app/fleet.ts";
import { toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type WithTimes, Ago, Badge, Moment } from "../pieces.tsx";
import { ErrorNote, useTask } from "../problem.tsx";
import { adminRequest } from "../session.ts";
import { toConditionText, toFindingText } from "./rule-data.ts";
import { SeverityMark } from "./severity-mark.tsx";

/** What is shown of an incident. */
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
    | "since"
    | "openedAt"
    | "firedValue"
    | "resolvedAt"
    | "durationSeconds"
    | "closedBy"
    | "acknowledgedAt"
    | "acknowledgedBy"
    | "told"
  >,
  "since" | "openedAt" | "resolvedAt" | "acknowledgedAt"
> & {
  /** Why something is not told yet. */
  readonly waits?: "gather" | "quiet" | "mute";
};

function Times({ incident }: { incident: IncidentView }): JSX.Element {
  const { since, resolvedAt, durationSeconds, closedBy } = incident;
  if (resolvedAt === undefined)
    return (
      <>
        {text("admin.incident.since")} <Moment at={since} /> (
        {toSpan(Math.max(0, serviceNow() - Date.parse(since)))})
      </>
    );
  return (
    <>
      <Moment at={since} /> – <Moment at={resolvedAt} />
      {durationSeconds !== undefined && ` (${toSpan(durationSeconds * 1_000)})`}
      {closedBy !== undefined && ` · ${text(`admin.closed.${closedBy}`)}`}
    </>
  );
}

/** The card; open incidents can be acknowledged. */
export function IncidentCard({
  incident,
  onDone,
}: {
  incident: IncidentView;
  onDone: () => void;
}): JSX.Element {
  const task = useTask();
  const { acknowledgedAt, acknowledgedBy, condition, firedValue } = incident;
  const finding = firedValue === undefined ? undefined : toFindingText(condition, firedValue);
  async function acknowledge(): Promise<void> {
    const path = `/api/admin/incidents/${encodeURIComponent(incident.id)}/acknowledge`;
    await adminRequest(path, { method: "POST" });
    showToast(text("admin.incident.acknowledged.done"));
    onDone();
  }
  return (
    <li class="admin-panel stack-small" aria-label={`${incident.serverName}: ${incident.ruleName}`}>
      <div class="admin-head">
        <SeverityMark severity={incident.severity} />
        <h3>
          <a href={`/admin/servers/${incident.serverId}`}>{incident.serverName}</a>
        </h3>
        <span>{incident.ruleName}</span>
        {finding !== undefined && <Badge>{finding}</Badge>}
        <span class="spacer" />
        {incident.state === "open" && acknowledgedAt === undefined && (
          <Button small icon="check" disabled={task.busy} onClick={() => void task.run(acknowledge)}>
            {text("admin.incident.acknowledge")}
          </Button>
        )}
      </div>
      <p class="field-hint">
        {toConditionText(incident.condition)} · <Times incident={incident} />
      </p>
      {acknowledgedAt !== undefined && (
        <p class="field-hint">
          {text("admin.incident.acknowledged", { name: acknowledgedBy ?? "" })} <Ago at={acknowledgedAt} />
        </p>
      )}
      {incident.waits !== undefined && (
        <p class="field-hint">{text(`admin.incident.waits.${incident.waits}`)}</p>
      )}
      {!incident.told.down && incident.waits === undefined && (
        <p class="field-hint">{text("admin.incident.untold")}</p>
      )}
      {task.message !== undefined && <ErrorNote message={task.message} />}
    </li>
  );
}

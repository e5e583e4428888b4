/** What is done to selected alerts: acknowledge, annotate, mute, and a draft for a status page. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  type IncidentBulkResults,
  type incidentActions,
  incidentNoteSchema,
} from "../../../monitor/alerts/bulk-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Menu } from "../../ui/controls-menu.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type Outcome, OutcomesDialog, hasRefusals } from "../../ui/resource/outcomes.tsx";
import type { BulkPart } from "../../ui/resource/resource.ts";
import { DraftButton, useHasPages } from "./draft-button.tsx";
import { type IncidentView, toIncidentName } from "./incident-table.tsx";

type Action = (typeof incidentActions)[number];

const noteForm = makeForm({
  schema: incidentNoteSchema,
  words: "admin.incident",
  fields: { note: { json: { long: true } } },
  panels: [{ fields: ["note"] }],
});

const HOUR = 60;

/** How long something is muted, in minutes; without: until it is unmuted. */
const spans = [
  ["admin.check.mute.hour", HOUR],
  ["admin.check.mute.day", 24 * HOUR],
  ["admin.check.mute.forever", undefined],
] as const;

/** The bar over the list, while some are selected. They stay selected after an action, so that another can follow. */
export function IncidentBulkBar({ views, items, refresh, clear }: BulkPart<IncidentView>): JSX.Element {
  const [isNoting, setIsNoting] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const task = useTask();
  const hasPages = useHasPages();
  const [only] = views.length === 1 ? views : [];
  const mayMute = mayUse("servers:write") || mayUse("checks:write");
  async function change(action: Action, more: { note?: string; minutes?: number | undefined } = {}) {
    const body = { action, ids: views.map(({ id }) => id), ...more };
    const path = "/api/admin/incidents/bulk";
    const { items: results } = await adminRequest<IncidentBulkResults>(path, { method: "POST", body });
    await refresh();
    if (hasRefusals(results)) setOutcomes(results);
    else showToast(text("admin.incidents.changed", { count: results.length }));
  }
  const run = (action: Action, minutes?: number): void => void task.run(() => change(action, { minutes }));
  const nameOf = (id: string): string => {
    const incident = items.find((one) => one.id === id);
    return incident === undefined ? id : toIncidentName(incident);
  };
  return (
    <div class="bulk-bar" role="group" aria-label={text("admin.incidents.bulk")}>
      <span role="status">{text("admin.bulk.count", { count: views.length })}</span>
      <Button small icon="check" disabled={task.busy} onClick={() => run("acknowledge")}>
        {text("admin.incident.acknowledge")}
      </Button>
      <Button small icon="edit" disabled={task.busy} onClick={() => setIsNoting(true)}>
        {text("admin.incident.note.edit")}
      </Button>
      {mayMute && (
        <Menu
          label={text("admin.field.mute")}
          icon="bell"
          isLabeled
          items={[
            ...spans.map(([label, minutes]) => ({
              label: text(label),
              onSelect: () => run("mute", minutes),
            })),
            { label: text("admin.check.unmute"), onSelect: () => run("unmute") },
          ]}
        />
      )}
      {only && hasPages && mayUse("status-pages:write") && (
        <DraftButton incidentId={only.id} name={toIncidentName(only)} />
      )}
      <Button small kind="quiet" disabled={task.busy} onClick={clear}>
        {text("admin.bulk.clear")}
      </Button>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {isNoting && (
        <FieldsDialog
          title={text("admin.incident.note.title", { count: views.length })}
          action={text("admin.save")}
          form={noteForm}
          context={undefined}
          initial={{ note: only?.note ?? "" }}
          send={({ note }) => change("note", { note })}
          onDone={() => setIsNoting(false)}
          onClose={() => setIsNoting(false)}
        />
      )}
      {outcomes.length > 0 && (
        <OutcomesDialog
          title={text("admin.incidents.refused")}
          outcomes={outcomes}
          toDone={(count) => text("admin.incidents.changed", { count })}
          nameOf={nameOf}
          onClose={() => setOutcomes([])}
        />
      )}
    </div>
  );
}

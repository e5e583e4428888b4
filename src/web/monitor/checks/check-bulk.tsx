/** Bulk actions on checks. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { MAX_BULK } from "../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { BulkPart } from "../../ui/resource/resource.ts";
import { GroupDialog } from "../group-dialog.tsx";
import { type CheckNames, CHECKS } from "./check-data.ts";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";

type BulkChange =
  | { readonly action: "pause" | "resume" | "show" | "hide" | "delete" }
  | { readonly action: "group"; readonly group: string };

const SHOWN_NAMES = 10;

/** Does the same with all of `ids`; @throws ApiError */
export async function changeChecks(ids: readonly string[], change: BulkChange): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_BULK) {
    const body = { ...change, ids: ids.slice(at, at + MAX_BULK) };
    await adminRequest(`${CHECKS}/bulk`, { method: "POST", body });
  }
}

/** Confirms the deletion of checks. */
export function DeleteChecksDialog(props: {
  checks: readonly Pick<CheckView, "id" | "name">[];
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { checks, onDone, onClose } = props;
  const rest = checks.length - SHOWN_NAMES;
  async function remove(): Promise<void> {
    await changeChecks(
      checks.map(({ id }) => id),
      { action: "delete" },
    );
    showToast(text("admin.checks.deleted", { count: checks.length }));
    onClose();
    await onDone();
  }
  return (
    <ConfirmTask
      title={text(checks.length === 1 ? "admin.check.delete" : "admin.checks.delete", {
        count: checks.length,
      })}
      action={text("admin.delete")}
      danger
      send={remove}
      onClose={onClose}
    >
      <ul class="name-list">
        {checks.slice(0, SHOWN_NAMES).map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {rest > 0 && <li>{text("admin.more", { count: rest })}</li>}
      </ul>
      <p>{text("admin.checks.delete.lost")}</p>
    </ConfirmTask>
  );
}

/** The bar. Checks stay ticked after a change, so that another can follow. */
export function CheckBulkBar({
  views: checks,
  refresh: onDone,
  clear: onClear,
}: BulkPart<CheckView>): JSX.Element {
  const groups = usePolled<CheckNames>(`${CHECKS}/names`, 0).data?.groups ?? [];
  const [open, setOpen] = useState<"group" | "delete" | undefined>();
  const task = useTask();
  async function change(what: BulkChange): Promise<void> {
    await changeChecks(
      checks.map(({ id }) => id),
      what,
    );
    await onDone();
    showToast(text("admin.checks.changed", { count: checks.length }));
  }
  const run = (what: BulkChange): void => void task.run(() => change(what));
  return (
    <div class="bulk-bar" role="group" aria-label={text("admin.checks.bulk")}>
      <span role="status">{text("admin.bulk.count", { count: checks.length })}</span>
      <Button small icon="pause" disabled={task.busy} onClick={() => run({ action: "pause" })}>
        {text("admin.bulk.disable")}
      </Button>
      <Button small icon="play" disabled={task.busy} onClick={() => run({ action: "resume" })}>
        {text("admin.bulk.enable")}
      </Button>
      <Button small disabled={task.busy} onClick={() => run({ action: "show" })}>
        {text("admin.checks.show")}
      </Button>
      <Button small disabled={task.busy} onClick={() => run({ action: "hide" })}>
        {text("admin.checks.hide")}
      </Button>
      <Button small disabled={task.busy} onClick={() => setOpen("group")}>
        {text("admin.bulk.group")}
      </Button>
      <Button small kind="danger" disabled={task.busy} onClick={() => setOpen("delete")}>
        {text("admin.bulk.delete")}
      </Button>
      <Button small kind="quiet" disabled={task.busy} onClick={onClear}>
        {text("admin.bulk.clear")}
      </Button>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {open === "group" && (
        <GroupDialog
          groups={groups}
          onGroup={(group) => run({ action: "group", group })}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "delete" && (
        <DeleteChecksDialog
          checks={checks}
          onClose={() => setOpen(undefined)}
          onDone={async () => {
            onClear();
            await onDone();
          }}
        />
      )}
    </div>
  );
}

/** Bulk actions on accounts. */
import type { Items } from "../../ui/console/paged.ts";
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import type { BulkOutcomeView } from "../../../auth/admin/schema.ts";
import { useState } from "preact/hooks";
import { countText, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { toRefusalWords } from "../../ui/forms/fault-words.ts";
import type { BulkPart } from "../../ui/resource/resource.ts";
import { RefuseDialog } from "./refuse-dialog.tsx";
import { SuspendDialog } from "./suspend-dialog.tsx";
import { USERS } from "./user-data.ts";

/** Sends an action and says what became of it. */
export async function sendBulk(body: { action: string; ids: readonly string[] }): Promise<void> {
  const { items } = await adminRequest<Items<BulkOutcomeView>>(`${USERS}/bulk`, {
    method: "POST",
    body,
  });
  const refused = items.filter(({ error }) => error !== undefined);
  const done = countText("auth.users.bulk.done", items.length - refused.length);
  const [first] = refused;
  if (first?.error === undefined) showToast(done);
  else
    showToast(
      `${done} ${countText("auth.users.bulk.refused", refused.length)} ${toRefusalWords(first.error)}`,
      "bad",
    );
}

/** The bar above a list while some are chosen, with what can be done to any of them. */
export function BulkActions({ views: users, done }: BulkPart<AdminUserView>): JSX.Element {
  const onDone = (): void => void done();
  const ids = users.map(({ id }) => id);
  const has = (status: AdminUserView["status"]): boolean => users.some((user) => user.status === status);
  const [open, setOpen] = useState<"suspend" | "refuse" | "delete" | undefined>();
  const task = useTask();
  const close = (): void => setOpen(undefined);
  const run = (action: string): void => {
    void task.run(() => sendBulk({ action, ids })).then((good) => good && onDone());
  };
  return (
    <div class="bulk-bar" role="region" aria-label={text("auth.users.bulk")}>
      <strong>{countText("auth.users.bulk.chosen", ids.length)}</strong>
      {has("pending") && (
        <Button disabled={task.busy} onClick={() => run("approve")}>
          {text("auth.users.approve")}
        </Button>
      )}
      {has("pending") && <Button onClick={() => setOpen("refuse")}>{text("auth.approvals.refuse")}</Button>}
      {has("active") && <Button onClick={() => setOpen("suspend")}>{text("auth.users.suspend")}</Button>}
      {has("suspended") && (
        <Button disabled={task.busy} onClick={() => run("unsuspend")}>
          {text("auth.users.lift")}
        </Button>
      )}
      {(has("active") || has("suspended")) && (
        <Button kind="danger" onClick={() => setOpen("delete")}>
          {text("admin.delete")}
        </Button>
      )}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {open === "suspend" && (
        <SuspendDialog
          title={countText("auth.users.bulk.suspend", ids.length)}
          send={async (suspension) => {
            await sendBulk({ action: "suspend", ids, ...suspension });
            onDone();
          }}
          onClose={close}
        />
      )}
      {open === "refuse" && (
        <RefuseDialog
          title={countText("auth.users.bulk.refuse", ids.length)}
          send={async (reason) => {
            await sendBulk({ action: "refuse", ids, ...reason });
            onDone();
          }}
          onClose={close}
        />
      )}
      {open === "delete" && (
        <ConfirmTask
          title={countText("auth.users.bulk.delete", ids.length)}
          action={text("admin.delete")}
          phrase={String(ids.length)}
          send={async () => {
            await sendBulk({ action: "delete", ids });
            close();
            onDone();
          }}
          onClose={close}
        >
          {text("auth.users.delete.text")}
        </ConfirmTask>
      )}
    </div>
  );
}

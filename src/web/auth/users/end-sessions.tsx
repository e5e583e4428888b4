/** Signing everybody out at once, as after a break-in. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { ConfirmDialog } from "../../ui/controls-dialog.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, checkSession } from "../../ui/console/session.ts";

/** Asks first; afterwards the console wants a sign-in, too. */
export function EndSessions({ onClose }: { onClose: () => void }): JSX.Element {
  const task = useTask();
  async function end(): Promise<void> {
    await adminRequest("/api/admin/sessions/revoke-all", { method: "POST", body: { confirm: true } });
    await checkSession();
  }
  return (
    <ConfirmDialog
      title={text("auth.users.endSessions")}
      action={text("auth.users.endSessions")}
      danger
      busy={task.busy}
      onClose={onClose}
      onConfirm={() => void task.run(end)}
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <p>{text("auth.users.endSessions.text")}</p>
    </ConfirmDialog>
  );
}

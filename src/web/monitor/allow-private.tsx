/** Allows private addresses where one was rejected, without leaving the form. */
import type { JSX } from "preact";
import type { PrivateSetting } from "../../monitor/site/schema.ts";
import { text } from "../app/texts.ts";
import { Button } from "../ui/controls.tsx";
import { showToast } from "../ui/controls-toast.tsx";
import { TaskNote, useTask } from "../ui/console/problem.tsx";
import { adminRequest } from "../ui/console/session.ts";

/** The button; `onAllowed` tries again. */
export function AllowPrivate(props: { setting: PrivateSetting; onAllowed: () => void }): JSX.Element {
  const { setting, onAllowed } = props;
  const task = useTask();
  async function allow(): Promise<void> {
    await adminRequest("/api/admin/settings", { method: "PATCH", body: { [setting]: true } });
    showToast(text("admin.saved"));
    onAllowed();
  }
  return (
    <div class="stack-small allow-private">
      <TaskNote task={task} pointers={[]} />
      <p class="field-hint">{text(`admin.allowPrivate.${setting}`)}</p>
      <div>
        <Button icon="check" disabled={task.busy} onClick={() => void task.run(allow)}>
          {text("admin.allowPrivate")}
        </Button>
      </div>
    </div>
  );
}

/** Creates a draft of a status page's post from an alert. */
import type { Items } from "../../ui/console/paged.ts";
import type { JSX } from "preact";
import type { PostView } from "../../../monitor/status/post-schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { showToast } from "../../ui/controls-toast.tsx";
import { Button } from "../../ui/controls.tsx";

/** Whether there is a status page to say something on. */
export function useHasPages(): boolean {
  const { data } = usePolled<Items<unknown>>("/api/admin/status-pages", 0);
  return (data?.items.length ?? 0) > 0;
}

/** The button; it leads to the page of the draft. */
export function DraftButton({ incidentId, name }: { incidentId: string; name: string }): JSX.Element {
  const task = useTask();
  async function draft(): Promise<void> {
    const path = `/api/admin/incidents/${encodeURIComponent(incidentId)}/draft`;
    const { pageId } = await adminRequest<PostView>(path, { method: "POST", body: {} });
    showToast(text("admin.incident.draft.done"));
    navigate(`/admin/status/${pageId}`);
  }
  if (task.message !== undefined) return <TaskNote task={task} pointers={[]} onRetry={() => task.clear()} />;
  return (
    <Button small icon="edit" disabled={task.busy} onClick={() => void task.run(draft)}>
      {text("admin.incident.draft")}
      <span class="for-readers"> {name}</span>
    </Button>
  );
}

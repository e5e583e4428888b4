/** Notices on their way and what became of them, with another try. */
import type { JSX } from "preact";
import type { NoticeRecord } from "../../../monitor/channels/schema.ts";
import type { RemedySetting } from "../../../monitor/site/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Ago, Moment } from "../../ui/console/pieces.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { QueueBadge, queueFilter } from "../../ui/console/queue-state.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import type { WithTimes } from "../../ui/forms/with-times.ts";
import { Remedy } from "../remedy.tsx";
import { type ListTools, type Listing, toItemPath } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

type NoticeView = WithTimes<NoticeRecord, "createdAt" | "nextAttemptAt" | "sentAt"> & {
  readonly channelName?: string;
  readonly setting?: RemedySetting;
};

function NoticeCard({
  view: notice,
  tools,
}: {
  view: NoticeView;
  tools: ListTools<NoticeView>;
}): JSX.Element {
  const task = useTask();
  async function retry(): Promise<void> {
    await adminRequest(`${toItemPath(notices, notice.id)}/retry`, { method: "POST" });
    showToast(text("admin.notice.retried"));
    await tools.refresh();
  }
  const { state, title, lastError, setting, attempts, createdAt, sentAt, nextAttemptAt } = notice;
  const isMail = notice.to !== undefined && notice.to !== "";
  return (
    <li class="admin-panel stack-small">
      <div class="admin-head">
        <QueueBadge state={state} />
        <h2>{title}</h2>
        <span class="spacer" />
        {state !== "sent" && tools.mayWrite && (
          <Button small icon="refresh" disabled={task.busy} onClick={() => void task.run(retry)}>
            {text("admin.queue.retry")}
          </Button>
        )}
      </div>
      <TaskNote task={task} pointers={[]} />
      <p class="field-hint">
        {notice.channelName ?? text("admin.notice.channel-gone")}
        {isMail && ` · ${notice.to}`} · <Ago at={createdAt} />
        {(attempts > 1 || state !== "sent") && ` · ${text("admin.notice.attempts", { count: attempts })}`}
        {state === "sent" && sentAt !== undefined && (
          <>
            {" · "}
            <Moment at={sentAt} />
          </>
        )}
        {state === "waiting" && (
          <>
            {` · ${text("admin.notice.next")} `}
            <Moment at={nextAttemptAt} />
          </>
        )}
      </p>
      {lastError !== undefined && <p class="field-error">{lastError}</p>}
      {setting !== undefined && tools.mayWrite && (
        <Remedy setting={setting} onDone={() => void task.run(retry)} />
      )}
      <details>
        <summary>{text("admin.field.text")}</summary>
        <pre>{notice.text}</pre>
      </details>
    </li>
  );
}

export const notices: Listing<NoticeView> = {
  api: "/api/admin/notifications",
  navigation: "admin.nav.notices",
  texts: "admin.notices",
  write: "alerts:write",
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  table: { paging: "more", filters: [queueFilter], reload: true, Card: NoticeCard },
};

/** The page. */
export function NoticesPage(): JSX.Element {
  return <ResourceList of={notices} />;
}

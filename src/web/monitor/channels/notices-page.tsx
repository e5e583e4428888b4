/** Notices on their way and what became of them, with another try. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { NoticeRecord, NoticeState } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Segments } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type BadgeKind, Ago, Badge, Moment, PageHead } from "../../ui/console/pieces.tsx";
import type { WithTimes } from "../../ui/forms/with-times.ts";
import { usePages } from "../../ui/console/paged.ts";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";

type NoticeView = WithTimes<NoticeRecord, "createdAt" | "nextAttemptAt" | "sentAt"> & {
  readonly channelName?: string;
};
type Filter = NoticeState | "all";

const filters = ["all", "waiting", "sent", "failed"] as const;
const stateKinds: Readonly<Record<NoticeState, BadgeKind>> = { waiting: "warn", sent: "good", failed: "bad" };

function NoticeCard({ notice, onDone }: { notice: NoticeView; onDone: () => void }): JSX.Element {
  const [busy, setBusy] = useState(false);
  async function retry(): Promise<void> {
    setBusy(true);
    try {
      await adminRequest(`/api/admin/notifications/${encodeURIComponent(notice.id)}/retry`, {
        method: "POST",
      });
      showToast(text("admin.notice.retried"));
      onDone();
    } catch (error) {
      showProblem(error);
    }
    setBusy(false);
  }
  const { state, title, lastError, attempts, createdAt, sentAt, nextAttemptAt } = notice;
  const isMail = notice.to !== undefined && notice.to !== "";
  return (
    <li class="admin-panel stack-small">
      <div class="admin-head">
        <Badge kind={stateKinds[state]}>{text(`admin.notice.${state}`)}</Badge>
        <h2>{title}</h2>
        <span class="spacer" />
        {state !== "sent" && (
          <Button small icon="refresh" disabled={busy} onClick={() => void retry()}>
            {text("admin.queue.retry")}
          </Button>
        )}
      </div>
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
      <details>
        <summary>{text("admin.field.text")}</summary>
        <pre>{notice.text}</pre>
      </details>
    </li>
  );
}

/** The page. */
export function NoticesPage(): JSX.Element {
  const [filter, setFilter] = useState<Filter>("all");
  const state = filter === "all" ? "" : `&state=${filter}`;
  const pages = usePages<NoticeView>(`/api/admin/notifications?limit=30${state}`);
  return (
    <>
      <PageHead title={text("admin.nav.notices")} hint={text("admin.notices.hint")}>
        <Button icon="refresh" disabled={pages.busy} onClick={pages.refresh}>
          {text("admin.refresh")}
        </Button>
      </PageHead>
      <Segments<Filter>
        label={text("admin.notice.filter")}
        value={filter}
        choices={filters.map((value) => ({ value, label: text(`admin.notice.${value}`) }))}
        onChange={setFilter}
      />
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.refresh} />}
      {pages.items.length === 0 && !pages.error && (
        <p class="empty">{text(pages.busy ? "page.loading" : "admin.notices.none")}</p>
      )}
      <ul class="plain-list stack">
        {pages.items.map((notice) => (
          <NoticeCard notice={notice} key={notice.id} onDone={pages.refresh} />
        ))}
      </ul>
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("admin.older")}
        </Button>
      )}
    </>
  );
}

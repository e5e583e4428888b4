/** Accounts that wait for an administrator, with what their owners wrote. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Checkbox } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Empty } from "../../ui/empty.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { BulkActions } from "../users/bulk-actions.tsx";
import { USERS, mayChangeUsers, userPath } from "../users/user-data.ts";
import { RefuseUser } from "../users/refuse-dialog.tsx";

function Waiting(props: {
  user: AdminUserView;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onDone: () => void;
}): JSX.Element {
  const { user, isChosen, onChoose, onDone } = props;
  const { id, username, email, emailVerified, createdAt, signUpMessage } = user;
  const [isRefusing, setRefusing] = useState(false);
  const task = useTask();
  const approve = (): void =>
    void task.run(async () => {
      await adminRequest(userPath(id, "/approve"), { method: "POST" });
      showToast(text("auth.user.approve.done", { name: username }));
      onDone();
    });
  return (
    <li class="admin-panel">
      <div class="waiting-head">
        {mayUse("administrator") && (
          <Checkbox
            label={<span class="for-readers">{text("auth.approvals.choose", { name: username })}</span>}
            checked={isChosen}
            onChange={onChoose}
          />
        )}
        <h2>
          <a href={`/admin/users/${id}`}>{username}</a>
        </h2>
      </div>
      <p class="field-hint">
        {email}
        {!emailVerified && ` (${text("auth.users.unverified")})`} · <Ago at={createdAt} />
      </p>
      <p class="message">{signUpMessage ?? text("auth.approvals.silent")}</p>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {mayChangeUsers() && (
        <div class="admin-actions">
          <Button kind="primary" disabled={task.busy} onClick={approve}>
            {text("auth.user.approve")}
          </Button>
          <Button onClick={() => setRefusing(true)}>{text("auth.approvals.refuse")}</Button>
        </div>
      )}
      {isRefusing && <RefuseUser user={user} onDone={onDone} onClose={() => setRefusing(false)} />}
    </li>
  );
}

/** The section. */
export function ApprovalsPage(): JSX.Element {
  const pages = usePages<AdminUserView>(`${USERS}?status=pending&limit=50`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const users = pages.items.filter(({ id }) => chosen.has(id));
  function choose(id: string, isChosen: boolean): void {
    const others = [...chosen].filter((one) => one !== id);
    setChosen(new Set(isChosen ? [...others, id] : others));
  }
  function done(): void {
    setChosen(new Set());
    pages.refresh();
  }
  return (
    <>
      <PageHead title={text("auth.nav.approvals")} hint={text("auth.approvals.hint")} />
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.more} />}
      {users.length > 0 && <BulkActions users={users} onDone={done} />}
      <ul class="plain-list stack">
        {pages.items.map((user) => (
          <Waiting
            user={user}
            isChosen={chosen.has(user.id)}
            onChoose={(isChosen) => choose(user.id, isChosen)}
            onDone={pages.refresh}
            key={user.id}
          />
        ))}
      </ul>
      {pages.items.length === 0 && pages.busy && <p class="empty">{text("page.loading")}</p>}
      {pages.items.length === 0 && !pages.busy && !pages.error && (
        <Empty icon="check" title={text("auth.approvals.none")} hint={text("auth.approvals.noneHint")} />
      )}
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("admin.older")}
        </Button>
      )}
    </>
  );
}

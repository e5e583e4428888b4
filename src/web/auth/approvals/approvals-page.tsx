/** Accounts that wait for an administrator, with what their owners wrote. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { MAX_BULK } from "../../../auth/admin/schema.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import type { ListTools, Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { BulkActions } from "../users/bulk-actions.tsx";
import { RefuseUser } from "../users/refuse-dialog.tsx";
import { USERS, userPath } from "../users/user-data.ts";

function Waiting(props: {
  view: AdminUserView;
  tools: ListTools<AdminUserView>;
  tick: ComponentChildren;
}): JSX.Element {
  const { view: user, tools, tick } = props;
  const { id, username, email, emailVerified, createdAt, signUpMessage } = user;
  const [isRefusing, setRefusing] = useState(false);
  const task = useTask();
  const approve = (): void =>
    void task.run(async () => {
      await adminRequest(userPath(id, "/approve"), { method: "POST" });
      showToast(text("auth.user.approve.done", { name: username }));
      await tools.refresh();
    });
  return (
    <li class="admin-panel">
      <div class="waiting-head">
        {tick}
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
      {tools.mayWrite && (
        <div class="admin-actions">
          <Button kind="primary" disabled={task.busy} onClick={approve}>
            {text("auth.user.approve")}
          </Button>
          <Button onClick={() => setRefusing(true)}>{text("auth.approvals.refuse")}</Button>
        </div>
      )}
      {isRefusing && (
        <RefuseUser user={user} onDone={() => void tools.refresh()} onClose={() => setRefusing(false)} />
      )}
    </li>
  );
}

export const approvals: Listing<AdminUserView> = {
  api: USERS,
  navigation: "auth.nav.approvals",
  texts: "auth.approvals",
  write: "users:write",
  idOf: ({ id }) => id,
  nameOf: ({ username }) => username,
  table: {
    icon: "check",
    paging: "more",
    Card: Waiting,
    mayTick: () => mayUse("administrator"),
    tickName: ({ username }) => text("auth.approvals.choose", { name: username }),
    bulkMax: MAX_BULK,
    Bulk: BulkActions,
  },
};

/** The section. */
export function ApprovalsPage(): JSX.Element {
  return <ResourceList of={approvals} path={`${USERS}?status=pending`} />;
}

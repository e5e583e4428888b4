/** One group: who is in it, and which applications it opens. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type Pages, usePages } from "../../ui/console/paged.ts";
import { Crumbs, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import {
  APPLICATIONS,
  type ApplicationView,
  GROUPS,
  type GroupView,
  useEvery,
} from "../applications/application-data.ts";
import type { UserView } from "../users/user-data.ts";
import { RolePanel } from "../roles/role-panel.tsx";
import { AddMember } from "./add-member.tsx";
import { DeleteGroup, EditGroup } from "./group-dialogs.tsx";

function Members({ id }: { id: string }): JSX.Element {
  const path = `${GROUPS}/${id}/members`;
  const pages = usePages<UserView>(`${path}?limit=50`);
  const { items, busy, hasMore, error } = pages;
  const task = useTask();
  async function set(user: UserView, isMember: boolean): Promise<void> {
    await adminRequest(`${path}/${user.id}`, { method: isMember ? "PUT" : "DELETE" });
    showToast(text(isMember ? "auth.groups.taken" : "auth.groups.removed", { name: user.username }));
    pages.refresh();
  }
  return (
    <section class="admin-panel stack-small" aria-labelledby="members">
      <h2 id="members">{text("auth.groups.members")}</h2>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <AddMember groupId={id} task={task} onAdd={(user) => set(user, true)} />
      {error && <ErrorNote message={toMessage(error)} onRetry={pages.refresh} />}
      {items.length === 0 && !error && (
        <p class="field-hint">{text(busy ? "page.loading" : "auth.groups.nobody")}</p>
      )}
      <ul class="plain-list lines" aria-labelledby="members">
        {items.map((user) => (
          <li key={user.id}>
            <span class="break">
              <a href={`/admin/users/${user.id}`}>{user.username}</a>{" "}
              <span class="field-hint">{user.email}</span>
            </span>
            <Button small disabled={task.busy} onClick={() => void task.run(() => set(user, false))}>
              {text("auth.groups.remove")} <span class="for-readers">{user.username}</span>
            </Button>
          </li>
        ))}
      </ul>
      {hasMore && (
        <div class="button-row">
          <Button disabled={busy} onClick={pages.more}>
            {text("admin.older")}
          </Button>
        </div>
      )}
    </section>
  );
}

function Applications(props: {
  items: readonly ApplicationView[];
  list: Pages<ApplicationView>;
}): JSX.Element {
  const { items, list } = props;
  const { busy, error, refresh } = list;
  return (
    <section class="admin-panel stack-small" aria-labelledby="applications">
      <h2 id="applications">{text("auth.nav.applications")}</h2>
      {error && <ErrorNote message={toMessage(error)} onRetry={refresh} />}
      {items.length === 0 && !busy && !error && <p class="field-hint">{text("auth.groups.unused")}</p>}
      <ul class="plain-list lines">
        {items.map(({ id, name }) => (
          <li key={id}>
            <a href={`/admin/applications/${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneGroup(props: { group: GroupView; refresh: () => Promise<void> }): JSX.Element {
  const { group, refresh } = props;
  const all = useEvery<ApplicationView>(APPLICATIONS);
  const applications = all.items.filter(({ allowedGroups }) => allowedGroups.includes(group.id));
  const [opened, setOpened] = useState<"rename" | "delete" | undefined>();
  const close = (): void => setOpened(undefined);
  return (
    <>
      <PageHead title={group.title} hint={group.id}>
        <Button icon="edit" onClick={() => setOpened("rename")}>
          {text("auth.groups.rename")}
        </Button>
        <Button icon="trash" kind="danger" onClick={() => setOpened("delete")}>
          {text("admin.delete")}
        </Button>
      </PageHead>
      {group.minimumAssurance !== undefined && group.minimumAssurance !== "any" && (
        <p class="admin-note">
          {text("auth.groups.demands", { what: text(`auth.policy.assurance.${group.minimumAssurance}`) })}
        </p>
      )}
      <div class="admin-columns">
        <Members id={group.id} />
        <div class="stack">
          <Applications items={applications} list={all} />
          <RolePanel
            roles={group.roles}
            path={`${GROUPS}/${group.id}/roles`}
            isForPeople={false}
            onChange={refresh}
          />
        </div>
      </div>
      {opened === "rename" && <EditGroup group={group} onDone={refresh} onClose={close} />}
      {opened === "delete" && (
        <DeleteGroup
          group={group}
          applications={applications}
          onDone={async () => navigate("/admin/groups", { replace: true })}
          onClose={close}
        />
      )}
    </>
  );
}

/** The section with a group in its address. */
export function GroupPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<GroupView>(`${GROUPS}/${id}`, 0);
  return (
    <>
      <Crumbs to="/admin/groups" label="auth.nav.groups" />
      <Loaded of={loaded}>{(data) => <OneGroup group={data} refresh={loaded.refresh} />}</Loaded>
    </>
  );
}

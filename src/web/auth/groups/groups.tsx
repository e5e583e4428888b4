/** Groups: who is in them, and which applications they open. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import type { ApplicationView } from "../../../auth/applications/schema.ts";
import { type GroupView, groupChangeSchema, newGroupSchema } from "../../../auth/groups/schema.ts";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { type Pages, usePages } from "../../ui/console/paged.ts";
import { PagedRows } from "../../ui/console/paged-rows.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import type { ItemTools, Resource } from "../../ui/resource/resource.ts";
import { DeleteItem } from "../../ui/resource/item-dialogs.tsx";
import { proposedKind } from "../../ui/resource/reference-kinds.tsx";
import { APPLICATIONS, suggestId, useEvery } from "../applications/application-data.ts";
import { claimsKind } from "../claims/claims-kind.tsx";
import { RolePanel } from "../roles/role-panel.tsx";
import { AddMember } from "./add-member.tsx";
import { Note } from "../../ui/console/note.tsx";
import { Panel } from "../../ui/panel.tsx";

const GROUPS = "/api/admin/groups";

function Members({ id, mayWrite }: { id: string; mayWrite: boolean }): JSX.Element {
  const path = `${GROUPS}/${id}/members`;
  const pages = usePages<AdminUserView>(`${path}?limit=50`);
  const task = useTask();
  async function set(user: AdminUserView, isMember: boolean): Promise<void> {
    await adminRequest(`${path}/${user.id}`, { method: isMember ? "PUT" : "DELETE" });
    showToast(text(isMember ? "auth.groups.taken" : "auth.groups.removed", { name: user.username }));
    pages.refresh();
  }
  return (
    <Panel small title={text("auth.groups.members")}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {mayWrite && <AddMember groupId={id} task={task} onAdd={(user) => set(user, true)} />}
      <PagedRows pages={pages} none="auth.groups.nobody">
        <ul class="plain-list lines" aria-label={text("auth.groups.members")}>
          {pages.items.map((user) => (
            <li key={user.id}>
              <span class="break">
                <a href={`/admin/users/${user.id}`}>{user.username}</a>{" "}
                <span class="field-hint">{user.email}</span>
              </span>
              {mayWrite && (
                <Button small disabled={task.busy} onClick={() => void task.run(() => set(user, false))}>
                  {text("auth.groups.remove")} <span class="for-readers">{user.username}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      </PagedRows>
    </Panel>
  );
}

function Applications(props: {
  items: readonly ApplicationView[];
  list: Pages<ApplicationView>;
}): JSX.Element {
  const { items, list } = props;
  const { busy, error, refresh } = list;
  return (
    <Panel small title={text("auth.nav.applications")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={refresh} />}
      {items.length === 0 && !busy && !error && <p class="field-hint">{text("auth.groups.unused")}</p>}
      <ul class="plain-list lines">
        {items.map(({ id, name }) => (
          <li key={id}>
            <a href={`/admin/applications/${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The applications that name a group. */
function useNaming({ id }: GroupView): { items: readonly ApplicationView[]; list: Pages<ApplicationView> } {
  const list = useEvery<ApplicationView>(APPLICATIONS);
  return { items: list.items.filter(({ allowedGroups }) => allowedGroups.includes(id)), list };
}

function Body({ view, mayWrite, refresh }: ItemTools<GroupView>): JSX.Element {
  const { id, minimumAssurance = "any", roles } = view;
  return (
    <>
      {minimumAssurance !== "any" && (
        <Note>
          {text("auth.groups.demands", { what: text(`auth.policy.assurance.${minimumAssurance}`) })}
        </Note>
      )}
      <div class="admin-columns">
        <Members id={id} mayWrite={mayWrite} />
        <div class="stack">
          <Applications {...useNaming(view)} />
          <RolePanel roles={roles} path={`${GROUPS}/${id}/roles`} isForPeople={false} onChange={refresh} />
        </div>
      </div>
    </>
  );
}

/** Confirms the deletion of a group; if applications use it, lists them instead. */
function Delete({ view, onClose }: { view: GroupView; onClose: () => void }): JSX.Element {
  const { items } = useNaming(view);
  if (items.length === 0) return <DeleteItem of={groups} view={view} onClose={onClose} />;
  return (
    <Dialog title={text("auth.groups.delete")} onClose={onClose}>
      <p>{text("auth.groups.named")}</p>
      <ul>
        {items.map(({ id, name }) => (
          <li key={id}>
            <a href={`/admin/applications/${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Called when the list is drawn, so that all rows share one answer. */
function useColumns(): readonly TableColumn<GroupView>[] {
  const applications = useEvery<ApplicationView>(APPLICATIONS);
  return [
    {
      key: "name",
      label: text("admin.field.name"),
      cell: ({ id, title }) => (
        <>
          <a class="row-name" href={`/admin/groups/${id}`}>
            {title}
          </a>
          <br />
          <code class="field-hint break">{id}</code>
        </>
      ),
    },
    {
      key: "members",
      label: text("auth.groups.members"),
      number: true,
      cell: ({ members }) => toNumber(members),
    },
    {
      key: "applications",
      label: text("auth.nav.applications"),
      cell: ({ id }) =>
        applications.items
          .filter(({ allowedGroups }) => allowedGroups.includes(id))
          .map(({ name }) => name)
          .join(", ") || "–",
    },
  ];
}

export const newGroup = makeForm({
  schema: newGroupSchema,
  words: "auth.groups",
  fields: {
    title: { label: "admin.field.name" },
    id: { kind: proposedKind({ from: "title", propose: suggestId }) },
  },
  panels: [{ fields: ["title", "id"] }],
});

export const groups: Resource<GroupView, typeof groupChangeSchema> = {
  api: GROUPS,
  home: "/admin/groups",
  navigation: "auth.nav.groups",
  texts: "auth.groups",
  words: "auth.groups",
  write: "users:write",
  schema: groupChangeSchema,
  fields: {
    title: { label: "admin.field.name", missing: "admin.fault.name" },
    minimumAssurance: {
      label: "auth.groups.assurance",
      kind: choiceKind({ words: "auth.policy.assurance", as: "list" }),
      json: { initial: "any" },
    },
    claims: { kind: claimsKind({ typed: true }) },
  },
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  hintOf: ({ id }) => id,
  creation: { form: newGroup, as: "dialog" },
  Body,
  Delete,
  table: {
    class: "named-table",
    paging: "every",
    columns: useColumns,
  },
};

/** All accounts: search, filters, and what is done to many at once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminUserView, CreatedUserView } from "../../../auth/accounts/view-schema.ts";
import { MAX_BULK, type userChangeSchema } from "../../../auth/admin/schema.ts";
import { userFilterSchema } from "../../../auth/admin/user-filter-schema.ts";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { text } from "../../app/texts.ts";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { Ago, CopyBox } from "../../ui/console/pieces.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Menu } from "../../ui/controls-menu.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { GROUPS, useEvery } from "../applications/application-data.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { EndSessions } from "./end-sessions.tsx";
import { USERS } from "./user-data.ts";
import { accountFields, newUser } from "./user-forms.tsx";
import { UserMarks } from "./user-marks.tsx";

const DAY_MS = 86_400_000;

/** A day in the past, whole, so that the address of the list stays the same while it is looked at. */
function daysAgo(days: number): string {
  return new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS).toISOString();
}

/** The query for a filter by the last sign-in. */
export function toSignedIn(value: string): Readonly<Record<string, string>> {
  if (value === "week") return { signedInFrom: daysAgo(7) };
  if (value === "quarter") return { signedInTo: daysAgo(90) };
  return value === "never" ? { neverSignedIn: "true" } : {};
}

const columns = (): readonly TableColumn<AdminUserView>[] => [
  {
    key: "name",
    label: text("auth.users.name"),
    cell: ({ id, username, email }) => (
      <>
        <a href={`/admin/users/${id}`}>{username}</a>
        <br />
        <span class="field-hint">{email}</span>
      </>
    ),
  },
  { key: "status", label: text("auth.users.filter.status"), cell: (user) => <UserMarks user={user} /> },
  { key: "created", label: text("auth.users.created"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    key: "signedIn",
    label: text("auth.users.filter.signedIn"),
    cell: ({ lastLoginAt }) => <Ago at={lastLoginAt} />,
  },
];

/** The new account, with the link to set a password. */
function Made({ made, onClose }: { made: CreatedUserView; onClose: () => void }): JSX.Element {
  const { id, username, email, setPasswordUrl, setPasswordToken = "" } = made;
  return (
    <DoneDialog title={text("auth.users.add.done", { name: username })} onClose={onClose}>
      <p>{text("auth.users.add.link", { email })}</p>
      <CopyBox label={text("auth.invites.link")} value={setPasswordUrl ?? setPasswordToken} />
      <p>
        <a href={`/admin/users/${id}`}>{text("auth.users.add.open")}</a>
      </p>
    </DoneDialog>
  );
}

/** Actions on all accounts. */
function MoreActions(): JSX.Element | null {
  const [isEnding, setEnding] = useState(false);
  if (!mayUse("administrator")) return null;
  return (
    <>
      <Menu
        label={text("auth.user.more")}
        items={[{ label: text("auth.users.endSessions"), danger: true, onSelect: () => setEnding(true) }]}
      />
      {isEnding && <EndSessions onClose={() => setEnding(false)} />}
    </>
  );
}

export const users: Resource<AdminUserView, typeof userChangeSchema> = {
  ...accountFields,
  api: USERS,
  home: "/admin/users",
  navigation: "auth.nav.users",
  texts: "auth.users",
  write: "users:write",
  idOf: ({ id }) => id,
  nameOf: ({ username }) => username,
  deletion: false,
  creation: {
    as: "dialog",
    form: newUser,
    send: (body) => adminRequest<CreatedUserView>(USERS, { method: "POST", body }),
    Made,
  },
  ListActions: MoreActions,
  table: {
    class: "users-table",
    paging: "more",
    search: "auth.users.search",
    query: userFilterSchema,
    filters: [
      { name: "status", label: "auth.users.filter.status", words: "auth.users.filter.status" },
      { name: "role", label: "auth.users.filter.role", words: "auth.users.filter.role" },
      {
        name: "emailVerified",
        label: "auth.users.filter.emailVerified",
        words: "auth.users.filter.emailVerified",
      },
      {
        name: "secondFactor",
        label: "auth.users.filter.secondFactor",
        words: "auth.users.filter.secondFactor",
      },
      {
        name: "signedIn",
        label: "auth.users.filter.signedIn",
        words: "auth.users.filter.signedIn",
        values: ["week", "quarter", "never"],
        toAsked: toSignedIn,
      },
      {
        name: "group",
        label: "auth.nav.groups",
        any: "auth.users.filter.group.any",
        useChoices: () =>
          useEvery<GroupView>(GROUPS).items.map(({ id, title }) => ({ value: id, label: title })),
      },
    ],
    sorts: { label: "auth.users.filter.sort", words: "auth.users.filter.sort" },
    columns,
    mayTick: () => mayUse("administrator"),
    tickName: ({ username }) => username,
    bulkMax: MAX_BULK,
    Bulk: BulkActions,
  },
};

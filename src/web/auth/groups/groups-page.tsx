/** All groups, how many are in each, and which applications name it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Empty } from "../../ui/empty.tsx";
import {
  APPLICATIONS,
  type ApplicationView,
  GROUPS,
  type GroupView,
  useEvery,
} from "../applications/application-data.ts";
import { AddGroup } from "./group-dialogs.tsx";

function toColumns(applications: readonly ApplicationView[]): readonly TableColumn<GroupView>[] {
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
        applications
          .filter(({ allowedGroups }) => allowedGroups.includes(id))
          .map(({ name }) => name)
          .join(", ") || "–",
    },
  ];
}

/** The section without a group in its address. */
export function GroupsPage(): JSX.Element {
  const { items, busy, error, refresh } = useEvery<GroupView>(GROUPS);
  const applications = useEvery<ApplicationView>(APPLICATIONS);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead title={text("auth.nav.groups")} hint={text("auth.groups.hint")}>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {text("auth.groups.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={refresh} />}
      {items.length === 0 && busy && <p class="empty">{text("page.loading")}</p>}
      {items.length === 0 && !busy && !error && (
        <Empty icon="list" title={text("auth.groups.none")} hint={text("auth.groups.none.text")} />
      )}
      {items.length > 0 && (
        <div class="named-table">
          <Table
            caption={text("auth.nav.groups")}
            columns={toColumns(applications.items)}
            rows={items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {isAdding && (
        <AddGroup onMade={({ id }) => navigate(`/admin/groups/${id}`)} onClose={() => setAdding(false)} />
      )}
    </>
  );
}

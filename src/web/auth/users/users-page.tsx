/** All accounts: search, filters, and what is done to many at once. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { useState } from "preact/hooks";
import { MAX_BULK } from "../../../auth/admin/schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox } from "../../ui/controls.tsx";
import { Menu } from "../../ui/controls-menu.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { mayUse } from "../../ui/console/session.ts";
import { AddUser } from "./add-user.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { EndSessions } from "./end-sessions.tsx";
import { UserFilters, toListPath } from "./user-filters.tsx";
import { UserMarks } from "./user-marks.tsx";
import { mayChangeUsers } from "./user-data.ts";

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (id: string, isChosen: boolean) => void;
}

function toColumns({ chosen, choose }: Choice): readonly TableColumn<AdminUserView>[] {
  return [
    {
      key: "choose",
      label: text("admin.choose"),
      silent: true,
      cell: ({ id, username }) => (
        <Checkbox
          label={<span class="for-readers">{username}</span>}
          checked={chosen.has(id)}
          disabled={!chosen.has(id) && chosen.size >= MAX_BULK}
          onChange={(isChosen) => choose(id, isChosen)}
        />
      ),
    },
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
    {
      key: "created",
      label: text("auth.users.created"),
      cell: ({ createdAt }) => <Ago at={createdAt} />,
    },
    {
      key: "signedIn",
      label: text("auth.users.filter.signedIn"),
      cell: ({ lastLoginAt }) => <Ago at={lastLoginAt} />,
    },
  ];
}

/** The section. */
export function UsersPage(): JSX.Element {
  const query = useQuery();
  const pages = usePages<AdminUserView>(toListPath(query));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<"add" | "end-sessions" | undefined>();
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  }
  // What is not in sight is not done anything to.
  const users = pages.items.filter(({ id }) => chosen.has(id));
  return (
    <>
      <PageHead title={text("auth.nav.users")}>
        {mayChangeUsers() && (
          <Button kind="primary" icon="plus" onClick={() => setOpen("add")}>
            {text("auth.users.add")}
          </Button>
        )}
        {mayUse("administrator") && (
          <Menu
            label={text("auth.user.more")}
            items={[
              {
                label: text("auth.users.endSessions"),
                danger: true,
                onSelect: () => setOpen("end-sessions"),
              },
            ]}
          />
        )}
      </PageHead>
      <UserFilters query={query} />
      {users.length > 0 && (
        <BulkActions
          users={users}
          onDone={() => {
            setChosen(new Set());
            pages.refresh();
          }}
        />
      )}
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.more} />}
      {pages.items.length > 0 && (
        <div class="users-table">
          <Table
            caption={text("auth.nav.users")}
            columns={toColumns({ chosen, choose }).filter(
              ({ key }) => key !== "choose" || mayUse("administrator"),
            )}
            rows={pages.items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {pages.items.length === 0 && !pages.error && (
        <p class="empty">
          {text(pages.busy ? "page.loading" : pages.hasMore ? "auth.users.notYet" : "auth.users.none")}
        </p>
      )}
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("auth.users.more")}
        </Button>
      )}
      {open === "add" && <AddUser onMade={pages.refresh} onClose={() => setOpen(undefined)} />}
      {open === "end-sessions" && <EndSessions onClose={() => setOpen(undefined)} />}
    </>
  );
}

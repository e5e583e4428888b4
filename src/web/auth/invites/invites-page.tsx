/** Invites: what they are good for, who used them, and making more. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { Ago, Badge, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { type Query, useQuery } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { INVITES, type InviteUseView, type InviteView, type NewInviteView } from "./invite-data.ts";
import { InviteDialog, MadeInvites } from "./invite-dialog.tsx";

const states = ["", "open", "used", "expired", "disabled"] as const;
const kinds = { open: "good", used: "idle", expired: "warn", disabled: "bad" } as const;

function Uses({ id }: { id: string }): JSX.Element {
  const { data, error } = usePolled<{ items: readonly InviteUseView[] }>(`${INVITES}/${id}/uses`, 0);
  return (
    <>
      <h3>{text("auth.invites.uses")}</h3>
      {error && <ErrorNote message={toMessage(error)} />}
      {data?.items.length === 0 && <p>{text("auth.invites.noUses")}</p>}
      <ul class="plain-list lines">
        {data?.items.map(({ userId, username, at }) => (
          <li key={userId}>
            {username === undefined ? (
              text("auth.invites.goneUser")
            ) : (
              <a href={`/admin/users/${userId}`}>{username}</a>
            )}
            <span class="field-hint">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What an invite is called in a list. */
function nameOf({ boundEmail, prefix }: InviteView): string {
  return boundEmail ?? `${prefix}…`;
}

/** One invite: who used it, a new link, and its end. */
function InvitePanel(props: {
  invite: InviteView;
  onRenewed: (made: NewInviteView) => void;
  onRevoked: () => void;
  onClose: () => void;
}): JSX.Element {
  const { invite, onRenewed, onRevoked, onClose } = props;
  const { id, boundEmail, state } = invite;
  const task = useTask();
  const renew = async (): Promise<void> =>
    onRenewed(await adminRequest<NewInviteView>(`${INVITES}/${id}/renew`, { method: "POST", body: {} }));
  async function revoke(): Promise<void> {
    await adminRequest(`${INVITES}/${id}`, { method: "DELETE" });
    showToast(text("auth.invites.revoked", { name: nameOf(invite) }));
    onRevoked();
  }
  return (
    <Dialog
      title={nameOf(invite)}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" disabled={task.busy} onClick={() => void task.run(revoke)}>
            {text("auth.invites.revoke")}
          </Button>
          <Button disabled={task.busy || state !== "open"} onClick={() => void task.run(renew)}>
            {text(boundEmail === undefined ? "auth.invites.renew" : "auth.invites.resend")}
          </Button>
        </>
      }
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <p>{text("auth.invites.panel")}</p>
      <Uses id={id} />
    </Dialog>
  );
}

function toColumns(onOpen: (invite: InviteView) => void): readonly TableColumn<InviteView>[] {
  return [
    {
      key: "for",
      label: text("auth.invites.for"),
      cell: (invite) => (
        <>
          <button type="button" class="link-button" onClick={() => onOpen(invite)}>
            {nameOf(invite)}
          </button>
          {invite.note !== "" && <p class="field-hint">{invite.note}</p>}
        </>
      ),
    },
    {
      key: "state",
      label: text("admin.column.state"),
      cell: ({ state }) => <Badge kind={kinds[state]}>{text(`auth.invites.state.${state}`)}</Badge>,
    },
    {
      key: "uses",
      label: text("auth.invites.used"),
      number: true,
      cell: ({ usedCount, maxUses }) => `${usedCount} / ${maxUses}`,
    },
    {
      key: "until",
      label: text("auth.invites.until"),
      cell: ({ expiresAt }) => (expiresAt === undefined ? "–" : <Moment at={expiresAt} />),
    },
    { key: "made", label: text("auth.invites.madeAt"), cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ];
}

function Filters({ query }: { query: Query }): JSX.Element {
  return (
    <div class="admin-filters">
      <SearchField query={query} label={text("auth.invites.search")} />
      <Select<string>
        label={text("admin.column.state")}
        value={query.get("state")}
        choices={states.map((value) => ({
          value,
          label: text(value === "" ? "auth.invites.state.any" : `auth.invites.state.${value}`),
        }))}
        onChange={(state) => query.set({ state })}
      />
    </div>
  );
}

/** The section. */
export function InvitesPage(): JSX.Element {
  const query = useQuery();
  const asked = new URLSearchParams({ limit: "50" });
  for (const name of ["q", "state"]) if (query.get(name) !== "") asked.set(name, query.get(name));
  const pages = usePages<InviteView>(`${INVITES}?${asked.toString()}`);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<readonly NewInviteView[]>([]);
  const [open, setOpen] = useState<InviteView | undefined>();
  function done(renewed: readonly NewInviteView[]): void {
    setOpen(undefined);
    setMade(renewed);
    pages.refresh();
  }
  return (
    <>
      <PageHead title={text("auth.nav.invites")} hint={text("auth.invites.hint")}>
        <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
          {text("auth.invites.new")}
        </Button>
      </PageHead>
      <Filters query={query} />
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.more} />}
      {pages.items.length > 0 && (
        <div class="users-table">
          <Table
            caption={text("auth.nav.invites")}
            columns={toColumns(setOpen)}
            rows={pages.items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {pages.items.length === 0 && !pages.error && (
        <p class="empty">{text(pages.busy ? "page.loading" : "auth.invites.none")}</p>
      )}
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("admin.older")}
        </Button>
      )}
      {isMaking && (
        <InviteDialog
          onMade={(items) => {
            setMaking(false);
            setMade(items);
            pages.refresh();
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made.length > 0 && <MadeInvites made={made} onClose={() => setMade([])} />}
      {open && (
        <InvitePanel
          invite={open}
          onRenewed={(renewed) => done([renewed])}
          onRevoked={() => done([])}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

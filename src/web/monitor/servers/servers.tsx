/** Servers: their list, and the page of one. */
import type { JSX } from "preact";
import type { serverChangeSchema } from "../../../monitor/base/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { useQuery } from "../../ui/console/query.ts";
import { mayUse } from "../../ui/console/session.ts";
import { Button, Chip } from "../../ui/controls.tsx";
import { Empty } from "../../ui/empty.tsx";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { ItemTools, ListPart, ListTools, Resource } from "../../ui/resource/resource.ts";
import { StateBadge } from "../../ui/state-mark.tsx";
import { DependencyPanel } from "../alerts/dependency-panel.tsx";
import { CheckFilePanel } from "../checks/check-file-panel.tsx";
import { SERVERS } from "../server-data.ts";
import { AddMachineDialog } from "./add-machine.tsx";
import { AgentPanel } from "./agent-panel.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { isOfKind, kinds, narrowServers } from "./server-filter.ts";
import { type ServerContext, serverForm, useServerContext } from "./server-form.tsx";
import { toServerColumns } from "./server-table.tsx";

/** The search, and how many servers are of each kind. */
function Filters({ items }: { items: readonly AdminServer[] }): JSX.Element | null {
  const query = useQuery();
  const asked = query.get("kind");
  if (items.length === 0) return null;
  return (
    <div class="admin-filters">
      <SearchField query={query} label={text("admin.filter")} />
      {kinds.map((kind) => {
        const count = items.filter((server) => isOfKind(server, kind)).length;
        const value = kind === "all" ? "" : kind;
        if (count === 0 && value !== asked) return null;
        return (
          <Chip key={kind} count={count} pressed={value === asked} onClick={() => query.set({ kind: value })}>
            {text(`admin.kind.${kind}`)}
          </Chip>
        );
      })}
    </div>
  );
}

function NoServers({ tools: { add } }: { tools: ListTools<AdminServer> }): JSX.Element {
  return (
    <Empty icon="server" title={text("admin.servers.none")} hint={text("admin.servers.none.hint")}>
      {add && (
        <Button kind="primary" icon="plus" onClick={add}>
          {text("admin.servers.add")}
        </Button>
      )}
    </Empty>
  );
}

function OrderLink({ tools: { mayWrite }, items }: ListPart<AdminServer>): JSX.Element | null {
  if (items.length < 2 || !mayWrite) return null;
  return (
    <a class="button" href="/admin/servers/reorder">
      <Icon name="move" />
      {text("admin.order.open")}
    </a>
  );
}

function AddDialog(props: { refresh: () => Promise<void>; onClose: () => void }): JSX.Element {
  const { groups, tags } = useServerContext();
  return <AddMachineDialog groups={groups} tags={tags} onDone={props.refresh} onClose={props.onClose} />;
}

function StateAndLink({ view: { id, hidden, state, agent } }: ItemTools<AdminServer>): JSX.Element {
  return (
    <>
      <StateBadge state={state} reports={agent.reports} />
      {!hidden && (
        <a class="button" href={`/servers/${id}`}>
          {text("admin.server.public")}
        </a>
      )}
    </>
  );
}

export const servers: Resource<AdminServer, typeof serverChangeSchema, ServerContext> = {
  ...serverForm,
  api: SERVERS,
  home: "/admin/servers",
  navigation: "admin.nav.servers",
  texts: "admin.servers",
  write: "servers:write",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  pollMs: 5_000,
  useContext: useServerContext,
  creation: { as: "dialog", Dialog: AddDialog },
  deletion: false,
  Actions: StateAndLink,
  After: (tools) => (
    <>
      <DependencyPanel id={tools.view.id} />
      <CheckFilePanel serverId={tools.view.id} />
      <AgentPanel {...tools} />
    </>
  ),
  Item: ({ view, tools, onClose }) => <KeyDialog server={view} onDone={tools.refresh} onClose={onClose} />,
  Delete: ({ view, ...dialog }) => <DeleteDialog servers={[view]} {...dialog} />,
  ListActions: OrderLink,
  table: {
    paging: "whole",
    pollMs: 10_000,
    search: "admin.filter",
    filters: [{ name: "kind", as: "link" }],
    Filters,
    order: { key: "order", descending: false },
    narrow: narrowServers,
    // A table of a thousand rows is slow to draw again.
    firstRows: 200,
    class: "server-table",
    columns: toServerColumns,
    Nothing: NoServers,
    Bulk: BulkBar,
    bulkMax: Number.MAX_SAFE_INTEGER,
    mayTick: () => mayUse("servers:write"),
    tickName: ({ name }) => text("admin.tick", { name }),
    tickAll: "admin.tick.all",
  },
};

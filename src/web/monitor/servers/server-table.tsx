/** The table of servers with its ticks. */
import type { JSX } from "preact";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Menu } from "../../ui/controls-menu.tsx";
import { type TableColumn, type TableOrder, Table } from "../../ui/controls-table.tsx";
import { StateBadge } from "../../ui/state-mark.tsx";
import { Ago, Badge } from "../../ui/console/pieces.tsx";
import { hasWrongClock, isMuted } from "../server-data.ts";

function Marks({ server }: { server: AdminServer }): JSX.Element {
  return (
    <span class="marks">
      {server.hidden && <Badge>{text("admin.mark.hidden")}</Badge>}
      {isMuted(server) && <Badge>{text("admin.mark.muted")}</Badge>}
      {server.agent.duplicateAgent && (
        <Badge kind="bad" icon="alert" title={text("admin.agent.duplicate.text")}>
          {text("admin.mark.duplicate")}
        </Badge>
      )}
      {server.agent.isOutdated && (
        <Badge kind="warn" icon="refresh">
          {text("admin.mark.outdated")}
        </Badge>
      )}
      {hasWrongClock(server) && (
        <Badge kind="warn" icon="alert">
          {text("admin.mark.clock")}
        </Badge>
      )}
    </span>
  );
}

function Tags({ tags }: { tags: readonly string[] }): JSX.Element {
  return (
    <span class="marks">
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}

export interface RowActions {
  readonly onTick: (server: AdminServer, ticked: boolean) => void;
  readonly onDelete: (server: AdminServer) => void;
  readonly onKey: (server: AdminServer) => void;
}

function Actions({ server, actions }: { server: AdminServer; actions: RowActions }): JSX.Element {
  return (
    <Menu
      label={text("admin.deeds", { name: server.name })}
      items={[
        { label: text("admin.edit"), icon: "edit", onSelect: () => navigate(`/admin/servers/${server.id}`) },
        { label: text("admin.key.title"), icon: "key", onSelect: () => actions.onKey(server) },
        {
          label: text("admin.delete"),
          icon: "trash",
          danger: true,
          onSelect: () => actions.onDelete(server),
        },
      ]}
    />
  );
}

function Tick(props: { server: AdminServer; ticked: boolean; onTick: RowActions["onTick"] }): JSX.Element {
  const { server, ticked, onTick } = props;
  return (
    <input
      type="checkbox"
      aria-label={text("admin.tick", { name: server.name })}
      checked={ticked}
      onChange={(event) => onTick(server, event.currentTarget.checked)}
    />
  );
}

function Name({ server }: { server: AdminServer }): JSX.Element {
  return (
    <>
      <a class="row-name" href={`/admin/servers/${server.id}`}>
        {server.name}
      </a>
      {server.agent.peerAddress !== undefined && <span class="field-hint"> {server.agent.peerAddress}</span>}
      <Marks server={server} />
    </>
  );
}

function toColumns(ticked: ReadonlySet<string>, actions: RowActions): readonly TableColumn<AdminServer>[] {
  return [
    {
      key: "tick",
      label: text("admin.column.tick"),
      silent: true,
      cell: (server) => <Tick server={server} ticked={ticked.has(server.id)} onTick={actions.onTick} />,
    },
    {
      key: "name",
      label: text("admin.field.name"),
      sortable: true,
      cell: (server) => <Name server={server} />,
    },
    {
      key: "state",
      label: text("admin.column.state"),
      sortable: true,
      cell: (server) => <StateBadge state={server.state} reports={server.agent.reports} />,
    },
    { key: "group", label: text("admin.field.group"), sortable: true, cell: ({ group }) => group },
    { key: "tags", label: text("admin.field.tags"), cell: ({ tags }) => <Tags tags={tags} /> },
    {
      key: "version",
      label: text("admin.agent.title"),
      sortable: true,
      cell: ({ agent }) => agent.version ?? "–",
    },
    {
      key: "seen",
      label: text("admin.column.seen"),
      sortable: true,
      cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
    },
    {
      key: "deeds",
      label: text("admin.column.deeds"),
      silent: true,
      cell: (server) => <Actions server={server} actions={actions} />,
    },
  ];
}

/** The table. */
export function ServerTable(
  props: RowActions & {
    servers: readonly AdminServer[];
    ticked: ReadonlySet<string>;
    order: TableOrder;
    onOrder: (order: TableOrder) => void;
  },
): JSX.Element {
  const { servers, ticked, order, onOrder, ...actions } = props;
  return (
    <div class="server-table">
      <Table
        caption={text("admin.nav.servers")}
        columns={toColumns(ticked, actions)}
        rows={servers}
        keyOf={({ id }) => id}
        order={order}
        onOrder={onOrder}
      />
    </div>
  );
}

/** The table of servers: its columns, and what can be done from a row. */
import type { JSX } from "preact";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Ago, Badge } from "../../ui/console/pieces.tsx";
import { Menu } from "../../ui/controls-menu.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import type { ListTools } from "../../ui/resource/resource.ts";
import { StateBadge } from "../../ui/state-mark.tsx";
import { hasWrongClock, isMuted } from "./server-state.ts";

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

function Actions({ server, tools }: { server: AdminServer; tools: ListTools<AdminServer> }): JSX.Element {
  return (
    <Menu
      label={text("admin.deeds", { name: server.name })}
      items={[
        { label: text("admin.edit"), icon: "edit", onSelect: () => navigate(`/admin/servers/${server.id}`) },
        { label: text("admin.key.title"), icon: "key", onSelect: () => tools.open(server) },
        {
          label: text("admin.delete"),
          icon: "trash",
          danger: true,
          onSelect: () => tools.remove(server),
        },
      ]}
    />
  );
}

/** The columns; actions only for people who may change servers. */
export function toServerColumns(tools: ListTools<AdminServer>): readonly TableColumn<AdminServer>[] {
  const columns: readonly TableColumn<AdminServer>[] = [
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
      cell: (server) => <Actions server={server} tools={tools} />,
    },
  ];
  return columns.filter(({ key }) => key !== "deeds" || tools.mayWrite);
}

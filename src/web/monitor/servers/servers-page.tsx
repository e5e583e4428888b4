/** All servers: looking for some, changing many, adding one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, Chip } from "../../ui/controls.tsx";
import type { TableOrder } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { type ServerList, listGroups, listTags, SERVERS } from "../server-data.ts";
import { AddMachineDialog } from "./add-machine.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { type ServerFilter, filterServers, isOfKind, kinds } from "./server-filter.ts";
import { ServerTable } from "./server-table.tsx";

const POLL_MS = 10_000;
/** Rows drawn at first; a table of a thousand is slow to draw again. */
const FIRST_ROWS = 200;

type Opened = { readonly kind: "add" } | { readonly kind: "delete" | "key"; readonly server: AdminServer };

function Filters(props: {
  servers: readonly AdminServer[];
  filter: ServerFilter;
  onFilter: (filter: ServerFilter) => void;
}): JSX.Element {
  const { servers, filter, onFilter } = props;
  return (
    <div class="admin-filters">
      <span class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={text("admin.filter")}
          placeholder={text("admin.filter")}
          value={filter.query}
          onInput={(event) => onFilter({ ...filter, query: event.currentTarget.value })}
        />
      </span>
      {kinds.map((kind) => {
        const count = servers.filter((server) => isOfKind(server, kind)).length;
        if (count === 0 && kind !== "all" && kind !== filter.kind) return null;
        return (
          <Chip
            key={kind}
            count={count}
            pressed={filter.kind === kind}
            onClick={() => onFilter({ ...filter, kind })}
          >
            {text(`admin.kind.${kind}`)}
          </Chip>
        );
      })}
    </div>
  );
}

function NoServers({ onAdd }: { onAdd: () => void }): JSX.Element {
  return (
    <div class="empty">
      <Icon name="server" />
      <h2>{text("admin.servers.none")}</h2>
      <p>{text("admin.servers.none.text")}</p>
      <Button kind="primary" icon="plus" onClick={onAdd}>
        {text("admin.machine.title")}
      </Button>
    </div>
  );
}

function ServerBrowser(props: {
  servers: readonly AdminServer[];
  refresh: () => Promise<void>;
  onOpen: (opened: Opened) => void;
}): JSX.Element {
  const { servers, refresh, onOpen } = props;
  const [filter, setFilter] = useState<ServerFilter>({ kind: "all", query: "" });
  const [order, setOrder] = useState<TableOrder>({ key: "order", descending: false });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [showsAll, setShowsAll] = useState(false);
  const found = filterServers(servers, { filter, order });
  const shown = showsAll ? found : found.slice(0, FIRST_ROWS);
  // What is ticked and no longer shown is not touched: nobody should change what he does not see.
  const chosen = found.filter(({ id }) => ticked.has(id));
  function tick(server: AdminServer, isTicked: boolean): void {
    const next = new Set(ticked);
    if (isTicked) next.add(server.id);
    else next.delete(server.id);
    setTicked(next);
  }
  return (
    <>
      <Filters servers={servers} filter={filter} onFilter={setFilter} />
      <div class="table-bar">
        <Checkbox
          label={text("admin.tick.all", { count: found.length })}
          checked={found.length > 0 && chosen.length === found.length}
          onChange={(all) => setTicked(new Set(all ? found.map(({ id }) => id) : []))}
        />
        <BulkBar
          servers={chosen}
          groups={listGroups(servers)}
          onDone={refresh}
          onClear={() => setTicked(new Set())}
        />
      </div>
      {found.length === 0 ? (
        <p class="empty">{text("admin.filter.none")}</p>
      ) : (
        <ServerTable
          servers={shown}
          ticked={ticked}
          order={order}
          onOrder={setOrder}
          onTick={tick}
          onDelete={(server) => onOpen({ kind: "delete", server })}
          onKey={(server) => onOpen({ kind: "key", server })}
        />
      )}
      {shown.length < found.length && (
        <Button onClick={() => setShowsAll(true)}>{text("admin.show.all", { count: found.length })}</Button>
      )}
    </>
  );
}

/** The page. */
export function ServersPage(): JSX.Element {
  const { data, error, refresh } = usePolled<ServerList>(SERVERS, POLL_MS);
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const add = (): void => setOpened({ kind: "add" });
  const servers = data?.items;
  return (
    <>
      <PageHead title={text("admin.nav.servers")}>
        {servers !== undefined && servers.length > 1 && (
          <a class="button" href="/admin/servers/reorder">
            <Icon name="move" />
            {text("admin.order.open")}
          </a>
        )}
        <Button kind="primary" icon="plus" onClick={add}>
          {text("admin.machine.title")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {servers === undefined && !error && <p class="empty">{text("page.loading")}</p>}
      {servers?.length === 0 && <NoServers onAdd={add} />}
      {servers !== undefined && servers.length > 0 && (
        <ServerBrowser servers={servers} refresh={refresh} onOpen={setOpened} />
      )}
      {opened?.kind === "add" && (
        <AddMachineDialog
          groups={listGroups(servers ?? [])}
          tags={listTags(servers ?? [])}
          onDone={refresh}
          onClose={close}
        />
      )}
      {opened?.kind === "delete" && (
        <DeleteDialog servers={[opened.server]} onClose={close} onDone={() => void refresh()} />
      )}
      {opened?.kind === "key" && <KeyDialog server={opened.server} onDone={refresh} onClose={close} />}
    </>
  );
}

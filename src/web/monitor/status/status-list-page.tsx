/** The list of status pages with their states, and adding one. */
import type { JSX } from "preact";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { ListTools, Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { STATUS_PAGES, statusKinds } from "./status-data.ts";

const MAX_NAMED = 4;

/** Components that do not work, by name. */
function Trouble({ page }: { page: StatusPageView }): JSX.Element {
  const named = page.components.flatMap(({ id = "", name }) => {
    const status = page.statuses[id] ?? "unknown";
    return status === "operational" ? [] : [{ id, name, status }];
  });
  if (page.components.length === 0) return <p class="field-hint">{text("admin.status.components.none")}</p>;
  if (named.length === 0)
    return (
      <p class="badge-row">
        <Badge kind="good" icon="check">
          {text("admin.status.fine", { count: page.components.length })}
        </Badge>
      </p>
    );
  return (
    <p class="badge-row">
      {named.slice(0, MAX_NAMED).map(({ id, name, status }) => (
        <Badge key={id} kind={statusKinds[status]}>
          {name}: {text(`admin.status.is.${status}`)}
        </Badge>
      ))}
      {named.length > MAX_NAMED && <Badge>+{named.length - MAX_NAMED}</Badge>}
    </p>
  );
}

function PageCard({ view: page }: { view: StatusPageView }): JSX.Element {
  const address = page.host === "" ? `/status/${page.slug}` : page.host;
  return (
    <li class="admin-panel stack-small" aria-label={page.title}>
      <div class="admin-head rule-head">
        <h2>
          <a href={`/admin/status/${page.id}`}>{page.title}</a>
        </h2>
        {!page.published && <Badge kind="warn">{text("admin.status.state.unpublished")}</Badge>}
        {page.access === "members" && <Badge icon="lock">{text("admin.status.access.members")}</Badge>}
        <span class="spacer" />
        <a href={`/status/${page.slug}`} target="_blank" rel="noopener">
          {address}
        </a>
      </div>
      <Trouble page={page} />
    </li>
  );
}

function AddLink({ tools: { mayWrite } }: { tools: ListTools<StatusPageView> }): JSX.Element | null {
  if (!mayWrite) return null;
  return (
    <a class="button primary" href="/admin/status/new">
      <Icon name="plus" />
      {text("admin.status.add")}
    </a>
  );
}

function NoPages({ tools }: { tools: ListTools<StatusPageView> }): JSX.Element {
  return (
    <Empty icon="signpost" title={text("admin.status.none")} hint={text("admin.status.none.text")}>
      <AddLink tools={tools} />
    </Empty>
  );
}

const statusPages: Listing<StatusPageView> = {
  api: STATUS_PAGES,
  navigation: "admin.nav.status",
  texts: "admin.status",
  write: "status-pages:write",
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  // An empty list has the link in its body.
  ListActions: ({ tools, items }) => (items.length > 0 ? <AddLink tools={tools} /> : null),
  table: { paging: "whole", pollMs: 15_000, Card: PageCard, Nothing: NoPages },
};

/** The page. */
export function StatusListPage(): JSX.Element {
  return <ResourceList of={statusPages} />;
}

/** Status pages: which there are, how they stand, making one. */
import type { JSX } from "preact";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Icon } from "../../ui/icons.tsx";
import { STATUS_PAGES, statusKinds } from "./status-data.ts";

const POLL_MS = 15_000;
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

function PageCard({ page }: { page: StatusPageView }): JSX.Element {
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

/** The page. */
export function StatusListPage(): JSX.Element {
  const { data, error, refresh } = usePolled<{ readonly items: readonly StatusPageView[] }>(
    STATUS_PAGES,
    POLL_MS,
  );
  const isEmpty = data?.items.length === 0;
  const add = (
    <a class="button primary" href="/admin/status/new">
      <Icon name="plus" />
      {text("admin.status.add")}
    </a>
  );
  return (
    <>
      <PageHead title={text("admin.nav.status")} hint={text("admin.status.hint")}>
        {!isEmpty && add}
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {!data && !error && <p class="empty">{text("page.loading")}</p>}
      {isEmpty && (
        <div class="empty">
          <Icon name="signpost" />
          <h2>{text("admin.status.none")}</h2>
          <p>{text("admin.status.none.text")}</p>
          {add}
        </div>
      )}
      <ul class="plain-list stack">
        {data?.items.map((page) => (
          <PageCard page={page} key={page.id} />
        ))}
      </ul>
    </>
  );
}

/** All checks: which are down, finding some, changing many. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { useLoaded, usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { CheckBulkBar, DeleteChecksDialog, changeChecks } from "./check-bulk.tsx";
import { type CheckNames, CHECKS } from "./check-data.ts";
import { CheckFilters } from "./check-filters.tsx";
import {
  type CheckFilter,
  type LoadedChecks,
  countAll,
  filterNames,
  loadChecks,
  toCheckSections,
  toListPath,
} from "./check-list.ts";
import { useDayFigures } from "./check-uptime.ts";
import { CheckTable } from "./check-table.tsx";

const POLL_MS = 10_000;
const noNames: CheckNames = { groups: [], tags: [] };

function NoChecks(): JSX.Element {
  return (
    <div class="check-welcome">
      {(["http", "heartbeat"] as const).map((kind) => (
        <section class="admin-panel stack-small" key={kind}>
          <Icon name={kind === "http" ? "globe" : "pulse"} />
          <h2>{text(`admin.checks.first.${kind}`)}</h2>
          <p>{text(`admin.checks.first.${kind}.text`)}</p>
          <div class="button-row">
            <a class={`button${kind === "http" ? " primary" : ""}`} href={`/admin/checks/new?kind=${kind}`}>
              <Icon name="plus" />
              {text(kind === "http" ? "admin.check.add" : "admin.check.add.heartbeat")}
            </a>
          </div>
        </section>
      ))}
    </div>
  );
}

function CheckList(props: {
  loaded: LoadedChecks;
  names: CheckNames;
  refresh: () => Promise<void>;
  onMore: () => void;
}): JSX.Element {
  const { loaded, names, refresh, onMore } = props;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [deleted, setDeleted] = useState<CheckView>();
  const sections = useMemo(() => toCheckSections(loaded), [loaded]);
  const shown = sections.flatMap(({ checks }) => checks);
  const figures = useDayFigures(shown.map(({ id }) => id));
  // What is ticked and no longer shown is not touched: nobody should change what he does not see.
  const chosen = shown.filter(({ id }) => ticked.has(id));
  function tick(ids: readonly string[], isTicked: boolean): void {
    const next = new Set(ticked);
    for (const id of ids)
      if (isTicked) next.add(id);
      else next.delete(id);
    setTicked(next);
  }
  return (
    <>
      <CheckBulkBar
        checks={chosen}
        groups={names.groups}
        onDone={refresh}
        onClear={() => setTicked(new Set())}
      />
      <CheckTable
        sections={sections}
        ticked={ticked}
        figures={figures}
        onTick={tick}
        onPause={({ id, paused }) =>
          void changeChecks([id], { action: paused ? "resume" : "pause" }).then(refresh, showProblem)
        }
        onDelete={setDeleted}
      />
      {loaded.hasMore && <Button onClick={onMore}>{text("admin.checks.more")}</Button>}
      {deleted && (
        <DeleteChecksDialog checks={[deleted]} onDone={refresh} onClose={() => setDeleted(undefined)} />
      )}
    </>
  );
}

/** The page. */
export function ChecksPage(): JSX.Element {
  const query = useQuery();
  // `as`: all names are there.
  const filter = Object.fromEntries(
    filterNames.map((name) => [name, query.get(name)]),
  ) as unknown as CheckFilter;
  const [pages, setPages] = useState(1);
  const key = toListPath(filter);
  const { data, error, refresh } = useLoaded(`${key} ${pages}`, {
    load: () => loadChecks(filter, { pages }),
    everyMs: POLL_MS,
  });
  const names = usePolled<CheckNames>(`${CHECKS}/names`, 6 * POLL_MS).data ?? noNames;
  const isFiltered = filterNames.some((name) => filter[name] !== "");
  const isEmpty = data !== undefined && !isFiltered && countAll(data.counts) === 0;
  return (
    <>
      <PageHead title={text("admin.nav.checks")} hint={isEmpty ? text("admin.checks.hint") : undefined}>
        <a class="button" href="/admin/checks/import">
          {text("admin.checks.import.link")}
        </a>
        {!isEmpty && (
          <a class="button primary" href="/admin/checks/new">
            <Icon name="plus" />
            {text("admin.check.add")}
          </a>
        )}
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {isEmpty && <NoChecks />}
      {!isEmpty && (data !== undefined || isFiltered) && (
        <CheckFilters
          filter={filter}
          counts={data?.counts}
          names={names}
          onFilter={(change) => {
            setPages(1);
            query.set(change);
          }}
        />
      )}
      {data === undefined && !error && <p class="empty">{text("page.loading")}</p>}
      {data !== undefined && !isEmpty && (
        <>
          {data.troubled.length + data.others.length === 0 ? (
            <p class="empty">{text("admin.checks.none-such")}</p>
          ) : (
            <CheckList loaded={data} names={names} refresh={refresh} onMore={() => setPages(pages + 1)} />
          )}
        </>
      )}
    </>
  );
}

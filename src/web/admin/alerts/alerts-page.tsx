/** What is wrong now, and what was wrong before. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Segments } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { PageHead } from "../pieces.tsx";
import { usePages } from "../paged.ts";
import { ErrorNote, toMessage } from "../problem.tsx";
import { type IncidentView, IncidentCard } from "./incident-card.tsx";
import { PresentAlerts, toSignal, usePresentAlerts } from "./present-alerts.tsx";

type Filter = "all" | "open" | "closed";
const FIRST_PAGE = 30;
const filters = ["all", "open", "closed"] as const;

/** `signal` changes when incidents opened or closed. */
function Incidents({ signal, onChange }: { signal: string; onChange: () => void }): JSX.Element {
  const [filter, setFilter] = useState<Filter>("all");
  const state = filter === "all" ? "" : `&state=${filter}`;
  const pages = usePages<IncidentView>(`/api/admin/incidents?limit=${FIRST_PAGE}${state}`);
  useEffect(() => {
    // Whoever has gone further back keeps his place.
    if (pages.items.length <= FIRST_PAGE) pages.refresh();
  }, [signal]);
  return (
    <section class="stack" aria-labelledby="incidents-title">
      <div class="admin-head">
        <h2 id="incidents-title">{text("admin.incidents.title")}</h2>
        <span class="spacer" />
        <Segments<Filter>
          label={text("admin.incident.filter")}
          value={filter}
          choices={filters.map((value) => ({ value, label: text(`admin.incident.${value}`) }))}
          onChange={setFilter}
        />
        <Button small icon="refresh" disabled={pages.busy} onClick={pages.refresh}>
          {text("admin.refresh")}
        </Button>
      </div>
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.refresh} />}
      {pages.items.length === 0 && !pages.error && (
        <p class="empty">{text(pages.busy ? "page.loading" : "admin.incidents.none")}</p>
      )}
      <ul class="plain-list stack-small">
        {pages.items.map((incident) => (
          <IncidentCard incident={incident} key={incident.id} onDone={onChange} />
        ))}
      </ul>
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("admin.older")}
        </Button>
      )}
    </section>
  );
}

/** The page. */
export function AlertsPage(): JSX.Element {
  const present = usePresentAlerts();
  return (
    <>
      <PageHead title={text("admin.nav.alerts")}>
        <a class="button" href="/admin/rules">
          <Icon name="bell" />
          {text("admin.nav.rules")}
        </a>
      </PageHead>
      <PresentAlerts {...present} />
      <Incidents signal={toSignal(present.data)} onChange={() => void present.refresh()} />
    </>
  );
}

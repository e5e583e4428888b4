/** What is wrong now, and what was wrong before. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { type IncidentView, ClosedIncidents } from "./incident-table.tsx";
import { PresentAlerts, toSignal, usePresentAlerts } from "./present-alerts.tsx";

const FIRST_PAGE = 30;

/** What is over; `signal` changes when incidents opened or closed. */
function Earlier({ signal }: { signal: string }): JSX.Element | null {
  const pages = usePages<IncidentView>(`/api/admin/incidents?state=closed&limit=${FIRST_PAGE}`);
  useEffect(() => {
    // Whoever has gone further back keeps his place.
    if (pages.items.length <= FIRST_PAGE) pages.refresh();
  }, [signal]);
  return (
    <section class="stack-small" aria-labelledby="incidents-title">
      <h2 id="incidents-title">{text("admin.incidents.title")}</h2>
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.refresh} />}
      {pages.items.length === 0 && !pages.error && (
        <p class="quiet-text">{text(pages.busy ? "page.loading" : "admin.incidents.none")}</p>
      )}
      {pages.items.length > 0 && <ClosedIncidents incidents={pages.items} />}
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
          <Icon name="rules" />
          {text("admin.nav.rules")}
        </a>
      </PageHead>
      <PresentAlerts {...present} />
      <Earlier signal={toSignal(present.data)} />
    </>
  );
}

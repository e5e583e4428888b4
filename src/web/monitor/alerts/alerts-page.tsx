/** Current and earlier alerts. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePages } from "../../ui/console/paged.ts";
import { PagedRows } from "../../ui/console/paged-rows.tsx";
import { type IncidentView, ClosedIncidents } from "./incident-table.tsx";
import { PresentAlerts, toSignal, usePresentAlerts } from "./present-alerts.tsx";

const FIRST_PAGE = 30;

/** Closed alerts; `signal` changes when alerts open or close. */
function Earlier({ signal }: { signal: string }): JSX.Element | null {
  const pages = usePages<IncidentView>(`/api/admin/incidents?state=closed&limit=${FIRST_PAGE}`);
  useEffect(() => {
    // A reader who loaded further pages keeps their position.
    if (pages.items.length <= FIRST_PAGE) pages.refresh();
  }, [signal]);
  return (
    <section class="stack-small" aria-labelledby="incidents-title">
      <h2 id="incidents-title">{text("admin.incidents.title")}</h2>
      <PagedRows pages={pages} none="admin.incidents.none">
        <ClosedIncidents incidents={pages.items} />
      </PagedRows>
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

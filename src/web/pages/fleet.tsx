/** The first page: all visible servers. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { fleet } from "../app/fleet.ts";
import { toCountry } from "../app/format.ts";
import { currentLanguage, text } from "../app/texts.ts";
import { uptime, usePolledUptime } from "../app/uptime.ts";
import { toCardParts } from "../fleet/card.tsx";
import { FilterBar } from "../fleet/filter-bar.tsx";
import { FleetView } from "../fleet/fleet-view.tsx";
import { withoutFilter } from "../fleet/criteria.ts";
import { toFacets } from "../fleet/facets.ts";
import { type SelectionOptions, toSections } from "../fleet/selection.ts";
import { summarise } from "../fleet/summary.ts";
import { SummaryBar } from "../fleet/summary-bar.tsx";
import { changeCriteria, presentCriteria } from "../fleet/present-criteria.ts";
import { Button } from "../ui/controls.tsx";
import { Empty } from "../ui/empty.tsx";

function NoServers(): JSX.Element {
  return (
    <Empty icon="server" title={text("fleet.empty")} hint={text("fleet.emptyHint")}>
      <a class="button primary" href="/admin">
        {text("fleet.emptyAction")}
      </a>
    </Empty>
  );
}

function NoMatch(): JSX.Element {
  return (
    <Empty icon="search" title={text("fleet.noMatch")} hint={text("fleet.noMatchHint")}>
      <Button onClick={() => changeCriteria(withoutFilter)}>{text("fleet.clear")}</Button>
    </Empty>
  );
}

/** Apart from the page: what a hook keeps holds all that its function sees, and there that would be the servers of long ago. */
function useSelectionOptions(byId: (typeof uptime.value)["byId"]): SelectionOptions {
  return useMemo(() => ({ toCountry, findUptime: (id) => byId.get(id)?.ratio }), [byId]);
}

function Servers(): JSX.Element {
  const { servers, live } = fleet.value;
  const language = currentLanguage();
  const criteria = presentCriteria.value;
  const { byId, failed } = uptime.value;
  usePolledUptime(criteria.view === "uptime" || criteria.sort === "uptime");
  const options = useSelectionOptions(byId);
  const facets = useMemo(
    () => toFacets(servers, { criteria, options }),
    [servers, criteria, options, language],
  );
  const sections = useMemo(() => toSections(facets.found, { criteria, options }), [facets]);
  const summary = useMemo(() => summarise(facets.inScope), [facets]);
  const parts = useMemo(() => toCardParts(servers), [servers]);
  return (
    <div class={live ? "" : "is-stale"}>
      <h1 class="for-readers">{text("fleet.list")}</h1>
      <SummaryBar summary={summary} criteria={criteria} />
      <FilterBar criteria={criteria} facets={facets} />
      {failed && criteria.view === "uptime" && <p class="quiet-text">{text("uptime.failed")}</p>}
      {facets.found.length === 0 ? (
        <NoMatch />
      ) : (
        <FleetView sections={sections} criteria={criteria} parts={parts} />
      )}
    </div>
  );
}

/** The fleet, or what to do while there is none. */
export function FleetPage(): JSX.Element {
  const { servers, loaded, failed } = fleet.value;
  if (!loaded && failed)
    return <Empty icon="alert" title={text("fleet.unreachable")} hint={text("fleet.unreachableHint")} />;
  if (!loaded) return <p class="loading">{text("page.loading")}</p>;
  return servers.length === 0 ? <NoServers /> : <Servers />;
}

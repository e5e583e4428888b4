/** The first page: all visible servers and checks. */
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ShownCheck } from "../../monitor/checks/shown-schema.ts";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { checkRatios, checks, usePolledChecks } from "../app/checks.ts";
import { fleet } from "../app/fleet.ts";
import { toCountry } from "../app/format.ts";
import { loadLaterTexts } from "../app/language.ts";
import { currentLanguage, text } from "../app/texts.ts";
import { uptime, usePolledUptime } from "../app/uptime.ts";
import { toCardParts } from "../fleet/card.tsx";
import { FilterBar } from "../fleet/filter-bar.tsx";
import { FleetView } from "../fleet/fleet-view.tsx";
import { type Criteria, withoutFilter } from "../fleet/criteria.ts";
import { toFacets } from "../fleet/facets.ts";
import { type HomeItem, isCheck } from "../fleet/home-item.ts";
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
function useSelectionOptions(
  ofServers: (typeof uptime.value)["byId"],
  ofChecks: typeof checkRatios.value,
): SelectionOptions {
  return useMemo(
    () => ({
      toCountry,
      findUptime: (item) => (isCheck(item) ? ofChecks.get(item.id) : ofServers.get(item.id)?.ratio),
    }),
    [ofServers, ofChecks],
  );
}

/** What is shown of both. */
function useItems(
  show: Criteria["show"],
  servers: readonly PublicServer[],
  ofChecks: readonly ShownCheck[],
): readonly HomeItem[] {
  return useMemo(() => {
    if (show === "servers") return servers;
    return show === "checks" ? ofChecks : [...servers, ...ofChecks];
  }, [show, servers, ofChecks]);
}

/** Why a check is down is said in texts that the first view does without. */
function useFaultTexts(ofChecks: readonly ShownCheck[]): void {
  const isWanted = ofChecks.some(({ fault }) => fault !== undefined);
  useEffect(() => {
    if (isWanted) void loadLaterTexts();
  }, [isWanted]);
}

function Home(): JSX.Element {
  const { servers, live } = fleet.value;
  const { items: ofChecks } = checks.value;
  const language = currentLanguage();
  const criteria = presentCriteria.value;
  const { view, sort, show } = criteria;
  const { byId, failed } = uptime.value;
  usePolledUptime(view === "uptime" || sort === "uptime");
  usePolledChecks();
  useFaultTexts(ofChecks);
  const options = useSelectionOptions(byId, checkRatios.value);
  const items = useItems(show, servers, ofChecks);
  const facets = useMemo(() => toFacets(items, { criteria, options }), [items, criteria, options, language]);
  const sections = useMemo(() => toSections(facets.found, { criteria, options }), [facets]);
  const summary = useMemo(() => summarise(facets.inScope), [facets]);
  const parts = useMemo(() => toCardParts(servers), [servers]);
  return (
    <div class={live ? "" : "is-stale"}>
      <h1 class="for-readers">{text(ofChecks.length === 0 ? "fleet.list" : "home.title")}</h1>
      <div class="home-head">
        <SummaryBar summary={summary} criteria={criteria} />
        <FilterBar
          criteria={criteria}
          facets={facets}
          counts={{ all: servers.length + ofChecks.length, servers: servers.length, checks: ofChecks.length }}
        />
      </div>
      {failed && view === "uptime" && <p class="quiet-text">{text("uptime.failed")}</p>}
      {facets.found.length === 0 ? (
        <NoMatch />
      ) : (
        <FleetView sections={sections} criteria={criteria} parts={parts} />
      )}
    </div>
  );
}

/** Servers and checks, or what to do while there are none. */
export function FleetPage(): JSX.Element {
  const { servers, loaded, failed } = fleet.value;
  const { items, loaded: hasChecks } = checks.value;
  if (!loaded && failed)
    return <Empty icon="alert" title={text("fleet.unreachable")} hint={text("fleet.unreachableHint")} />;
  if (servers.length + items.length > 0) return <Home />;
  return loaded && hasChecks ? <NoServers /> : <p class="loading">{text("page.loading")}</p>;
}

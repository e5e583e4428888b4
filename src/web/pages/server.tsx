/** One server's page. */
import type { JSX } from "preact";
import type { ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { fleet } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { Empty } from "../ui/empty.tsx";
import { Billing } from "../server/billing.tsx";
import { Charts } from "../server/charts.tsx";
import { DayPanel } from "../server/day-panel.tsx";
import { Facts, ServerHead } from "../server/facts.tsx";
import { Present } from "../server/present.tsx";
import { usePolled } from "../server/use-polled.ts";

const DETAIL_MS = 5_000;

/** The page of the server with this id. */
export function ServerPage({ id }: { id: string }): JSX.Element {
  const { byId, loaded, live, failed } = fleet.value;
  const server = byId.get(id);
  const detail = usePolled<ServerDetail>(`/api/servers/${encodeURIComponent(id)}`, DETAIL_MS);
  if (server === undefined) {
    if (loaded)
      return (
        <Empty icon="server" title={text("server.unknown")}>
          <a class="button" href="/">
            {text("page.home")}
          </a>
        </Empty>
      );
    return failed ? (
      <Empty icon="alert" title={text("fleet.unreachable")} hint={text("fleet.unreachableHint")} />
    ) : (
      <p class="loading">{text("page.loading")}</p>
    );
  }
  const hint = server.state === "disabled" ? "fleet.disabledHint" : "fleet.neverHint";
  return (
    <article class={`server-page ${live ? "" : "is-stale"}`}>
      <ServerHead server={server} />
      {server.latest === undefined && <p class="public-note">{text(hint)}</p>}
      <div class="server-panels">
        <div class="server-main">
          <Present server={server} detail={detail.data} />
          <DayPanel id={id} />
        </div>
        <div class="server-side">
          <Facts server={server} />
          <Billing server={server} detail={detail.data} />
        </div>
      </div>
      <Charts server={server} detail={detail.data} />
    </article>
  );
}

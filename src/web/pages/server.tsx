/** One server's page. */
import type { JSX } from "preact";
import type { PublicServer, ServerDetail } from "../../monitor/fleet/view-schema.ts";
import { fleet, isAdministrator } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { Empty } from "../ui/empty.tsx";
import { Icon } from "../ui/icons.tsx";
import { Billing } from "../server/billing.tsx";
import { Charts } from "../server/charts.tsx";
import { DayPanel } from "../server/day-panel.tsx";
import { Devices } from "../server/devices.tsx";
import { Facts, ServerHead } from "../server/facts.tsx";
import { Disks, Interfaces } from "../server/machine.tsx";
import { Present } from "../server/present.tsx";
import { usePolled } from "../server/use-polled.ts";
import "../server/texts.ts";
import { lazy } from "./lazy.tsx";

const MachineDetails = lazy(async () => (await import("../server/machine-details.tsx")).MachineDetails, null);

const PartCharts = lazy(async () => (await import("../server/part-charts.tsx")).PartCharts, null);

const DETAIL_MS = 5_000;

/** Reason for missing values; with write access, a link to the command that starts the agent. */
function Absent({ server }: { server: PublicServer }): JSX.Element {
  const isPaused = server.state === "disabled";
  const isConnected = server.state === "online";
  const isHelped = isAdministrator.value && !isPaused && !isConnected;
  const connected = server.reports === "rejected" ? "fleet.rejectedHint" : "fleet.missingHint";
  const absent = isConnected ? connected : isHelped ? "server.neverAdmin" : "server.never";
  return (
    <div class="public-note server-absent">
      <Icon name="info" />
      <p>{text(isPaused ? "fleet.disabledHint" : absent)}</p>
      {isHelped && (
        <a class="button small" href={`/admin/servers/${server.id}`}>
          {text("server.installLine")}
        </a>
      )}
    </div>
  );
}

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
  return (
    <article class={`server-page ${live ? "" : "is-stale"}`}>
      <ServerHead server={server} />
      {server.latest === undefined && <Absent server={server} />}
      <Present server={server} detail={detail.data} />
      <div class={`server-panels ${server.latest === undefined ? "is-bare" : ""}`}>
        <div class="server-main">
          {server.latest && <Charts server={server} detail={detail.data} />}
          <PartCharts server={server} />
        </div>
        <div class="server-side">
          <Facts server={server} />
          {detail.data && <Disks detail={detail.data} />}
          {detail.data && <Devices detail={detail.data} />}
          <DayPanel id={id} />
          <Billing server={server} detail={detail.data} />
          {detail.data && <Interfaces detail={detail.data} />}
        </div>
      </div>
      {isAdministrator.value && <MachineDetails id={id} />}
    </article>
  );
}

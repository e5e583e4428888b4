/** Open alerts, and pending ones. */
import type { JSX } from "preact";
import { MAX_INCIDENTS } from "../../../monitor/alerts/bulk-schema.ts";
import { toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { type Polled, usePolled } from "../../ui/console/polled.ts";
import { mayUse } from "../../ui/console/session.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { useAsked } from "../../ui/resource/list-state.tsx";
import type { Listing } from "../../ui/resource/resource.ts";
import { IncidentBulkBar } from "./incident-bulk.tsx";
import { type IncidentView, AboutCell, openColumns, toIncidentName } from "./incident-table.tsx";
import { SeverityMark } from "./severity-mark.tsx";
import { Note } from "../../ui/console/note.tsx";

const POLL_MS = 5_000;
const severities: readonly IncidentView["severity"][] = ["critical", "warning", "info"];

type PendingView = Pick<
  IncidentView,
  | "ruleId"
  | "ruleName"
  | "severity"
  | "serverId"
  | "serverName"
  | "checkId"
  | "checkName"
  | "since"
  | "maintenanceUntil"
> & {
  readonly firesInSeconds: number;
  /** What it depends on that is down. */
  readonly causedBy?: readonly { readonly name: string }[];
};

interface PresentAnswer {
  readonly firing: readonly IncidentView[];
  readonly pending: readonly PendingView[];
}

/** Polls the current alerts. */
export function usePresentAlerts(): Polled<PresentAnswer> {
  return usePolled<PresentAnswer>("/api/admin/alerts", POLL_MS);
}

/** Another text whenever other incidents are open, or other ones acknowledged. */
export function toSignal(answer: PresentAnswer | undefined): string {
  return (answer?.firing ?? []).map(({ id, acknowledgedAt }) => `${id} ${acknowledgedAt ?? ""}`).join();
}

/** The worst first; among equals the unacknowledged, then the newest. */
export function sortIncidents(incidents: readonly IncidentView[]): readonly IncidentView[] {
  return [...incidents].sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      Number(a.acknowledgedAt !== undefined) - Number(b.acknowledgedAt !== undefined) ||
      Date.parse(b.since) - Date.parse(a.since),
  );
}

function toWaiting({ causedBy, firesInSeconds }: PendingView): string {
  if (causedBy === undefined) return text("admin.present.fires", { span: toSpan(firesInSeconds * 1_000) });
  return text("admin.present.caused", { names: causedBy.map(({ name }) => name).join(", ") });
}

function Pending({ alerts }: { alerts: readonly PendingView[] }): JSX.Element {
  return (
    <section class="stack-small" aria-labelledby="pending-title">
      <h2 id="pending-title">{text("admin.present.pending")}</h2>
      <p class="field-hint">{text("admin.present.pending.hint")}</p>
      <ul class="plain-list pending-list">
        {alerts.map((alert) => (
          <li key={`${alert.ruleId} ${alert.checkId ?? alert.serverId}`}>
            <SeverityMark severity={alert.severity} />
            <AboutCell incident={alert} />
            <span>{alert.ruleName}</span>
            <span class="quiet-text">
              <Ago at={alert.since} /> · {toWaiting(alert)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const words = ({
  serverName = "",
  checkName = "",
  ruleName,
  subject = "",
  note = "",
}: IncidentView): string => [serverName, checkName, ruleName, subject, note].join(" ").toLowerCase();

/** What the filters ask for, the worst first. */
export function narrowIncidents(
  incidents: readonly IncidentView[],
  asked: Readonly<Record<string, string>>,
): readonly IncidentView[] {
  const { q = "", severity = "", seen = "" } = asked;
  return sortIncidents(incidents).filter(
    (incident) =>
      (severity === "" || incident.severity === severity) &&
      (seen === "" || (seen === "acknowledged") === (incident.acknowledgedAt !== undefined)) &&
      words(incident).includes(q.trim().toLowerCase()),
  );
}

const openAlerts: Listing<IncidentView> = {
  api: "/api/admin/alerts",
  navigation: "admin.present.title",
  texts: "admin.present",
  write: "alerts:write",
  idOf: ({ id }) => id,
  nameOf: toIncidentName,
  table: {
    class: "incident-table is-open",
    search: "admin.present.search",
    filters: [
      {
        name: "severity",
        label: "admin.rule.severity",
        as: "list",
        values: [...severities],
        words: "admin.severity",
        any: "admin.present.any.severity",
      },
      {
        name: "seen",
        label: "admin.incident.acknowledged.done",
        as: "list",
        values: ["open", "acknowledged"],
        words: "admin.present.seen",
      },
    ],
    columns: openColumns,
    tickAll: "admin.present.tickAll",
    tickName: (incident) => text("admin.tick", { name: toIncidentName(incident) }),
    bulkMax: MAX_INCIDENTS,
    Bulk: IncidentBulkBar,
    mayTick: () => mayUse("alerts:write"),
    Nothing: () => <Note kind="good">{text("admin.present.none")}</Note>,
  },
};

function toList(
  { data, error, refresh }: Polled<PresentAnswer>,
  asked: Parameters<typeof narrowIncidents>[1],
) {
  const all = data?.firing ?? [];
  const isLoading = data === undefined && error === undefined;
  return {
    items: narrowIncidents(all, asked),
    all,
    isLoading,
    // What was loaded stays while the service is away.
    error: data === undefined ? error : undefined,
    refresh,
    more: null,
  };
}

/** The section. */
export function PresentAlerts(present: Polled<PresentAnswer>): JSX.Element {
  const asked = useAsked(openAlerts.table);
  const of: Listing<IncidentView> = {
    ...openAlerts,
    table: { ...openAlerts.table, paging: "more", usePaging: () => toList(present, asked) },
  };
  const pending = present.data?.pending ?? [];
  return (
    <>
      <ResourceList of={of} head="none" />
      {pending.length > 0 && <Pending alerts={pending} />}
    </>
  );
}

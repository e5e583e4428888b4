/** Open alerts, and pending ones. */
import type { JSX } from "preact";
import { toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import { type Polled, usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { type IncidentView, AboutCell, OpenIncidents } from "./incident-table.tsx";
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

/** The section. */
export function PresentAlerts({ data, error, refresh }: Polled<PresentAnswer>): JSX.Element {
  return (
    <>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data?.firing.length === 0 && <Note kind="good">{text("admin.present.none")}</Note>}
      {data && data.firing.length > 0 && (
        <OpenIncidents incidents={sortIncidents(data.firing)} onDone={() => void refresh()} />
      )}
      {data && data.pending.length > 0 && <Pending alerts={data.pending} />}
    </>
  );
}

/** What fires now, and what will soon if it lasts. */
import type { JSX } from "preact";
import { toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { Ago } from "../pieces.tsx";
import { type Polled, usePolled } from "../polled.ts";
import { ErrorNote, toMessage } from "../problem.tsx";
import { type IncidentView, IncidentCard } from "./incident-card.tsx";
import { SeverityMark } from "./severity-mark.tsx";

const POLL_MS = 5_000;

type PendingView = Pick<
  IncidentView,
  "ruleId" | "ruleName" | "severity" | "serverId" | "serverName" | "since"
> & { readonly firesInSeconds: number };

interface PresentAnswer {
  readonly firing: readonly IncidentView[];
  readonly pending: readonly PendingView[];
}

function PendingCard({ alert }: { alert: PendingView }): JSX.Element {
  return (
    <li class="admin-panel">
      <div class="admin-head">
        <SeverityMark severity={alert.severity} />
        <h3>
          <a href={`/admin/servers/${alert.serverId}`}>{alert.serverName}</a>
        </h3>
        <span>{alert.ruleName}</span>
        <span class="spacer" />
        <span class="field-hint">
          <Ago at={alert.since} /> ·{" "}
          {text("admin.present.fires", { span: toSpan(alert.firesInSeconds * 1_000) })}
        </span>
      </div>
    </li>
  );
}

/** Asks what is wrong, again and again. */
export function usePresentAlerts(): Polled<PresentAnswer> {
  return usePolled<PresentAnswer>("/api/admin/alerts", POLL_MS);
}

/** Another text whenever other incidents are open, or other ones acknowledged. */
export function toSignal(answer: PresentAnswer | undefined): string {
  return (answer?.firing ?? []).map(({ id, acknowledgedAt }) => `${id} ${acknowledgedAt ?? ""}`).join();
}

/** The section. */
export function PresentAlerts({ data, error, refresh }: Polled<PresentAnswer>): JSX.Element {
  return (
    <section class="stack-small" aria-labelledby="present-title">
      <h2 id="present-title">{text("admin.present.title")}</h2>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data?.firing.length === 0 && (
        <p class="admin-note is-good">
          <Icon name="check" />
          <span>{text("admin.present.none")}</span>
        </p>
      )}
      <ul class="plain-list stack-small">
        {data?.firing.map((incident) => (
          <IncidentCard incident={incident} key={incident.id} onDone={() => void refresh()} />
        ))}
      </ul>
      {data && data.pending.length > 0 && (
        <>
          <h3>{text("admin.present.pending")}</h3>
          <p class="field-hint">{text("admin.present.pending.hint")}</p>
          <ul class="plain-list stack-small">
            {data.pending.map((alert) => (
              <PendingCard alert={alert} key={`${alert.ruleId} ${alert.serverId}`} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

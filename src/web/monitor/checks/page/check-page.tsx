/** The page of a check: its state and reason, its history, and its settings. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { untimedKinds } from "../../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { Segments } from "../../../ui/controls.tsx";
import { Crumbs, PageHead } from "../../../ui/console/pieces.tsx";
import { usePages } from "../../../ui/console/paged.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { useQuery } from "../../../ui/console/query.ts";
import { lazy } from "../../../pages/lazy.tsx";
import { toCheckPath } from "../check-data.ts";
import { DependencyPanel } from "../../alerts/dependency-panel.tsx";
import { CheckStateBadge } from "../check-marks.tsx";
import { CertificateFacts, RegistrationFacts } from "../certificate.tsx";
import { TellNote } from "../tell-note.tsx";
import { CheckActions } from "./check-actions.tsx";
import { CheckDays } from "./check-days.tsx";
import type { CheckEvent } from "./check-events.ts";
import { MemberPanel } from "./member-panel.tsx";
import { Spells } from "./spells.tsx";
import { StandingPanel } from "./standing-panel.tsx";
import { WatchingRules } from "./watching-rules.tsx";
import { Panel } from "../../../ui/panel.tsx";

const POLL_MS = 5_000;

/** So many events are charts drawn with, and shown at first. */
const EVENTS = 50;

const LatencyPanel = lazy(async () => (await import("./latency-chart.tsx")).LatencyPanel);
const HeartbeatPanel = lazy(async () => (await import("./heartbeat-panel.tsx")).HeartbeatPanel);
const CheckSettings = lazy(async () => (await import("../editor/check-settings.tsx")).CheckSettings);

function Overview({ check, refresh }: { check: CheckView; refresh: () => Promise<void> }): JSX.Element {
  const { target, standing, id } = check;
  const { certificate, registration, state, since } = standing;
  const pages = usePages<CheckEvent>(`${toCheckPath(id)}/events?limit=${EVENTS}`);
  const known = useRef(since);
  useEffect(() => {
    if (known.current === since) return;
    known.current = since;
    // A reader who loaded further pages keeps their position.
    if (pages.items.length <= EVENTS) pages.refresh();
  }, [since, state]);
  return (
    <>
      <TellNote check={check} />
      <StandingPanel check={check} />
      {registration && (
        <Panel small title={text("admin.check.domain")}>
          <RegistrationFacts registration={registration} />
        </Panel>
      )}
      {target.kind === "group" && <MemberPanel id={id} group={target.group} />}
      <DependencyPanel id={id} />
      {target.kind === "heartbeat" && <HeartbeatPanel check={{ ...check, target }} refresh={refresh} />}
      {!untimedKinds.includes(target.kind) && <LatencyPanel check={check} events={pages.items} />}
      <CheckDays id={id} />
      <Spells pages={pages} />
      {certificate && (
        <Panel small title={text("admin.check.certificate")}>
          <CertificateFacts certificate={certificate} />
        </Panel>
      )}
      <WatchingRules check={check} />
    </>
  );
}

/** The page of the check with this id. */
export function CheckPage({ id }: { id: string }): JSX.Element {
  const { data: check, error, refresh } = usePolled<CheckView>(toCheckPath(id), POLL_MS);
  const query = useQuery();
  if (error?.status === 404 || error?.status === 422)
    return (
      <>
        <Crumbs to="/admin/checks" label="admin.nav.checks" />
        <p class="empty">{text("admin.check.gone")}</p>
      </>
    );
  if (check === undefined)
    return error ? (
      <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />
    ) : (
      <p class="empty">{text("page.loading")}</p>
    );
  const tab = query.get("tab") === "settings" ? "settings" : "overview";
  return (
    <>
      <Crumbs to="/admin/checks" label="admin.nav.checks" />
      <PageHead
        title={
          <>
            {check.name} <CheckStateBadge state={check.standing.state} />
          </>
        }
      >
        <CheckActions check={check} refresh={refresh} />
      </PageHead>
      <Segments
        label={text("admin.check.parts")}
        value={tab}
        choices={[
          { value: "overview", label: text("admin.check.overview") },
          { value: "settings", label: text("admin.nav.settings") },
        ]}
        onChange={(value) => query.set({ tab: value === "settings" ? value : "" }, { push: true })}
      />
      {tab === "settings" ? (
        <CheckSettings check={check} refresh={refresh} key={check.target.kind} />
      ) : (
        <Overview check={check} refresh={refresh} />
      )}
    </>
  );
}

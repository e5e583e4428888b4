/** How the auth center fares: what waits for somebody, how many there are, and the last thirty days. */
import type { JSX } from "preact";
import type { DayCountView, StatsView } from "../../../auth/admin/schema.ts";
import { toDay, toNumber } from "../../app/format.ts";
import { type TextName, countText, text } from "../../app/texts.ts";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { DoctorPanel } from "../../ui/console-page/doctor-panel.tsx";
import { AskedNewerVersion } from "../../ui/console-page/newer-version.tsx";
import { Figure, Todo } from "../../ui/figures.tsx";
import { ValueBars } from "../../ui/value-bars.tsx";
import { Note } from "../../ui/console/note.tsx";

const STATS = "/api/admin/stats";
const EVERY_MS = 30_000;

function DayChart({ title, days }: { title: TextName; days: readonly DayCountView[] }): JSX.Element {
  return (
    <ValueBars
      title={text(title)}
      sum={toNumber(days.reduce((sum, { count }) => sum + count, 0))}
      values={days.map(({ count }) => count)}
      toName={(index) => toDay(Date.parse(days[index]?.day ?? ""), "UTC")}
      toValue={toNumber}
    />
  );
}

function Figures({ stats }: { stats: StatsView }): JSX.Element {
  const todos = [
    ["auth.overview.pending", stats.users.pending, "/admin/approvals", false],
    ["auth.overview.failed", stats.outboxFailed, "/admin/outbox?state=failed", true],
    ["auth.overview.waiting", stats.outboxWaiting, "/admin/outbox?state=waiting", false],
  ] as const;
  return (
    <>
      {stats.administrators === 0 && (
        <Note icon="people">
          {text("auth.overview.noAdministrator")}{" "}
          <a href="/admin/users">{text("auth.overview.makeAdministrator")}</a>
        </Note>
      )}
      {!stats.mailServer && (
        <Note kind="warn" icon="mail">
          {text("auth.overview.noMail")}{" "}
          <a href="/admin/settings?tab=mail">{text("auth.overview.setMail")}</a>
        </Note>
      )}
      <ul class="todos plain-list">
        {todos.map(([label, count, href, isBad]) =>
          count === 0 ? null : (
            <Todo href={href} isBad={isBad} key={label}>
              {countText(label, count)}
            </Todo>
          ),
        )}
      </ul>
      <dl class="figures">
        <Figure label={text("auth.overview.active")} value={toNumber(stats.users.active)} />
        <Figure label={text("auth.ui.sessions")} value={toNumber(stats.sessions)} />
        <Figure label={text("auth.overview.unproved")} value={toNumber(stats.registrationsWaiting)} />
        <Figure label={text("auth.overview.suspended")} value={toNumber(stats.users.suspended)} />
        <Figure label={text("auth.overview.checkIns")} value={toNumber(stats.checkInsToday)} />
      </dl>
      <div class="day-charts">
        <DayChart title="auth.overview.signIns" days={stats.signIns} />
        <DayChart title="auth.overview.signUps" days={stats.signUps} />
        <DayChart title="auth.overview.failures" days={stats.signInFailures} />
      </div>
      <p class="field-hint">{text("auth.overview.days")}</p>
    </>
  );
}

/** The section. */
export function OverviewPage(): JSX.Element {
  const loaded = usePolled<StatsView>(STATS, EVERY_MS);
  return (
    <>
      <PageHead title={text("auth.nav.overview")} />
      <div>
        <AskedNewerVersion />
      </div>
      <Loaded of={loaded}>{(data) => <Figures stats={data} />}</Loaded>
      <DoctorPanel />
    </>
  );
}

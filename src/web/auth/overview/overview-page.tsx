/** How the auth center fares: what waits for somebody, how many there are, and the last thirty days. */
import type { JSX } from "preact";
import type { DayCountView, StatsView } from "../../../auth/admin/schema.ts";
import { toDay, toNumber } from "../../app/format.ts";
import { type TextName, countText, text } from "../../app/texts.ts";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { DoctorPanel } from "../../ui/console-page/doctor-panel.tsx";
import { AskedNewerVersion } from "../../ui/console-page/newer-version.tsx";
import { DayBars } from "../../ui/day-bars.tsx";
import { Icon } from "../../ui/icons.tsx";

const STATS = "/api/admin/stats";
const EVERY_MS = 30_000;

function Figure({ label, value }: { label: TextName; value: number }): JSX.Element {
  return (
    <div class="figure">
      <dt>{text(label)}</dt>
      <dd>{toNumber(value)}</dd>
    </div>
  );
}

/** Something that an administrator may want to do, where there is something. */
function Task(props: {
  label: Parameters<typeof countText>[0];
  count: number;
  href: string;
  isBad?: boolean;
}): JSX.Element | null {
  const { label, count, href, isBad = false } = props;
  if (count === 0) return null;
  return (
    <li>
      <a class={`todo${isBad ? " is-bad" : ""}`} href={href}>
        {countText(label, count)}
        <Icon name="next" />
      </a>
    </li>
  );
}

function DayChart({ title, days }: { title: TextName; days: readonly DayCountView[] }): JSX.Element {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const toWords = (index: number): string => {
    const day = days[index];
    return day === undefined ? "" : `${toDay(Date.parse(day.day), "UTC")}: ${toNumber(day.count)}`;
  };
  return (
    <section class="day-chart">
      <h2>
        {text(title)} <span class="quiet-text">{toNumber(total)}</span>
      </h2>
      <DayBars
        class="count-bars"
        count={days.length}
        label={`${text(title)}: ${toNumber(total)}`}
        toWords={toWords}
        focusable
      >
        <svg viewBox={`0 0 ${days.length * 4} 40`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ day, count }, index) => (
            <rect
              key={day}
              x={index * 4 + 0.5}
              width={3}
              y={40 - (count / most) * 40}
              height={(count / most) * 40}
            />
          ))}
        </svg>
      </DayBars>
    </section>
  );
}

function Figures({ stats }: { stats: StatsView }): JSX.Element {
  return (
    <>
      {stats.administrators === 0 && (
        <div class="admin-note">
          <Icon name="people" />
          <span>
            {text("auth.overview.noAdministrator")}{" "}
            <a href="/admin/users">{text("auth.overview.makeAdministrator")}</a>
          </span>
        </div>
      )}
      {!stats.mailServer && (
        <div class="admin-note is-warn">
          <Icon name="mail" />
          <span>
            {text("auth.overview.noMail")}{" "}
            <a href="/admin/settings?tab=mail">{text("auth.overview.setMail")}</a>
          </span>
        </div>
      )}
      <ul class="todos plain-list">
        <Task label="auth.overview.pending" count={stats.users.pending} href="/admin/approvals" />
        <Task
          label="auth.overview.failed"
          count={stats.outboxFailed}
          href="/admin/outbox?state=failed"
          isBad
        />
        <Task label="auth.overview.waiting" count={stats.outboxWaiting} href="/admin/outbox?state=waiting" />
      </ul>
      <dl class="figures">
        <Figure label="auth.overview.active" value={stats.users.active} />
        <Figure label="auth.ui.sessions" value={stats.sessions} />
        <Figure label="auth.overview.unproved" value={stats.registrationsWaiting} />
        <Figure label="auth.overview.suspended" value={stats.users.suspended} />
        <Figure label="auth.overview.checkIns" value={stats.checkInsToday} />
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

/** The head of the page in one row: states to filter by, traffic now, and the busiest servers. */
import type { JSX } from "preact";
import { toPercent, toRate } from "../app/format.ts";
import { type TextName, text } from "../app/texts.ts";
import { Chip } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { toUrgency } from "../ui/urgency.ts";
import { type Criteria, states } from "./criteria.ts";
import type { State } from "./home-item.ts";
import type { Summary, Worst } from "./summary.ts";
import { choose } from "./present-criteria.ts";

function WorstFigure({ label, worst }: { label: TextName; worst: Worst | undefined }): JSX.Element | null {
  if (worst === undefined) return null;
  return (
    <a class={`figure is-${toUrgency(worst.percent)}`} href={`/servers/${worst.id}`} title={worst.name}>
      <span class="figure-label">{text(label)}</span>
      <span class="figure-value">{toPercent(worst.percent)}</span>
      <span class="figure-name">{worst.name}</span>
    </a>
  );
}

function RateFigure({ label, value }: { label: "metric.down" | "metric.up"; value: number }): JSX.Element {
  return (
    <span class="figure">
      <span class="figure-label">{text(label)}</span>
      <span class="figure-value">{toRate(value)}</span>
    </span>
  );
}

/** Servers are online; where checks are among them, all are up. */
function toStateWord(state: State, { total, servers }: Summary): string {
  return text(servers === total ? `state.${state}` : `home.state.${state}`);
}

/** The row. */
export function SummaryBar({ summary, criteria }: { summary: Summary; criteria: Criteria }): JSX.Element {
  const { byState, total, worstCpu, worstMemory, worstDisk } = summary;
  const shown = states.filter(
    (state) => state === "online" || byState[state] > 0 || criteria.state === state,
  );
  const hasWorst = worstCpu !== undefined || worstMemory !== undefined || worstDisk !== undefined;
  return (
    <section class="summary" aria-label={text("fleet.summary")}>
      <div class="summary-states" role="group" aria-label={text("fleet.states")}>
        {shown.map((state) => (
          <Chip
            key={state}
            pressed={criteria.state === state}
            onClick={() => choose("state", criteria.state === state ? undefined : state)}
          >
            <span class={`state-mark is-${state}`}>
              <Icon name={state} />
            </span>
            <strong>{state === "online" ? `${byState.online}/${total}` : byState[state]}</strong>
            {toStateWord(state, summary)}
          </Chip>
        ))}
      </div>
      {summary.servers > 0 && (
        <div class="figures is-rates" role="group" aria-label={text("fleet.traffic")}>
          <RateFigure label="metric.down" value={summary.rxBytesPerSecond} />
          <RateFigure label="metric.up" value={summary.txBytesPerSecond} />
        </div>
      )}
      {hasWorst && (
        <div class="figures is-worst" role="group" aria-label={text("fleet.worst")}>
          <span class="figures-title" aria-hidden="true">
            {text("fleet.busiest")}
          </span>
          <WorstFigure label="metric.cpu" worst={worstCpu} />
          <WorstFigure label="metric.memory" worst={worstMemory} />
          <WorstFigure label="metric.disk" worst={worstDisk} />
        </div>
      )}
    </section>
  );
}

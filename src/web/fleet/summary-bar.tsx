/** The fleet in one line: states to filter by, traffic now, and the worst values. */
import type { JSX } from "preact";
import { toPercent, toRate } from "../app/format.ts";
import { type TextName, text } from "../app/texts.ts";
import { Chip } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { toUrgency } from "../ui/urgency.ts";
import { type Criteria, states } from "./criteria.ts";
import type { Summary, Worst } from "./summary.ts";
import { toggleCriterion } from "./present-criteria.ts";

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

/** The line. */
export function SummaryBar({ summary, criteria }: { summary: Summary; criteria: Criteria }): JSX.Element {
  const shown = states.filter(
    (state) => state === "online" || summary.byState[state] > 0 || criteria.state === state,
  );
  return (
    <section class="summary" aria-label={text("fleet.summary")}>
      <div class="summary-states" role="group" aria-label={text("fleet.states")}>
        {shown.map((state) => (
          <Chip
            key={state}
            pressed={criteria.state === state}
            onClick={() => toggleCriterion("state", state)}
          >
            <span class={`state-mark is-${state}`}>
              <Icon name={state} />
            </span>
            <strong>
              {state === "online" ? `${summary.byState.online}/${summary.total}` : summary.byState[state]}
            </strong>
            {text(`state.${state}`)}
          </Chip>
        ))}
      </div>
      <div class="figures" role="group" aria-label={text("fleet.traffic")}>
        <span class="figure">
          <span class="figure-label">
            <Icon name="download" />
            {text("metric.down")}
          </span>
          <span class="figure-value">{toRate(summary.rxBytesPerSecond)}</span>
        </span>
        <span class="figure">
          <span class="figure-label">
            <Icon name="upload" />
            {text("metric.up")}
          </span>
          <span class="figure-value">{toRate(summary.txBytesPerSecond)}</span>
        </span>
      </div>
      <div class="figures is-worst" role="group" aria-label={text("fleet.worst")}>
        <WorstFigure label="metric.cpu" worst={summary.worstCpu} />
        <WorstFigure label="metric.memory" worst={summary.worstMemory} />
        <WorstFigure label="metric.disk" worst={summary.worstDisk} />
      </div>
    </section>
  );
}

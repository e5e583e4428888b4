/** Bars over time, the tallest as high as the largest value; the table below has all values. */
import type { JSX } from "preact";
import { DayBars } from "../../ui/day-bars.tsx";

const WIDTH = 4;
const HEIGHT = 40;

/** The bars of one measure. */
export function SalesChart(props: {
  title: string;
  /** All of it in a few words, beside the title. */
  sum: string;
  values: readonly number[];
  toName: (index: number) => string;
  toValue: (value: number) => string;
}): JSX.Element {
  const { title, sum, values, toName, toValue } = props;
  const most = Math.max(0, ...values);
  const scale = most === 0 ? 0 : HEIGHT / most;
  return (
    <section class="day-chart">
      <h2>
        {title} <span class="quiet-text">{sum}</span>
      </h2>
      <div class="sales-chart">
        <span class="sales-scale" aria-hidden="true">
          <span>{toValue(most)}</span>
          <span>{toValue(0)}</span>
        </span>
        <DayBars
          class="count-bars"
          count={values.length}
          label={`${title}: ${sum}`}
          toWords={(index) => `${toName(index)}: ${toValue(values[index] ?? 0)}`}
          focusable
        >
          <svg
            viewBox={`0 0 ${values.length * WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {values.map((value, index) => {
              const height = Math.max(0, value) * scale;
              return (
                <rect
                  key={index}
                  x={index * WIDTH + 0.5}
                  width={WIDTH - 1}
                  y={HEIGHT - height}
                  height={height}
                />
              );
            })}
          </svg>
        </DayBars>
      </div>
    </section>
  );
}

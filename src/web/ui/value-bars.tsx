/** Bars over time below a title, the tallest as high as the largest value. */
import type { ComponentChildren, JSX } from "preact";
import { DayBars } from "./day-bars.tsx";

const WIDTH = 4;
const HEIGHT = 40;

/** The bars of one measure; `frame` draws what is next to them, such as a scale. */
export function ValueBars(props: {
  title: string;
  /** All of it in a few words, beside the title. */
  sum: string;
  values: readonly number[];
  toName: (index: number) => string;
  toValue: (value: number) => string;
  frame?: (bars: JSX.Element, most: number) => ComponentChildren;
}): JSX.Element {
  const { title, sum, values, toName, toValue, frame = (bars) => bars } = props;
  const most = Math.max(0, ...values);
  const scale = most === 0 ? 0 : HEIGHT / most;
  const bars = (
    <DayBars
      class="count-bars"
      count={values.length}
      label={`${title}: ${sum}`}
      toWords={(index) => `${toName(index)}: ${toValue(values[index] ?? 0)}`}
      focusable
    >
      <svg viewBox={`0 0 ${values.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {values.map((value, index) => {
          const height = Math.max(0, value) * scale;
          return (
            <rect key={index} x={index * WIDTH + 0.5} width={WIDTH - 1} y={HEIGHT - height} height={height} />
          );
        })}
      </svg>
    </DayBars>
  );
  return (
    <section class="day-chart">
      <h2>
        {title} <span class="quiet-text">{sum}</span>
      </h2>
      {frame(bars, most)}
    </section>
  );
}

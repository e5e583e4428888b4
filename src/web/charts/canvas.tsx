/** The drawing of a chart in the page. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { serviceNow } from "../app/fleet.ts";
import { currentLanguage, text } from "../app/texts.ts";
import { isDark } from "../app/theme.ts";
import { toPointWords } from "./legend.tsx";
import { type Plot, createPlot } from "./plot.ts";
import { type ChartData, findFilled } from "./series.ts";
import type { ChartSpec } from "./specs.ts";

export interface ChartCanvasProps {
  readonly spec: ChartSpec;
  readonly data: ChartData;
  readonly rangeMs: number;
  /** Place of the cursor; written here, read by the legend. */
  readonly cursor: Signal<number | undefined>;
}

function usePlot(props: ChartCanvasProps): {
  target: { current: HTMLDivElement | null };
  plot: { current: Plot | undefined };
} {
  const { spec, data, rangeMs, cursor } = props;
  const target = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>();
  const range = useRef(rangeMs);
  range.current = rangeMs;
  const look = `${isDark.value} ${currentLanguage()}`;
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const made = createPlot(element, {
      spec,
      width: element.clientWidth,
      window: () => ({ from: serviceNow() - range.current, to: serviceNow() }),
      onCursor: (index) => {
        cursor.value = index;
      },
    });
    plot.current = made;
    const observer = new ResizeObserver(() => made.setWidth(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
    // Colours and words are drawn into the canvas: others need another one.
  }, [spec, look]);
  useEffect(() => plot.current?.setData(data), [data, spec, look]);
  return { target, plot };
}

/** The drawing; it takes the focus, and arrow keys lead from point to point. */
export function ChartCanvas(props: ChartCanvasProps): JSX.Element {
  const { spec, data, rangeMs, cursor } = props;
  const { target, plot } = usePlot(props);
  const [said, setSaid] = useState("");
  function move(key: string): boolean {
    const last = data.times.length - 1;
    const present = cursor.peek();
    const next =
      key === "ArrowLeft"
        ? findFilled(data, (present ?? last + 1) - 1, -1)
        : key === "ArrowRight"
          ? findFilled(data, (present ?? last - 1) + 1, 1)
          : key === "Home"
            ? findFilled(data, 0, 1)
            : key === "End"
              ? findFilled(data, last, -1)
              : undefined;
    if (next === undefined) return false;
    plot.current?.point(next);
    cursor.value = next;
    setSaid(toPointWords({ spec, data, rangeMs }, next));
    return true;
  }
  return (
    <>
      <div
        class="chart-canvas"
        ref={target}
        tabIndex={0}
        role="group"
        aria-label={text("chart.keys", { title: text(spec.title) })}
        onKeyDown={(event) => {
          if (move(event.key)) event.preventDefault();
        }}
        onBlur={() => plot.current?.point(undefined)}
      />
      <span class="for-readers" role="status">
        {said}
      </span>
    </>
  );
}

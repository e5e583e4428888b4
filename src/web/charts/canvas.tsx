/** The drawing of a chart in the page. */
import { type Signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { currentLanguage, text } from "../app/texts.ts";
import { isDark } from "../app/theme.ts";
import { type Cursor, type Shown, toCursorTime } from "./cursor.ts";
import { followPointers } from "./gestures.ts";
import { createKeys } from "./keys.ts";
import { toEventLines } from "./marks.ts";
import { type Plot, createPlot } from "./plot.ts";
import type { Span } from "./range/span.ts";
import { movedSpan, selectedSpan, shownSpan } from "./range/view.ts";

export interface ChartCanvasProps {
  readonly shown: Shown;
  /** The visible span: a different one when zoomed. */
  readonly span: Span | undefined;
  /** Place of the cursor; written here, read by the legend. */
  readonly cursor: Signal<Cursor | undefined>;
}

/** Events this close to the cursor are named, px. */
const NEAR_PX = 9;

function isInSight(element: Element | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

interface UsedPlot {
  readonly target: { current: HTMLDivElement | null };
  readonly plot: { current: Plot | undefined };
}

function usePlot({ shown, span, cursor }: ChartCanvasProps): UsedPlot {
  const { spec, unit, data, events, hidden } = shown;
  const target = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>();
  const latest = useRef(events);
  latest.current = events;
  const look = `${isDark.value} ${currentLanguage()} ${unit}`;
  useEffect(() => {
    const element = target.current;
    if (element === null) return undefined;
    const made = createPlot(element, {
      spec,
      unit,
      width: element.clientWidth,
      window: shownSpan,
      events: () => latest.current,
      onCursor: (at) => {
        // Values are unreadable while the chart moves.
        if (movedSpan.peek() === undefined) cursor.value = at;
      },
    });
    plot.current = made;
    const stopPointers = followPointers(made);
    const observer = new ResizeObserver(() => made.setWidth(element.clientWidth));
    observer.observe(element);
    return () => {
      stopPointers();
      observer.disconnect();
      made.destroy();
    };
    // Colours and words are drawn into the canvas: others need another one.
  }, [spec, look]);
  useEffect(() => plot.current?.hide(hidden), [hidden, spec, look]);
  useEffect(() => plot.current?.setData(data), [data, span, spec, look]);
  useEffect(() => plot.current?.redraw(), [events, spec, look]);
  useSignalEffect(() => {
    // The others follow when it rests, with their data.
    if (movedSpan.value !== undefined && isInSight(target.current)) plot.current?.move();
  });
  useSignalEffect(() => plot.current?.select(selectedSpan.value));
  return { target, plot };
}

/** Events at the cursor, next to it. */
function Tip({ shown, cursor }: Pick<ChartCanvasProps, "shown" | "cursor">): JSX.Element | null {
  const ref = useRef<HTMLDivElement>(null);
  const place = cursor.value;
  if (place === undefined) return null;
  const at = toCursorTime(shown.data, place) * 1_000;
  const width = ref.current?.parentElement?.clientWidth ?? 400;
  const lines = toEventLines(shown.events, { at, nearMs: (shown.rangeMs * NEAR_PX) / width });
  const { from, to } = shownSpan();
  const isRight = at - from > (to - from) / 2;
  return (
    <div
      ref={ref}
      class={`chart-tip ${isRight ? "is-left" : "is-right"}`}
      hidden={lines.length === 0}
      aria-hidden="true"
    >
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}

/** The drawing; it takes the focus, for the keys of {@link createKeys}. */
export function ChartCanvas(props: ChartCanvasProps): JSX.Element {
  const { shown, cursor } = props;
  const { target, plot } = usePlot(props);
  const [said, setSaid] = useState("");
  const anchor = useRef<number>();
  const keys = createKeys({ shown, cursor, anchor, plot, say: setSaid });
  return (
    <>
      <div
        class="chart-canvas"
        ref={target}
        tabIndex={0}
        role="group"
        aria-label={text("chart.keys", { title: text(shown.spec.title) })}
        onKeyDown={(event) => {
          if (keys.take(event)) event.preventDefault();
        }}
        onBlur={() => {
          keys.leave();
          plot.current?.point(undefined);
        }}
      />
      <Tip shown={shown} cursor={cursor} />
      <span class="for-readers" role="status">
        {said}
      </span>
    </>
  );
}

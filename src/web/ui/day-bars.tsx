/** Bars of past days, whatever they show: the day under the pointer, a finger or the arrow keys is named. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

export interface DayBarsProps {
  /** How many days there are; the last is today. */
  readonly count: number;
  /** Accessible name of the chart. */
  readonly label: string;
  /** Text of a day. */
  readonly toWords: (index: number) => string;
  /** Can take the focus by Tab, for arrow keys. */
  readonly focusable?: boolean | undefined;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** The frame of the bars, with the tip. */
export function DayBars(props: DayBarsProps): JSX.Element {
  const { count, label, toWords, focusable = false, children } = props;
  const [pointed, setPointed] = useState<number>();
  function point(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    const index = Math.floor((document.dir === "rtl" ? 1 - share : share) * count);
    setPointed(Math.min(count - 1, Math.max(0, index)));
  }
  function takeKey(event: KeyboardEvent): void {
    if (event.key === "Escape") setPointed(undefined);
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setPointed((index = count) => Math.min(count - 1, Math.max(0, index + step)));
  }
  return (
    <div
      class={`day-bars ${props.class}`}
      role={focusable ? "slider" : "img"}
      aria-label={label}
      {...(focusable
        ? {
            tabIndex: 0,
            "aria-valuemin": 0,
            "aria-valuemax": count - 1,
            "aria-valuenow": pointed ?? count - 1,
            "aria-valuetext": toWords(pointed ?? count - 1),
            onKeyDown: takeKey,
            onBlur: () => setPointed(undefined),
          }
        : {})}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => {
        // A finger that is lifted has just begun to read.
        if (pointerType !== "touch" || !focusable) setPointed(undefined);
      }}
    >
      {children}
      {pointed !== undefined && (
        <span
          class="tip"
          style={{ insetInlineStart: `${((pointed + 0.5) / count) * 100}%` }}
          aria-hidden="true"
        >
          {toWords(pointed)}
        </span>
      )}
    </div>
  );
}

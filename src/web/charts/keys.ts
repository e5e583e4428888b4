/** Keys on a chart: arrows lead from point to point, with Shift they choose a span, and Enter zooms to it. */
import type { Signal } from "@preact/signals";
import { type Cursor, type Shown, findStop, toPointWords } from "./cursor.ts";
import type { Plot } from "./plot.ts";
import { resetTo, selectedSpan, zoomTo } from "./range/view.ts";

export interface KeysOptions {
  readonly shown: Shown;
  readonly cursor: Signal<Cursor | undefined>;
  /** Where the chosen span begins, Unix seconds. */
  readonly anchor: { current: number | undefined };
  readonly plot: { readonly current: Plot | undefined };
  /** Announces text to screen readers. */
  readonly say: (words: string) => void;
}

/** Creates the keyboard handler of a chart. */
export function createKeys({ shown, cursor, anchor, plot, say }: KeysOptions) {
  const { data } = shown;

  function find(key: string): number | undefined {
    const last = data.times.length - 1;
    const present = cursor.peek()?.index;
    if (key === "ArrowLeft") return findStop(data, (present ?? last + 1) - 1, -1);
    if (key === "ArrowRight") return findStop(data, (present ?? -1) + 1, 1);
    if (key === "Home") return findStop(data, 0, 1);
    return key === "End" ? findStop(data, last, -1) : undefined;
  }
  function choose(time: number): void {
    const start = anchor.current;
    selectedSpan.value =
      start === undefined
        ? undefined
        : { from: Math.min(start, time) * 1_000, to: Math.max(start, time) * 1_000 };
  }
  function move({ key, shiftKey }: KeyboardEvent): boolean {
    const index = find(key);
    const time = index === undefined ? undefined : data.times[index];
    if (index === undefined || time === undefined) return false;
    anchor.current = shiftKey ? (anchor.current ?? cursor.peek()?.time ?? time) : undefined;
    plot.current?.point(index);
    cursor.value = { index, time };
    choose(time);
    say(toPointWords(shown, { index, time }));
    return true;
  }
  function leave(): void {
    anchor.current = undefined;
    selectedSpan.value = undefined;
  }
  return {
    leave,
    /** Whether the key did something. */
    take(event: KeyboardEvent): boolean {
      const chosen = selectedSpan.peek();
      if (event.key === "Enter" && chosen !== undefined) {
        leave();
        zoomTo(chosen);
        return true;
      }
      if (event.key !== "Escape") return move(event);
      if (chosen === undefined) resetTo();
      leave();
      return true;
    },
  };
}

/** Pointer gestures on a chart: dragging chooses a span to zoom to, with Shift it moves the visible span. */
import type { Plot } from "./plot.ts";
import type { Span } from "./range/span.ts";
import { dragSpan, dropSpan, movedSpan, resetTo, selectedSpan, shownSpan, zoomTo } from "./range/view.ts";

/** A pointer that moved less was a click, px. */
const CLICK_PX = 8;
/** How long a wheel rests before the address follows, ms. */
const WHEEL_REST_MS = 200;

interface Drag {
  readonly pointer: number;
  readonly startX: number;
  /** The span at the beginning, to move it; undefined: a span is being chosen. */
  readonly moved: Span | undefined;
}

function leftOf(over: HTMLElement, clientX: number): number {
  const { left, width } = over.getBoundingClientRect();
  return Math.min(width, Math.max(0, clientX - left));
}

function toSelected(plot: Plot, { startX }: Drag, clientX: number): Span {
  const ends = [startX, clientX].map((x) => plot.timeAt(leftOf(plot.over, x)));
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

/** Follows the wheel: sideways moves the span. Returns how to stop. */
function followWheel(plot: Plot): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onWheel = (event: WheelEvent): void => {
    const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (Math.abs(across) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
    event.preventDefault();
    dragSpan(shownSpan(), across / plot.over.clientWidth);
    clearTimeout(timer);
    timer = setTimeout(dropSpan, WHEEL_REST_MS);
  };
  plot.over.addEventListener("wheel", onWheel, { passive: false });
  return () => {
    clearTimeout(timer);
    plot.over.removeEventListener("wheel", onWheel);
  };
}

/** Follows pointers on a chart until the function that it returns is called. */
export function followPointers(plot: Plot): () => void {
  const { over } = plot;
  let drag: Drag | undefined;

  function end(): void {
    drag = undefined;
    selectedSpan.value = undefined;
  }
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const moved = event.shiftKey ? shownSpan() : undefined;
    drag = { pointer: event.pointerId, startX: event.clientX, moved };
  });
  over.addEventListener("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const by = event.clientX - drag.startX;
    if (Math.abs(by) < CLICK_PX && !over.hasPointerCapture(event.pointerId)) return;
    over.setPointerCapture(event.pointerId);
    if (drag.moved === undefined) selectedSpan.value = toSelected(plot, drag, event.clientX);
    else dragSpan(drag.moved, -by / over.clientWidth);
  });
  over.addEventListener("pointerup", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const span = selectedSpan.peek();
    end();
    if (movedSpan.peek() !== undefined) dropSpan();
    else if (span !== undefined) zoomTo(span);
  });
  // A page that scrolls takes the finger away.
  over.addEventListener("pointercancel", () => {
    end();
    dropSpan();
  });
  over.addEventListener("dblclick", () => resetTo());
  // The rest goes with the element.
  return followWheel(plot);
}

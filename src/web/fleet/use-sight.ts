/** Which part of a list is in sight while the page scrolls. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface Sight {
  /** Of the list, px; 0 before it was measured. */
  readonly width: number;
  /** px from the top of the list, with room above and below. */
  readonly from: number;
  readonly to: number;
}

/** Scrolling less than this draws nothing. */
const STEP = 120;
/** Drawn beyond the edges, so that a quick scroll shows no holes. */
const SPARE = 480;

function measure(root: HTMLElement): Sight {
  const { top, width } = root.getBoundingClientRect();
  const from = Math.floor(-top / STEP) * STEP - SPARE;
  return { width, from, to: from + Math.ceil(innerHeight / STEP) * STEP + STEP + 2 * SPARE };
}

/** The part in sight; the component is drawn again when that has moved by a step. */
export function useSight(root: RefObject<HTMLElement>): Sight {
  const [sight, setSight] = useState<Sight>({ width: 0, from: 0, to: 0 });
  useLayoutEffect(() => {
    const look = (): void => {
      if (root.current === null) return;
      const next = measure(root.current);
      setSight((known) =>
        known.width === next.width && known.from === next.from && known.to === next.to ? known : next,
      );
    };
    look();
    const observer = new ResizeObserver(look);
    // What stands above the list may grow and move it.
    for (const element of [root.current, document.body]) if (element !== null) observer.observe(element);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [root]);
  return sight;
}

/** Room for what sticks to the top of the page. */
const TOP_MARGIN = 120;
const BOTTOM_MARGIN = 16;

/** Scrolls so that a part of the list can be seen whole. */
export function reveal(root: HTMLElement, { top, height }: { top: number; height: number }): void {
  const place = root.getBoundingClientRect().top + top;
  if (place < TOP_MARGIN) scrollBy(0, place - TOP_MARGIN);
  else if (place + height > innerHeight - BOTTOM_MARGIN)
    scrollBy(0, place + height - innerHeight + BOTTOM_MARGIN);
}

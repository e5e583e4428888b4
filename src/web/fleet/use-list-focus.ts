/** The focus in a list of which only a part is drawn. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { reveal } from "./use-sight.ts";
import { type Layout, findNext, findPlace } from "./windowing.ts";

export interface ListFocus {
  /** Index of the item that must stay drawn. */
  readonly kept: number | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: (event: Event) => void;
}

function indexOfTarget(event: Event): number {
  const item = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
  return Number(item?.dataset["index"] ?? -1);
}

const turned: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** The focus in the list below `root`, whose items have links. */
export function useListFocus(
  root: RefObject<HTMLElement>,
  { all, layout }: { all: readonly PublicServer[]; layout: Layout },
): ListFocus {
  const [focusedId, setFocusedId] = useState<string>();
  const moves = useRef(false);
  const found = focusedId === undefined ? -1 : all.findIndex(({ id }) => id === focusedId);
  useLayoutEffect(() => {
    if (!moves.current) return;
    moves.current = false;
    root.current?.querySelector<HTMLElement>(`[data-index="${found}"] a`)?.focus({ preventScroll: true });
  });
  return {
    kept: found === -1 ? undefined : found,
    onFocusIn: (event) => setFocusedId(all[indexOfTarget(event)]?.id),
    onKeyDown: (event) => {
      const index = indexOfTarget(event);
      if (index < 0 || event.ctrlKey || event.metaKey || event.altKey || root.current === null) return;
      const { rowHeight } = layout.geometry;
      const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 2);
      const key = document.dir === "rtl" ? (turned[event.key] ?? event.key) : event.key;
      const next = findNext(layout, { index, key, page });
      const server = next === undefined ? undefined : all[next];
      if (next === undefined || server === undefined) return;
      event.preventDefault();
      reveal(root.current, { top: findPlace(layout, next)?.top ?? 0, height: rowHeight });
      moves.current = true;
      setFocusedId(server.id);
    },
  };
}

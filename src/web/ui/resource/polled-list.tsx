/** A list that shows its pages one below the other and polls while it is visible, such as that of checks. */
import { useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import type { Items } from "../console/paged.ts";
import { useLoaded } from "../console/polled.ts";
import { adminRequest } from "../console/session.ts";
import { Button } from "../controls.tsx";
import type { Counts, ListState } from "./resource.ts";

interface CountedPage<View> extends Items<View> {
  readonly nextCursor?: string;
  readonly counts?: Counts;
}

/** The first pages of a list as one; what moved from one to another meanwhile is in it once. */
export async function loadPages<View>(
  path: string,
  {
    pages,
    idOf,
    ask = adminRequest,
  }: {
    pages: number;
    idOf: (view: View) => string;
    ask?: (path: string) => Promise<CountedPage<View>>;
  },
): Promise<CountedPage<View>> {
  const found = new Map<string, View>();
  let page = await ask(path);
  for (let read = 1; ; read += 1) {
    for (const view of page.items) if (!found.has(idOf(view))) found.set(idOf(view), view);
    if (read >= pages || page.nextCursor === undefined) return { ...page, items: [...found.values()] };
    page = await ask(`${path}&cursor=${encodeURIComponent(page.nextCursor)}`);
  }
}

/** Pages below each other, reloaded while somebody looks: for `table.usePaging`. */
export function usePolledList<View>(
  path: string,
  { idOf, pollMs }: { idOf: (view: View) => string; pollMs: number },
): ListState<View> {
  const first = `${path}${path.includes("?") ? "&" : "?"}limit=200`;
  const [{ of, pages }, setPages] = useState({ of: first, pages: 1 });
  const count = of === first ? pages : 1;
  const { data, error, refresh } = useLoaded(`${first} ${count}`, {
    load: () => loadPages<View>(first, { pages: count, idOf }),
    everyMs: pollMs,
  });
  // What was there stays while more is loaded.
  const last = useRef<{ first: string; data: CountedPage<View> }>();
  if (data !== undefined) last.current = { first, data };
  const shown = data ?? (last.current?.first === first ? last.current.data : undefined);
  const items = shown?.items ?? [];
  return {
    items,
    all: items,
    isLoading: shown === undefined && error === undefined,
    error,
    refresh,
    counts: shown?.counts,
    more:
      shown?.nextCursor === undefined ? null : (
        <Button onClick={() => setPages({ of: first, pages: count + 1 })}>{text("admin.show.more")}</Button>
      ),
  };
}

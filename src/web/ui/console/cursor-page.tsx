/** Lists of a console with the page in the URL: one page at a time, older ones after it. */
import type { ComponentChildren, JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { type Polled, usePolled } from "./polled.ts";
import { ErrorNote } from "./problem.tsx";
import { toMessage } from "../forms/fault-words.ts";
import { useQuery } from "./query.ts";

interface PageAnswer<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface CursorPage<T> extends Polled<PageAnswer<T>> {
  readonly items: readonly T[];
}

/** The page of GET `path` that the address names; `filters` are sent as they are, empty ones left out. */
export function useCursorPage<T>(path: string, filters: Readonly<Record<string, string>>): CursorPage<T> {
  const query = useQuery();
  const asked = new URLSearchParams({ limit: "50" });
  for (const [name, value] of Object.entries({ ...filters, cursor: query.get("cursor") }))
    if (value !== "") asked.set(name, value);
  const polled = usePolled<PageAnswer<T>>(`${path}${path.includes("?") ? "&" : "?"}${asked.toString()}`, 0);
  return { ...polled, items: polled.data?.items ?? [] };
}

/** The list with its states: loading, failed, nothing found, and the ways to its other pages. */
export function CursorList<T>(props: {
  page: CursorPage<T>;
  /** Shown when nothing is found. */
  empty: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { page, empty, children } = props;
  const { data, error, items, refresh } = page;
  const query = useQuery();
  const cursor = query.get("cursor");
  const next = data?.nextCursor;
  return (
    <>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data !== undefined && items.length === 0 && <div class="empty">{empty}</div>}
      {items.length > 0 && children}
      {(cursor !== "" || next !== undefined) && (
        <div class="button-row">
          {cursor !== "" && <Button onClick={() => query.set({ cursor: "" })}>{text("admin.newest")}</Button>}
          {next !== undefined && (
            <Button onClick={() => query.set({ cursor: next }, { push: true })}>{text("admin.older")}</Button>
          )}
        </div>
      )}
    </>
  );
}

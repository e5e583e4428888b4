/** The rows of a list that comes page after page, below each other. */
import type { ComponentChildren, JSX } from "preact";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { toMessage } from "../forms/fault-words.ts";
import type { Pages } from "./paged.ts";
import { ErrorNote } from "./problem.tsx";

/** `children` are the rows; `none` is shown without rows. */
export function PagedRows(props: {
  pages: Pages<unknown>;
  none: TextName;
  /** Label of the button for the next page. */
  more?: TextName;
  children: ComponentChildren;
}): JSX.Element {
  const { pages, none, more = "admin.older", children } = props;
  const { items, busy, error, hasMore, refresh } = pages;
  return (
    <>
      {error && <ErrorNote message={toMessage(error)} onRetry={refresh} />}
      {items.length === 0 && !error && <p class="field-hint">{text(busy ? "page.loading" : none)}</p>}
      {items.length > 0 && children}
      {hasMore && (
        <div class="button-row">
          <Button disabled={busy} onClick={pages.more}>
            {text(more)}
          </Button>
        </div>
      )}
    </>
  );
}

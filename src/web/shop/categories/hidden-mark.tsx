/** Badge of a category or collection that buyers do not see. */
import type { JSX } from "preact";
import type { CategoryView } from "../../../shop/categories/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";

/** The mark; nothing for one that is shown. */
export function HiddenMark({ view }: { view: Pick<CategoryView, "status"> }): JSX.Element | null {
  return view.status === "hidden" ? <Badge>{text("shop.categories.status.hidden")}</Badge> : null;
}

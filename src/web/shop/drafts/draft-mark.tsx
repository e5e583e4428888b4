/** The state of a draft as a badge. */
import type { JSX } from "preact";
import type { DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";

export function DraftMark({ view: { state } }: { view: DraftView }): JSX.Element {
  const kind = state === "ordered" ? "good" : state === "sent" ? "warn" : "idle";
  return <Badge kind={kind}>{text(`shop.drafts.state.${state}`)}</Badge>;
}

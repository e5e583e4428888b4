/** Payment notices in words. */
import type { JSX } from "preact";
import { text } from "../../../app/texts.ts";
import { Badge, type BadgeKind } from "../../../ui/console/pieces.tsx";
import type { NoticeView } from "../../../../shop/payments/answer-schema.ts";

const kinds: Readonly<Record<NoticeView["state"], BadgeKind>> = {
  applied: "good",
  noted: "idle",
  duplicate: "idle",
  unmatched: "bad",
  rejected: "bad",
  needs_review: "bad",
  dismissed: "idle",
};

export function NoticeState({ state }: { state: NoticeView["state"] }): JSX.Element {
  return <Badge kind={kinds[state]}>{text(`shop.payments.state.${state}`)}</Badge>;
}

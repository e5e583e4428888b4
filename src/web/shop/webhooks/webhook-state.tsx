/** Whether a webhook is on, and gets through. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Ago, Badge } from "../../ui/console/pieces.tsx";
import type { EndpointView } from "../../../shop/webhooks-out/schema.ts";

/** How a webhook fares. */
export function WebhookState({ webhook }: { webhook: EndpointView }): JSX.Element {
  const { enabled, failingSince, offReason } = webhook;
  if (!enabled)
    return (
      <>
        <Badge>{text("shop.ui.off")}</Badge>
        {offReason !== undefined && <p class="field-hint break">{offReason}</p>}
      </>
    );
  if (failingSince === undefined) return <Badge kind="good">{text("shop.ui.on")}</Badge>;
  return (
    <>
      <Badge kind="bad">{text("shop.webhooks.failing")}</Badge>{" "}
      <span class="field-hint">
        <Ago at={failingSince} />
      </span>
    </>
  );
}

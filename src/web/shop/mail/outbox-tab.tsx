/** Emails that wait, were sent or have failed. */
import type { JSX } from "preact";
import { toOutbox } from "../../ui/mail/outbox.tsx";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { SMTP } from "./mail-form.tsx";

export const outbox = toOutbox({
  path: `${SMTP}/outbox`,
  navigation: "shop.mail.outbox",
  write: "shop-settings:write",
  canCancel: true,
});

/** The tab. */
export function OutboxTab(): JSX.Element {
  return <ResourceList of={outbox} head="none" />;
}

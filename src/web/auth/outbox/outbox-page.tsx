/** Mails that wait, were sent or have failed. Codes and links in them are hidden until somebody asks, which the audit keeps. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { PageHead } from "../../ui/console/pieces.tsx";
import { toOutbox } from "../../ui/mail/outbox.tsx";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

const PATH = "/api/admin/outbox";

const outbox = toOutbox({
  path: PATH,
  navigation: "auth.nav.outbox",
  write: "auth-settings:write",
  isMasked: true,
});

/** The section. */
export function OutboxPage(): JSX.Element {
  return (
    <>
      <PageHead title={text("auth.nav.outbox")} hint={text("auth.outbox.hint")} />
      <ResourceList of={outbox} path={`${PATH}?masked=true`} head="none" />
    </>
  );
}

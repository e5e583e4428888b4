/** Mails that wait, were sent or have failed. Codes and links in them are hidden until somebody asks, which the audit keeps. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { PageHead } from "../../ui/console/pieces.tsx";
import { Outbox } from "../../ui/mail/outbox.tsx";

/** The section. */
export function OutboxPage(): JSX.Element {
  return (
    <>
      <PageHead title={text("auth.nav.outbox")} hint={text("auth.outbox.hint")} />
      <Outbox source={{ path: "/api/admin/outbox", isMasked: true }} label={text("auth.nav.outbox")} />
    </>
  );
}

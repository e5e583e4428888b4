/** Missing settings for subscriptions to a status page. */
import type { JSX } from "preact";
import type { MailServerView } from "../../../monitor/channels/mail-schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { MAIL_SERVER } from "../channels/channel-data.ts";
import { type SiteAddress, hasAddress } from "../site-url.ts";
import { Note } from "../../ui/console/note.tsx";

function Missing({ what }: { what: TextName }): JSX.Element {
  return (
    <Note kind="warn" icon="info" isLive>
      {text(what)}{" "}
      <a href="/admin/settings" target="_blank">
        {text("admin.nav.settings")}
      </a>
    </Note>
  );
}

/**
 * The notes; empty if everything is set, or subscriptions are off. Reloaded every few seconds: it may be set in
 * another tab.
 */
export function MissingForFollowers({
  byMail,
  byWebhook,
  host,
}: {
  byMail: boolean;
  byWebhook: boolean;
  host: string;
}): JSX.Element {
  const mail = usePolled<MailServerView>(MAIL_SERVER, 10_000).data;
  const site = usePolled<SiteAddress>("/api/admin/settings", 10_000).data;
  // A page at a host of its own is reached there.
  const needsAddress = site !== undefined && !hasAddress(site) && host.trim() === "";
  return (
    <>
      {byMail && mail?.source === "none" && <Missing what="admin.status.followers.noMail" />}
      {(byMail || byWebhook) && needsAddress && <Missing what="admin.status.followers.noAddress" />}
    </>
  );
}

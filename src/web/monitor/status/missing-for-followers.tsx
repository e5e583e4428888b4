/** Missing settings for subscriptions to a status page. */
import type { JSX } from "preact";
import type { MailServerView } from "../../../monitor/channels/mail-schema.ts";
import type { RemedySetting } from "../../../monitor/site/schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { MAIL_SERVER } from "../channels/channel-data.ts";
import { type SiteAddress, hasAddress } from "../site-url.ts";
import { Note } from "../../ui/console/note.tsx";
import { Remedy } from "../remedy.tsx";

function Missing({
  what,
  setting,
  onDone,
}: {
  what: TextName;
  setting: RemedySetting;
  onDone: () => Promise<void>;
}): JSX.Element {
  return (
    <Note kind="warn" icon="info" isLive>
      {text(what)}
      <Remedy setting={setting} onDone={() => void onDone()} />
    </Note>
  );
}

/**
 * The notes; empty if everything is set, or subscriptions are off. Reloaded every few seconds: another
 * administrator may set it.
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
  const { data: mail, refresh: askMail } = usePolled<MailServerView>(MAIL_SERVER, 10_000);
  const { data: site, refresh: askSite } = usePolled<SiteAddress>("/api/admin/settings", 10_000);
  // A page at a host of its own is reached there.
  const needsAddress = site !== undefined && !hasAddress(site) && host.trim() === "";
  return (
    <>
      {byMail && mail?.source === "none" && (
        <Missing what="admin.status.followers.noMail" setting="mailServer" onDone={askMail} />
      )}
      {(byMail || byWebhook) && needsAddress && (
        <Missing what="admin.status.followers.noAddress" setting="publicUrl" onDone={askSite} />
      )}
    </>
  );
}

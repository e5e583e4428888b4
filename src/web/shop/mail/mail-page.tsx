/** The mail server with a test of each step, and the outbox. */
import type { JSX } from "preact";
import type { SmtpAnswer } from "../../../shop/settings/answer-schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { useRenewed } from "../../ui/console/renewed.ts";
import { useQuery } from "../../ui/console/query.ts";
import { MailTest } from "../../ui/mail/mail-test.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { SMTP, mailForm } from "./mail-form.tsx";
import { Note } from "../../ui/console/note.tsx";

// What one of the tabs needs comes with it.
const OutboxTab = lazy(async () => (await import("./outbox-tab.tsx")).OutboxTab);

const tabs = [
  { name: "server", label: "shop.mail.server" },
  { name: "outbox", label: "shop.mail.outbox" },
] as const satisfies readonly Tab<string>[];

const sourceTexts: Readonly<Record<SmtpAnswer["source"], TextName>> = {
  settings: "shop.mail.source.settings",
  environment: "shop.mail.source.environment",
  none: "shop.mail.source.none",
};

function Source({ view: { source, host, port } }: { view: SmtpAnswer }): JSX.Element {
  return (
    <Note kind={source === "none" ? "warn" : "good"}>
      {text(sourceTexts[source], { server: `${host}:${port}` })}
    </Note>
  );
}

function ServerForm(props: { stored: SmtpAnswer; onSaved: (saved?: SmtpAnswer) => void }): JSX.Element {
  const { stored, onSaved } = props;
  return (
    <>
      <Source view={stored} />
      <SettingsForm
        label={text("shop.mail.server")}
        write="shop-settings:write"
        stored={stored}
        of={{ path: SMTP, form: mailForm, context: undefined, onSaved }}
      >
        {({ dirty }) => <MailTest path={`${SMTP}/test`} dirty={dirty} />}
      </SettingsForm>
    </>
  );
}

function ServerTab(): JSX.Element {
  const loaded = useRenewed<SmtpAnswer>(SMTP);
  return <Loaded of={loaded}>{(data) => <ServerForm stored={data} onSaved={loaded.renew} />}</Loaded>;
}

/** The section. */
export function MailPage(): JSX.Element {
  const query = useQuery();
  const present = tabs.find(({ name }) => name === query.get("tab"))?.name ?? "server";
  return (
    <>
      <PageHead title={text("shop.nav.mail")} hint={text(`shop.mail.${present}.hint`)}>
        <a class="button" href="/admin/mails">
          {text("shop.nav.mails")}
        </a>
      </PageHead>
      <Tabs section="mail" label={text("shop.nav.mail")} tabs={tabs} present={present} />
      {present === "server" ? <ServerTab /> : <OutboxTab />}
    </>
  );
}

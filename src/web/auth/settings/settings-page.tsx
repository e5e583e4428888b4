/** The settings of the auth center, a tab per subject; the tab is part of the URL. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useQuery } from "../../ui/console/query.ts";
import { mayUse } from "../../ui/console/session.ts";
import { MailTest } from "../../ui/mail/mail-test.tsx";
import { SettingsForm, type StoredSettings } from "../../ui/resource/settings-form.tsx";
import { type SettingsTab, tabs } from "./groups.ts";

/** Only for administrators, because they affect every account. */
const guarded: ReadonlySet<string> = new Set(["registration", "mail"]);

/** Where a group is. */
function toPath({ group }: SettingsTab): string {
  return `/api/admin/settings/${group}`;
}

function TabEditor({ tab, stored }: { tab: SettingsTab; stored: StoredSettings }): JSX.Element {
  return (
    <SettingsForm
      label={text(tab.label)}
      write={guarded.has(tab.group) ? "administrator" : "auth-settings:write"}
      stored={stored}
      of={{ path: toPath(tab), form: tab.form, context: undefined }}
    >
      {({ dirty }) =>
        tab.group === "mail" &&
        mayUse("auth-settings:write") && <MailTest path={`${toPath(tab)}/test`} dirty={dirty} />
      }
    </SettingsForm>
  );
}

function TabPage({ tab }: { tab: SettingsTab }): JSX.Element {
  const loaded = usePolled<StoredSettings>(toPath(tab), 0);
  return <Loaded of={loaded}>{(data) => <TabEditor tab={tab} stored={data} />}</Loaded>;
}

/** The section. */
export function SettingsPage(): JSX.Element {
  const query = useQuery();
  const tab = tabs.find(({ name }) => name === query.get("tab")) ?? tabs[0];
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the tabs are in a scrolling row.
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [tab?.name]);
  return (
    <>
      <PageHead title={text("admin.nav.settings")} hint={tab?.hint && text(tab.hint)} />
      <nav class="tabs" ref={bar} aria-label={text("admin.nav.settings")}>
        {tabs.map(({ name, label }) => (
          <a
            key={name}
            href={`/admin/settings?tab=${name}`}
            aria-current={name === tab?.name ? "page" : undefined}
          >
            {text(label)}
          </a>
        ))}
      </nav>
      {tab && <TabPage tab={tab} key={tab.name} />}
    </>
  );
}

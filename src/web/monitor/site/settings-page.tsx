/** The settings of the site. */
import type { JSX } from "preact";
import type { SettingsView } from "../../../monitor/site/schema.ts";
import { refreshBrand } from "../../app/site.ts";
import { text } from "../../app/texts.ts";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { MailServerPanel } from "./mail-server.tsx";
import { settingsForm, toSettingsBody } from "./settings-form.tsx";

const SETTINGS = "/api/admin/settings";

/** The page. */
export function SettingsPage(): JSX.Element {
  const loaded = usePolled<SettingsView>(SETTINGS, 0);
  function onSaved(): void {
    void refreshBrand();
    void loaded.refresh();
  }
  return (
    <>
      <PageHead title={text("admin.nav.settings")} />
      {loaded.data && <MailServerPanel />}
      <Loaded of={loaded}>
        {(stored) => (
          <SettingsForm
            label={text("admin.nav.settings")}
            write="monitor-settings:write"
            stored={stored}
            of={{ path: SETTINGS, form: settingsForm, context: stored, toBody: toSettingsBody, onSaved }}
          />
        )}
      </Loaded>
    </>
  );
}

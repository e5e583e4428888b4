/** Access: the site, accounts, viewers' links, tokens for /metrics. */
import type { JSX } from "preact";
import type { SettingsView } from "../../../monitor/site/schema.ts";
import { refreshSite } from "../../app/site.ts";
import { text } from "../../app/texts.ts";
import { Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { accessForm } from "./access-form.tsx";
import { TokenPanel } from "./token-panel.tsx";

const SETTINGS = "/api/admin/settings";

/** The page. */
export function AccessPage(): JSX.Element {
  const loaded = usePolled<SettingsView>(SETTINGS, 0);
  function onSaved(): void {
    void refreshSite();
    void loaded.refresh();
  }
  return (
    <>
      <PageHead title={text("admin.nav.access")} hint={text("admin.access.hint")} />
      <Loaded of={loaded}>
        {(stored) => (
          <SettingsForm
            label={text("admin.access.who")}
            write="administrator"
            stored={stored}
            of={{ path: SETTINGS, form: accessForm, context: stored, onSaved }}
          />
        )}
      </Loaded>
      <TokenPanel scope="view" />
      <TokenPanel scope="metrics" />
    </>
  );
}

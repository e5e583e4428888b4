/** A tab of settings that are fields alone. */
import type { JSX } from "preact";
import type { MadeForm } from "../../ui/resource/form.ts";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { SITE, type SiteTab } from "./site-data.ts";

/** The form. */
export function SettingsTab(props: SiteTab & { label: string; form: MadeForm<unknown> }): JSX.Element {
  const { label, stored, form, onSaved } = props;
  return (
    <SettingsForm
      label={label}
      write="shop-settings:write"
      stored={stored}
      of={{ path: SITE, form, context: undefined, onSaved }}
    />
  );
}

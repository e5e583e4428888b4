/** A tab of settings that are fields alone. */
import type { JSX } from "preact";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import type { MadeForm } from "../../ui/resource/form.ts";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { SITE } from "./site-data.ts";

/** The form. */
export function SettingsTab(props: {
  label: string;
  stored: AdminSite;
  form: MadeForm<unknown>;
  onSaved: () => void;
}): JSX.Element {
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

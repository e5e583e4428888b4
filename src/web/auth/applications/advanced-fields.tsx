/** What few have to change of an application, folded away while it is as usual. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SettingFields } from "../../ui/settings/setting-fields.tsx";
import type { Form } from "../../ui/settings/setting-specs.ts";
import { advancedFields } from "./application-form.ts";

/** The fold; it stands open where something is unusual or wrong. */
export function AdvancedFields({ part }: { part: FormPart<Form> }): JSX.Element {
  const { form, errors } = part;
  const isOpen = advancedFields.some(
    ({ key, usual }) =>
      findError(errors, `/${key}`) !== undefined ||
      (usual !== undefined && !isSame(form[key] ?? usual, usual)),
  );
  return (
    <details class="fold" open={isOpen}>
      <summary>{text("auth.applications.advanced")}</summary>
      <div class="stack">
        {form["requirePkce"] === false && (
          <p class="admin-note is-warn">
            <Icon name="alert" />
            <span>{text("auth.applications.requirePkce.off")}</span>
          </p>
        )}
        <SettingFields specs={advancedFields} part={part} />
      </div>
    </details>
  );
}

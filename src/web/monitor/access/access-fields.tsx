/** Whether the site is private, and which accounts may look or administer. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Checkbox, SelectField } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { WordsField } from "../../ui/console/field-kinds.tsx";
import { type FormPart, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import type { AccessForm } from "./access-data.ts";

type Props = FormPart<AccessForm>;

/** The switch, and what is so now. */
export function PrivateFields(props: Props & { isPrivateNow: boolean }): JSX.Element {
  const { isPrivateNow } = props;
  return (
    <FieldGroup title={text("admin.access.site")}>
      <p class={`admin-note ${isPrivateNow ? "is-good" : ""}`}>
        <Icon name={isPrivateNow ? "hidden" : "globe"} />
        <span>{text(isPrivateNow ? "admin.access.privateNow" : "admin.access.publicNow")}</span>
      </p>
      <Checkbox label={text("admin.access.private")} {...bindTick(props, "isPrivate")} />
      <p class="field-hint">{text("admin.access.private.hint")}</p>
    </FieldGroup>
  );
}

/** Accounts of the auth center. */
export function AccountFields({ form, errors, onChange }: Props): JSX.Element {
  return (
    <FieldGroup title={text("admin.access.accounts")} hint={text("admin.access.accounts.hint")}>
      <div class="field-row">
        <SelectField<AccessForm["viewers"]>
          label={text("admin.access.viewers")}
          value={form.viewers}
          choices={(["nobody", "listed", "everyone"] as const).map((value) => ({
            value,
            label: text(`admin.access.who.${value}`),
          }))}
          onChange={(viewers) => onChange({ viewers })}
        />
        <SelectField<AccessForm["administrators"]>
          label={text("admin.access.administrators")}
          value={form.administrators}
          choices={(["nobody", "listed", "admins"] as const).map((value) => ({
            value,
            label: text(`admin.access.who.${value}`),
          }))}
          onChange={(administrators) => onChange({ administrators })}
        />
      </div>
      {form.viewers === "listed" && (
        <WordsField
          label={text("admin.access.viewerNames")}
          hint={text("admin.access.names.hint")}
          error={findError(errors, "/access/viewers/usernames")}
          words={form.viewerNames}
          onChange={(viewerNames) => onChange({ viewerNames })}
        />
      )}
      {form.administrators === "listed" && (
        <WordsField
          label={text("admin.access.administratorNames")}
          hint={text("admin.access.names.hint")}
          error={findError(errors, "/access/administrators/usernames")}
          words={form.administratorNames}
          onChange={(administratorNames) => onChange({ administratorNames })}
        />
      )}
    </FieldGroup>
  );
}

/** An account's own fields: name, main address, language, time zone. */
import { languages } from "../../../kit/text/languages.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { bindText } from "../../ui/forms/bind.ts";
import { type UserView, userPath } from "./user-data.ts";

function toLanguageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

/** The dialog. */
export function EditAccount(props: {
  user: UserView;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { user, onChange, onClose } = props;
  const { username, email, emailVerified, locale, timeZone, version } = user;
  const [form, setForm] = useState({ username, email, emailVerified, locale, timeZone });
  const task = useTask();
  const change = (next: Partial<typeof form>): void => setForm({ ...form, ...next });
  const part = { form, errors: task.errors, onChange: change };
  async function save(): Promise<void> {
    const body = { ...form, username: form.username.trim(), email: form.email.trim() };
    await adminRequest(userPath(user.id), { method: "PATCH", body, version });
    showToast(text("admin.saved"));
    await onChange();
    onClose();
  }
  const tags = new Set([...languages, locale]);
  return (
    <FormDialog
      title={text("auth.edit.title", { name: username })}
      action={text("admin.save")}
      task={task}
      pointers={["/username", "/email", "/locale", "/timeZone"]}
      onClose={onClose}
      onSubmit={() => void task.run(save)}
    >
      <div class="stack">
        <TextField
          {...bindText(part, "username")}
          {...withHint("auth.edit.username")}
          autoComplete="off"
          maxLength={40}
        />
        <TextField
          {...bindText(part, "email")}
          {...withHint("auth.edit.email")}
          type="email"
          autoComplete="off"
          maxLength={254}
        />
        <Checkbox
          label={text("auth.edit.verified")}
          checked={form.emailVerified}
          onChange={(verified) => change({ emailVerified: verified })}
        />
        <SelectField<string>
          label={text("auth.settings.language")}
          error={task.errors.get("/locale")}
          value={form.locale}
          choices={Array.from(tags, (value) => ({ value, label: toLanguageName(value), lang: value }))}
          onChange={(next) => change({ locale: next })}
        />
        <SuggestField
          {...bindText(part, "timeZone")}
          label={text("auth.settings.timeZone")}
          suggestions={Intl.supportedValuesOf("timeZone")}
        />
      </div>
    </FormDialog>
  );
}

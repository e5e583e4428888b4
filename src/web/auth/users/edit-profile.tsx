/** The profile of an account: what others see of the person, and whether they do. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { type ProfileForm, toProfileFields, toProfileForm } from "./profile-form.ts";
import { type ProfileView, userPath } from "./user-data.ts";

const visibilities = ["public", "unlisted", "private"] as const;
const likePolicies = ["anyone", "signed-in", "off"] as const;
const ticks = ["inDirectory", "showStreak", "showJoined"] as const;

function Words(part: FormPart<ProfileForm>): JSX.Element {
  return (
    <>
      <TextField {...bindText(part, "displayName")} label={text("auth.user.displayName")} maxLength={80} />
      <TextField {...bindText(part, "givenName")} label={text("auth.profile.givenName")} maxLength={80} />
      <TextField {...bindText(part, "familyName")} label={text("auth.profile.familyName")} maxLength={80} />
      <TextField {...bindText(part, "bio")} label={text("auth.profile.bio")} long maxLength={500} />
      <TextField {...bindText(part, "location")} label={text("auth.profile.location")} maxLength={100} />
      <TextField
        {...bindText(part, "website")}
        label={text("auth.profile.website")}
        type="url"
        maxLength={300}
      />
      <TextField {...bindText(part, "links")} {...withHint("auth.profile.links")} long />
    </>
  );
}

/** The dialog. */
export function EditProfile(props: {
  id: string;
  profile: ProfileView;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { id, profile, onChange, onClose } = props;
  const [form, setForm] = useState(() => toProfileForm(profile));
  const task = useTask();
  const change = (next: Partial<ProfileForm>): void => setForm({ ...form, ...next });
  const part = { form, errors: task.errors, onChange: change };
  async function save(): Promise<void> {
    const body = toProfileFields(form);
    await adminRequest(userPath(id, "/profile"), { method: "PATCH", body, version: profile.version });
    showToast(text("admin.saved"));
    await onChange();
    onClose();
  }
  return (
    <FormDialog
      title={text("auth.profile.edit")}
      action={text("admin.save")}
      task={task}
      pointers={["/displayName", "/givenName", "/familyName", "/bio", "/location", "/website", "/links"]}
      onClose={onClose}
      onSubmit={() => void task.run(save)}
    >
      <div class="stack">
        <Words {...part} />
        <SelectField
          label={text("auth.profile.visibility")}
          value={form.visibility}
          choices={visibilities.map((value) => ({ value, label: text(`auth.profile.visibility.${value}`) }))}
          onChange={(visibility) => change({ visibility })}
        />
        <SelectField
          label={text("auth.profile.likes")}
          value={form.likePolicy}
          choices={likePolicies.map((value) => ({ value, label: text(`auth.profile.likes.${value}`) }))}
          onChange={(likePolicy) => change({ likePolicy })}
        />
        <div class="stack-small">
          {ticks.map((name) => (
            <Checkbox {...bindTick(part, name)} label={text(`auth.profile.${name}`)} key={name} />
          ))}
        </div>
      </div>
    </FormDialog>
  );
}

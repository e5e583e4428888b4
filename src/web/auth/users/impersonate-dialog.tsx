/** Acting in an account for a few minutes: the session is opened here, and a form of this site hands it to the pages. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { SelectField } from "../../ui/controls.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { ReasonField } from "../pieces/reason-field.tsx";
import { type UserView, userPath } from "./user-data.ts";

const spans = ["5", "15", "60"] as const;

/** Goes on to the person's pages with the session, by a form so that the token stands in no address. */
function enter(token: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = `${basePath}/impersonate`;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "token";
  field.value = token;
  form.append(field);
  document.body.append(form);
  form.submit();
}

/** The dialog. */
export function ImpersonateDialog({ user, onClose }: { user: UserView; onClose: () => void }): JSX.Element {
  const [reason, setReason] = useState("");
  const [minutes, setMinutes] = useState<(typeof spans)[number]>("15");
  const task = useTask();
  async function submit(): Promise<void> {
    const body = { minutes: Number(minutes), reason: reason.trim() };
    const path = userPath(user.id, "/impersonate");
    enter((await adminRequest<{ refreshToken: string }>(path, { method: "POST", body })).refreshToken);
  }
  return (
    <FormDialog
      title={text("auth.user.impersonate.title", { name: user.username })}
      action={text("auth.users.add.open")}
      task={task}
      pointers={["/reason", "/minutes"]}
      onClose={onClose}
      onSubmit={() => void task.run(submit)}
    >
      <p>{text("auth.user.impersonate.text")}</p>
      <ReasonField value={reason} errors={task.errors} onInput={setReason} />
      <SelectField
        label={text("auth.user.impersonate.minutes")}
        value={minutes}
        choices={spans.map((value) => ({ value, label: value }))}
        onChange={setMinutes}
      />
    </FormDialog>
  );
}

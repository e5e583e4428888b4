/** Changing a post itself: its title, how bad it is, when it is planned for. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import type { JSX } from "preact";
import { type PostView, newPostSchema } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { SelectField, TextField } from "../../ui/controls.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { bindText } from "../../ui/forms/bind.ts";
import { type DialogEnds, DialogFrame, useDialogForm } from "./dialog-form.tsx";
import { type PostHeadForm, parsePostHead, toPostHead } from "./post-form.ts";
import { PlanFields } from "./post-fields.tsx";
import { impactNames } from "./post-words.ts";
import { toPostPath } from "./status-data.ts";

const bounds = describeSchema(newPostSchema);

/** Changes title, impact and times of a post; nobody is told. */
export function EditPostDialog(props: DialogEnds & { post: PostView }): JSX.Element {
  const { post, onDone, onClose } = props;
  const dialog = useDialogForm<PostHeadForm>(toPostHead(post), {
    parse: (form) => parsePostHead(form, post),
    send: (fields) =>
      adminRequest(toPostPath(post), { method: "PATCH", body: { ...fields, version: post.version } }),
    onDone,
    onClose,
  });
  const { form, task, onChange } = dialog;
  const part = { form, errors: task.errors, onChange };
  return (
    <DialogFrame
      title={text(post.type === "incident" ? "admin.status.post.edit" : "admin.status.post.plan")}
      action={text("admin.save")}
      pointers={["/title", "/plannedFrom", "/plannedTo"]}
      task={task}
      dialog={dialog}
      onClose={onClose}
    >
      <TextField
        label={text("admin.field.title")}
        required
        maxLength={bounds.title.max}
        {...bindText(part, "title")}
      />
      {post.type === "maintenance" ? (
        <PlanFields {...part} />
      ) : (
        <SelectField
          label={text("admin.status.impact")}
          value={form.impact}
          choices={impactNames.map((value) => ({ value, label: text(`admin.status.impact.${value}`) }))}
          onChange={(impact) => onChange({ impact })}
        />
      )}
    </DialogFrame>
  );
}

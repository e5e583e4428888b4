/** Saying something on a status page: a new post, a further update, a mended one. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import type { JSX } from "preact";
import { type PostView, type StatusPageView, newPostSchema } from "../../../monitor/status/post-schema.ts";
import { impactNames } from "./post-words.ts";
import { text } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { type DialogEnds, DialogFrame, useDialogForm } from "./dialog-form.tsx";
import { type PostForm, type UpdateForm, newPost, parsePost, parseUpdate } from "./post-form.ts";
import { PlanFields, SayingFields } from "./post-fields.tsx";
import { stepNames, toPostPath, toPostsPath } from "./status-data.ts";

const bounds = describeSchema(newPostSchema);

interface DialogProps extends DialogEnds {
  readonly page: StatusPageView;
}

/** What incidents and maintenance have each for themselves. */
function PostKindFields(part: FormPart<PostForm>): JSX.Element {
  const { form, onChange } = part;
  return (
    <>
      {form.type === "maintenance" && <PlanFields {...part} />}
      {form.type === "incident" && (
        <div class="field-row">
          <StepField type={form.type} form={form} onChange={onChange} />
          <SelectField
            label={text("admin.status.impact")}
            value={form.impact}
            choices={[
              { value: "", label: text("admin.status.impact.auto") },
              ...impactNames.map((value) => ({ value, label: text(`admin.status.impact.${value}`) })),
            ]}
            onChange={(impact) => onChange({ impact })}
          />
        </div>
      )}
    </>
  );
}

/** A new incident, or planned maintenance. */
export function NewPostDialog({
  page,
  type,
  onDone,
  onClose,
}: DialogProps & { type: PostView["type"] }): JSX.Element {
  const dialog = useDialogForm<PostForm>(newPost(type), {
    parse: parsePost,
    send: (body) => adminRequest(toPostsPath(page.id), { method: "POST", body }),
    onDone,
    onClose,
  });
  const { form, task, onChange } = dialog;
  const part = { form, errors: task.errors, onChange };
  return (
    <DialogFrame
      title={text(`admin.status.new.${type}`)}
      action={text(form.isDraft ? "admin.status.draft.save" : "admin.publish")}
      pointers={["/title", "/update/text", "/plannedFrom", "/plannedTo"]}
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
      <PostKindFields {...part} />
      <SayingFields page={page} pointer="/update/text" {...part} />
      <Checkbox label={text("admin.status.draft")} {...bindTick(part, "isDraft")} />
      {!form.isDraft && <Checkbox label={text("admin.status.notifies")} {...bindTick(part, "notifies")} />}
    </DialogFrame>
  );
}

function StepField(props: {
  type: PostView["type"];
  form: UpdateForm;
  isEnded?: boolean;
  onChange: (change: Partial<UpdateForm>) => void;
}): JSX.Element {
  const { type, form, isEnded = false, onChange } = props;
  const steps: readonly PostView["step"][] = stepNames[type];
  const shown = isEnded && type === "incident" ? [...steps, "postmortem" as const] : steps;
  return (
    <div class="field">
      <span class="field-label">{text("admin.status.step")}</span>
      <Segments<PostView["step"]>
        label={text("admin.status.step")}
        value={form.step}
        choices={shown.map((value) => ({ value, label: text(`admin.status.step.${value}`) }))}
        onChange={(step) => onChange({ step })}
      />
    </div>
  );
}

/** The next that is said of a post. */
export function UpdateDialog(props: DialogProps & { post: PostView; step: PostView["step"] }): JSX.Element {
  const { page, post, step, onDone, onClose } = props;
  // What ends it makes all well again, unless somebody says otherwise.
  const isEnd = step === "resolved" || step === "completed";
  const words = isEnd ? Object.keys(post.components).map((id) => [id, "operational"] as const) : [];
  const begun: UpdateForm = { step, text: "", components: Object.fromEntries(words), notifies: true };
  const dialog = useDialogForm<UpdateForm>(begun, {
    parse: parseUpdate,
    send: (body) => adminRequest(`${toPostPath(post)}/updates`, { method: "POST", body }),
    onDone,
    onClose,
  });
  const { form, task, onChange } = dialog;
  const part = { form, errors: task.errors, onChange };
  return (
    <DialogFrame
      title={text("admin.status.update.of", { title: post.title })}
      action={text("admin.publish")}
      pointers={["/text", "/step"]}
      task={task}
      dialog={dialog}
      onClose={onClose}
    >
      <StepField type={post.type} form={form} isEnded={post.state === "ended"} onChange={onChange} />
      <SayingFields page={page} pointer="/text" {...part} />
      {post.state !== "draft" && (
        <Checkbox label={text("admin.status.notifies")} {...bindTick(part, "notifies")} />
      )}
    </DialogFrame>
  );
}

/** Mends what was said; nobody is told again. */
export function EditUpdateDialog(
  props: DialogProps & { post: PostView; update: PostView["updates"][number] },
): JSX.Element {
  const { page, post, update, onDone, onClose } = props;
  const dialog = useDialogForm<Pick<UpdateForm, "text" | "components">>(
    { text: update.text, components: update.components },
    {
      parse: (form) => parseUpdate({ step: update.step, notifies: false, ...form }),
      send: (fields) => {
        const { text: words, components } = fields as Pick<UpdateForm, "text" | "components">;
        const path = `${toPostPath(post)}/updates/${encodeURIComponent(update.id)}`;
        return adminRequest(path, { method: "PATCH", body: { text: words, components } });
      },
      onDone,
      onClose,
    },
  );
  const { form, task, onChange } = dialog;
  return (
    <DialogFrame
      title={text("admin.status.update.edit")}
      action={text("admin.save")}
      pointers={["/text"]}
      task={task}
      dialog={dialog}
      onClose={onClose}
    >
      <SayingFields
        page={page}
        pointer="/text"
        hint="admin.status.update.edit.hint"
        form={form}
        errors={task.errors}
        onChange={onChange}
      />
    </DialogFrame>
  );
}

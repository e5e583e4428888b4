/** Saying something on a status page: a new post, a further update, an edited one. Nothing is lost without asking. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PostView, StatusPageView } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { EditFieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { type MadeForm, nestFields, pickFields, toBlank, toTyped } from "../../ui/resource/form.ts";
import type { Form } from "../../ui/resource/kind.ts";
import { sendChange } from "../../ui/resource/resource.ts";
import { headForms, newPostForms, toUpdateForm, updateForm } from "./post-forms.tsx";
import { toPostPath, toPostsPath } from "./status-data.ts";

interface DialogProps {
  readonly page: StatusPageView;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function PostDialog<F extends object>(
  props: DialogProps & {
    title: string;
    action?: (form: Form) => string;
    form: MadeForm<StatusPageView, F>;
    initial?: Form;
    /** The item to edit. */
    stored?: object;
    send: (fields: F, before: Readonly<Record<string, unknown>>) => Promise<unknown>;
  },
): JSX.Element {
  const { page, title, action, form, initial, stored = {}, send, onDone, onClose } = props;
  const before = pickFields(form, stored);
  return (
    <EditFieldsDialog
      title={title}
      action={action}
      form={form}
      context={page}
      initial={{ ...toBlank(form), ...(initial ?? toTyped(form, before, page)) }}
      before={before}
      save={async (fields) => {
        await send(fields, before);
        await onDone();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** A new incident, or planned maintenance. */
export function NewPostDialog({ type, ...props }: DialogProps & { type: PostView["type"] }): JSX.Element {
  return (
    <PostDialog
      {...props}
      title={text(`admin.status.new.${type}`)}
      action={({ isDraft }) => text(isDraft === true ? "admin.status.draft.save" : "admin.publish")}
      form={newPostForms[type]}
      initial={{}}
      send={(fields) => {
        const { update, ...post } = nestFields(fields);
        // Maintenance begins as planned.
        const said = { step: "scheduled", ...(update as object) };
        return adminRequest(toPostsPath(props.page.id), {
          method: "POST",
          body: { ...post, type, update: said },
        });
      }}
    />
  );
}

/** The next that is said of a post. */
export function UpdateDialog(props: DialogProps & { post: PostView; step: string }): JSX.Element {
  const { post, step } = props;
  const [form] = useState(() => toUpdateForm(post));
  // A final step marks all components as operational by default.
  const isEnd = step === "resolved" || step === "completed";
  const words = isEnd ? Object.keys(post.components).map((id) => [id, "operational"] as const) : [];
  return (
    <PostDialog
      {...props}
      title={text("admin.status.update.of", { title: post.title })}
      action={() => text("admin.publish")}
      form={form}
      initial={{ step, components: Object.fromEntries(words) }}
      send={(body) => adminRequest(`${toPostPath(post)}/updates`, { method: "POST", body })}
    />
  );
}

/** Corrects an update without another notification. */
export function EditUpdateDialog(
  props: DialogProps & { post: PostView; update: PostView["updates"][number] },
): JSX.Element {
  const { post, update } = props;
  const path = `${toPostPath(post)}/updates/${encodeURIComponent(update.id)}`;
  return (
    <PostDialog
      {...props}
      title={text("admin.status.update.edit")}
      form={updateForm}
      stored={update}
      send={(body) => adminRequest(path, { method: "PATCH", body })}
    />
  );
}

/** Changes title, impact and times of a post without a notification. */
export function EditPostDialog(props: DialogProps & { post: PostView }): JSX.Element {
  const { post } = props;
  return (
    <PostDialog
      {...props}
      title={text(post.type === "incident" ? "admin.status.post.edit" : "admin.status.post.plan")}
      form={headForms[post.type]}
      stored={post}
      send={(fields, before) => sendChange(toPostPath(post), post, { fields, before })}
    />
  );
}

/** Fields that several forms about posts have. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import type { JSX } from "preact";
import { type StatusPageView, newUpdateSchema } from "../../../monitor/status/post-schema.ts";
import { text, type TextName } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { type FormPart, bindText } from "../../ui/forms/bind.ts";
import { ComponentWordFields } from "./component-words.tsx";
import type { PostForm } from "./post-form.ts";

const bounds = describeSchema(newUpdateSchema);

/** When maintenance is planned for. */
export function PlanFields(part: FormPart<Pick<PostForm, "from" | "to">>): JSX.Element {
  return (
    <div class="field-row">
      <TextField
        label={text("admin.quiet.from")}
        type="datetime-local"
        {...bindText(part, "from", "/plannedFrom")}
      />
      <TextField
        label={text("admin.quiet.to")}
        type="datetime-local"
        {...bindText(part, "to", "/plannedTo")}
      />
    </div>
  );
}

/** What is said, and of which components; `pointer` is where the text stands in the request. */
export function SayingFields(
  props: FormPart<Pick<PostForm, "text" | "components">> & {
    readonly page: StatusPageView;
    readonly pointer: string;
    readonly hint?: TextName;
  },
): JSX.Element {
  const { page, form, pointer, hint = "admin.status.text.hint", onChange } = props;
  return (
    <>
      <TextField
        label={text("admin.status.text")}
        hint={text(hint)}
        long
        required
        maxLength={bounds.text.max}
        {...bindText(props, "text", pointer)}
      />
      <ComponentWordFields
        page={page}
        words={form.components}
        onChange={(components) => onChange({ components })}
      />
    </>
  );
}

/** The form of a status page: a new one, or one that others may edit too. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { languageNames, languages } from "../../../kit/text/languages.ts";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { type StatusPageFields, statusPageFieldsSchema } from "../../../monitor/status/schema.ts";
import { navigate } from "../../app/route.ts";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { ComponentList } from "./component-list.tsx";
import { MissingForFollowers } from "./missing-for-followers.tsx";
import { type PageForm, parsePageForm, toPageForm, toSlug } from "./page-form.ts";
import { STATUS_PAGES, pickStatusPage, toStatusPath } from "./status-data.ts";

const bounds = describeSchema(statusPageFieldsSchema);

const POINTERS = ["/title", "/slug", "/description", "/host", "/homeUrl", "/customCss", "/components"];

const edited: Edited<StatusPageView, PageForm, StatusPageFields> = {
  pick: pickStatusPage,
  toForm: toPageForm,
  parse: parsePageForm,
  send: ({ id, version }, fields) =>
    id === ""
      ? adminRequest<StatusPageView>(STATUS_PAGES, { method: "POST", body: fields })
      : adminRequest<StatusPageView>(toStatusPath(id), { method: "PUT", body: { ...fields, version } }),
  reload: ({ id }) => adminRequest<StatusPageView>(toStatusPath(id)),
};

/** What a page is before it is made. */
export const newPage: StatusPageView = {
  id: "",
  version: 0,
  createdAt: "",
  updatedAt: "",
  statuses: {},
  slug: "",
  title: "",
  description: "",
  host: "",
  homeUrl: "",
  customCss: "",
  access: "public",
  language: "en",
  components: [],
  noIndex: false,
  published: true,
  publishesAlerts: false,
  showsMaintenance: true,
  subscribers: { mail: true, webhook: true },
};

function MainFields(part: FormPart<PageForm>): JSX.Element {
  const { form, onChange } = part;
  const title = bindText(part, "title");
  return (
    <FieldGroup title={text("admin.status.page")}>
      <div class="field-row">
        <TextField
          label={text("admin.field.title")}
          required
          maxLength={bounds.title.max}
          {...title}
          onInput={(value) => {
            // Until somebody types an address, it follows the title.
            const follows = form.slug === toSlug(form.title);
            onChange({ title: value, ...(follows ? { slug: toSlug(value) } : {}) });
          }}
        />
        <TextField
          label={text("admin.status.slug")}
          hint={text("admin.status.slug.hint", { slug: form.slug === "" ? "…" : form.slug })}
          required
          maxLength={bounds.slug.max}
          {...bindText(part, "slug")}
        />
      </div>
      <TextField
        {...withHint("admin.status.description")}
        long
        maxLength={bounds.description.max}
        {...bindText(part, "description")}
      />
      <div class="field-row">
        <SelectField
          label={text("admin.status.language")}
          value={form.language}
          choices={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
          onChange={(language) => onChange({ language })}
        />
        <SelectField
          label={text("admin.status.access")}
          value={form.access}
          choices={[
            { value: "public", label: text("admin.status.access.public") },
            { value: "members", label: text("admin.status.access.members") },
          ]}
          onChange={(access) => onChange({ access })}
        />
      </div>
      <Checkbox label={text("admin.status.published")} {...bindTick(part, "published")} />
    </FieldGroup>
  );
}

function MoreFields(part: FormPart<PageForm>): JSX.Element {
  return (
    <>
      <FieldGroup title={text("admin.status.followers")} hint={text("admin.status.followers.hint")}>
        <Checkbox label={text("admin.status.byMail")} {...bindTick(part, "byMail")} />
        <Checkbox label={text("admin.status.byWebhook")} {...bindTick(part, "byWebhook")} />
        <MissingForFollowers form={part.form} />
      </FieldGroup>
      <FieldGroup title={text("admin.status.told")}>
        <Checkbox label={text("admin.status.showsMaintenance")} {...bindTick(part, "showsMaintenance")} />
        <Checkbox label={text("admin.status.publishesAlerts")} {...bindTick(part, "publishesAlerts")} />
      </FieldGroup>
      <FieldGroup title={text("admin.status.look")}>
        <div class="field-row">
          <TextField
            {...withHint("admin.status.host")}
            maxLength={bounds.host.max}
            placeholder="status.example.org"
            {...bindText(part, "host")}
          />
          <TextField
            {...withHint("admin.status.homeUrl")}
            type="url"
            maxLength={bounds.homeUrl.max}
            placeholder="https://example.org"
            {...bindText(part, "homeUrl")}
          />
        </div>
        <Checkbox label={text("admin.status.noIndex")} {...bindTick(part, "noIndex")} />
        <TextField
          {...withHint("admin.status.customCss")}
          long
          maxLength={bounds.customCss.max}
          {...bindText(part, "customCss")}
        />
      </FieldGroup>
    </>
  );
}

/** The form; a new page leads to its own address once it is made. */
export function PageEditor({ page, onSaved }: { page: StatusPageView; onSaved?: () => void }): JSX.Element {
  const editor = useEditor(page, edited);
  const { base, form, task, change } = editor;
  const part = { form, errors: task.errors, onChange: change };
  const isMade = page.id === "" && base.id !== "";
  useEffect(() => {
    if (isMade) navigate(`/admin/status/${base.id}`, { replace: true });
    else if (base.version !== page.version) onSaved?.();
  }, [isMade, base.version]);
  const pointers = [...POINTERS, ...form.components.map((_, at) => `/components/${at}/name`)];
  return (
    <EditorForm
      label={text("admin.status.page")}
      editor={editor}
      pointers={pointers}
      isReadOnly={!mayUse("status-pages:write")}
    >
      <MainFields {...part} />
      <ComponentList {...part} />
      <MoreFields {...part} />
    </EditorForm>
  );
}

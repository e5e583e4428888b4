/** The sections of the home page: added, put in order, edited beside a preview. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { HomePreview as Preview } from "../../../../shop/pages/home/answer-schema.ts";
import { type SectionType, sectionTypes } from "../../../../shop/site/storefront-schema.ts";
import type { AdminSite } from "../../../../shop/settings/answer-schema.ts";
import type { CollectionList } from "../../../../shop/categories/answer-schema.ts";
import { findText, text } from "../../../app/texts.ts";
import { Button, IconButton } from "../../../ui/controls.tsx";
import { EditorForm } from "../../../ui/console/editor-form.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Badge, Loaded } from "../../../ui/console/pieces.tsx";
import { usePolled } from "../../../ui/console/polled.ts";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";
import { useEditor } from "../../../ui/console/use-editor.ts";
import { OrderList } from "../../../ui/forms/order-list.tsx";
import { type Edited, tellSaved } from "../../../ui/forms/parsed.ts";
import { FormFields } from "../../../ui/resource/fields.tsx";
import { toNext } from "../../../ui/resource/form.ts";
import { type Form, toText } from "../../../ui/resource/kind.ts";
import { SITE, type SiteTab, sendSite } from "../site-data.ts";
import { HomePreview } from "./home-preview.tsx";
import {
  type HomeContext,
  type SectionForm,
  findForm,
  makeSection,
  parseSections,
  toSectionForm,
} from "./section-forms.ts";

interface Sections {
  readonly sections: readonly SectionForm[];
}
interface Fields {
  readonly sections: readonly object[];
}
const AT = "/storefront/sections";

function toEdited(context: HomeContext, onSaved: SiteTab["onSaved"]): Edited<AdminSite, Sections, Fields> {
  return {
    pick: ({ storefront }) => ({ sections: storefront.sections }),
    // What was picked is what the settings have.
    toForm: ({ sections }) => ({
      sections: (sections as AdminSite["storefront"]["sections"]).map((one) => toSectionForm(one, context)),
    }),
    parse: ({ sections }) => parseSections(sections, context),
    send: (from, { sections }) => tellSaved(sendSite(from, { storefront: { sections } }), onSaved),
    reload: () => adminRequest<AdminSite>(SITE),
  };
}

function toTypeName(type: string): string {
  return findText(`shop.home.type.${type}`) ?? type;
}

/** What is said of a section in the list: its title. */
function toDetail({ form, type }: SectionForm, { collections }: HomeContext): string {
  const own = toText(form["title"]);
  if (own !== "") return own;
  if (type === "products") return findText(`shop.home.show.${toText(form["show"])}`) ?? "";
  return collections.find(({ id }) => type === "collection" && id === form["collectionId"])?.title ?? "";
}

function AddSection({ onAdd }: { onAdd: (type: SectionType) => void }): JSX.Element {
  return (
    <fieldset class="plain-fieldset">
      <legend class="field-label">{text("shop.home.add")}</legend>
      <div class="button-row">
        {sectionTypes.map((type) => (
          <Button small icon="plus" key={type} onClick={() => onAdd(type)}>
            {toTypeName(type)}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

interface RowProps {
  readonly section: SectionForm;
  readonly context: HomeContext;
  /** Errors of its fields. */
  readonly errors: ReadonlyMap<string, string>;
  readonly problem: Preview["problems"][number]["problem"] | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** Without a section, it is removed. */
  readonly onChange: (section?: SectionForm) => void;
}

/** What is beside and below the name of a section: why it is not shown, its buttons, its fields. */
function SectionRow(props: RowProps): JSX.Element {
  const { section, context, errors, problem, isOpen, onOpen, onChange } = props;
  const form = findForm(section.type);
  const words = [toTypeName(section.type), toDetail(section, context)];
  const name = words.filter((word) => word !== "").join(": ");
  const edit = (change: Partial<Form>): void => onChange({ ...section, form: toNext(section.form, change) });
  return (
    <>
      <span class="button-row">
        {form && (
          <button
            type="button"
            class="button small"
            aria-expanded={isOpen}
            aria-label={text("shop.home.edit.named", { name })}
            onClick={() => onOpen(!isOpen)}
          >
            <Icon name={isOpen ? "up" : "edit"} />
            {text("shop.home.edit")}
          </button>
        )}
        <IconButton icon="trash" label={text("admin.remove.named", { name })} onClick={() => onChange()} />
      </span>
      {problem !== undefined && <Badge kind="warn">{text(`shop.home.problem.${problem}`)}</Badge>}
      {form && isOpen && (
        <fieldset class="plain-fieldset section-fields stack" aria-label={name}>
          <FormFields form={form} context={context} part={{ form: section.form, errors, onChange: edit }} />
        </fieldset>
      )}
    </>
  );
}

/** Errors of one section, by pointers within it. */
function pickErrors(errors: ReadonlyMap<string, string>, at: number): ReadonlyMap<string, string> {
  const start = `${AT}/${at}/`;
  const own = [...errors].filter(([pointer]) => pointer.startsWith(start));
  return new Map(own.map(([pointer, words]) => [pointer.slice(start.length - 1), words]));
}

function HomeEditor({ stored, onSaved, context }: SiteTab & { context: HomeContext }): JSX.Element {
  const [open, setOpen] = useState<string>();
  const [problems, setProblems] = useState<Preview["problems"]>([]);
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(context, onSaved), []),
  );
  const { sections } = editor.form;
  const set = (next: readonly SectionForm[]): void => editor.change({ sections: next });
  const replace = (id: string, next?: SectionForm): void =>
    set(sections.flatMap((one) => (one.id === id ? (next ?? []) : one)));
  const parsed = parseSections(sections, context);
  const mayWrite = mayUse("shop-settings:write");
  const items = sections.map((section) => ({
    id: section.id,
    name: toTypeName(section.type),
    detail: toDetail(section, context),
  }));
  function add(type: SectionType): void {
    const section = makeSection(type, context);
    set([...sections, section]);
    setOpen(section.id);
  }
  function showRow({ id }: { id: string }, at: number): JSX.Element | undefined {
    const section = sections.find((one) => one.id === id);
    if (section === undefined) return undefined;
    const errors = pickErrors(editor.task.errors, at);
    return (
      <SectionRow
        section={section}
        context={context}
        errors={errors}
        problem={problems.find((one) => one.id === id)?.problem}
        isOpen={open === id || errors.size > 0}
        onOpen={(isOpen) => setOpen(isOpen ? id : undefined)}
        onChange={(next) => replace(id, next)}
      />
    );
  }
  return (
    <div class="home-editor">
      <EditorForm label={text("shop.site.home")} editor={editor} pointers={[AT]} isReadOnly={!mayWrite}>
        <p class="field-hint">{text("shop.home.hint")}</p>
        {sections.length === 0 ? (
          <p>{text("shop.home.none")}</p>
        ) : (
          <OrderList
            label={text("shop.home.order")}
            items={items}
            onChange={(next) => set(next.flatMap(({ id }) => sections.find((one) => one.id === id) ?? []))}
            beside={showRow}
          />
        )}
        {mayWrite && <AddSection onAdd={add} />}
      </EditorForm>
      <HomePreview
        settings={parsed.ok ? { storefront: parsed.fields } : undefined}
        languages={stored.languages}
        onProblems={setProblems}
      />
    </div>
  );
}

/** The tab. */
export function HomeTab(props: SiteTab): JSX.Element {
  const collections = usePolled<CollectionList>("/api/admin/collections", 0);
  return (
    <Loaded of={collections}>
      {({ items }) => (
        <HomeEditor {...props} context={{ languages: props.stored.languages, collections: items }} />
      )}
    </Loaded>
  );
}

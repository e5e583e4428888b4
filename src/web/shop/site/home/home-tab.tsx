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
import { toText } from "../../../ui/resource/kind.ts";
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

function HomeEditor({ stored, onSaved, context }: SiteTab & { context: HomeContext }): JSX.Element {
  const [open, setOpen] = useState<string>();
  const [problems, setProblems] = useState<Preview["problems"]>([]);
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(context, onSaved), []),
  );
  const { sections } = editor.form;
  const { errors } = editor.task;
  const set = (next: readonly SectionForm[]): void => editor.change({ sections: next });
  const parsed = parseSections(sections, context);
  const mayWrite = mayUse("shop-settings:write");

  function showBeside(section: SectionForm, at: number): JSX.Element {
    const { id, type } = section;
    const form = findForm(type);
    const name = [toTypeName(type), toDetail(section, context)].filter((word) => word !== "").join(": ");
    const problem = problems.find((one) => one.id === id)?.problem;
    const start = `${AT}/${at}`;
    const own = new Map(
      [...errors].flatMap(([pointer, fault]) =>
        pointer.startsWith(`${start}/`) ? [[pointer.slice(start.length), fault] as const] : [],
      ),
    );
    const isOpen = open === id || own.size > 0;
    return (
      <>
        {problem !== undefined && <Badge kind="warn">{text(`shop.home.problem.${problem}`)}</Badge>}
        <span class="button-row">
          {form && (
            <button
              type="button"
              class="button small"
              aria-expanded={isOpen}
              aria-label={text("shop.home.edit.named", { name })}
              onClick={() => setOpen(isOpen ? undefined : id)}
            >
              <Icon name={isOpen ? "up" : "edit"} />
              {text("shop.home.edit")}
            </button>
          )}
          <IconButton
            icon="trash"
            label={text("admin.remove.named", { name })}
            onClick={() => set(sections.filter((one) => one.id !== id))}
          />
        </span>
        {form && isOpen && (
          <fieldset class="plain-fieldset section-fields stack" aria-label={name}>
            <FormFields
              form={form}
              context={context}
              part={{
                form: section.form,
                errors: own,
                onChange: (change) =>
                  set(
                    sections.map((one) =>
                      one.id === id
                        ? { ...one, form: { ...one.form, ...(change as SectionForm["form"]) } }
                        : one,
                    ),
                  ),
              }}
            />
          </fieldset>
        )}
      </>
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
            items={sections.map((section) => ({
              id: section.id,
              name: toTypeName(section.type),
              detail: toDetail(section, context),
            }))}
            onChange={(items) =>
              set(items.flatMap(({ id }) => sections.find((section) => section.id === id) ?? []))
            }
            beside={(item, at) => {
              const section = sections.find(({ id }) => id === item.id);
              return section && showBeside(section, at);
            }}
          />
        )}
        {mayWrite && (
          <AddSection
            onAdd={(type) => {
              const section = makeSection(type, context);
              set([...sections, section]);
              setOpen(section.id);
            }}
          />
        )}
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

/** One category or collection: its words, place, picture, and what a collection holds. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button, SelectField, TextField } from "../../ui/controls.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Badge, Crumbs, FieldGroup, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { type FormPart, bindText } from "../../ui/forms/bind.ts";
import { errorsBelow, findError } from "../../ui/forms/field-errors.ts";
import { useCategories } from "../ui/category-list.ts";
import { type SiteFacts, useSiteFacts } from "../ui/site-facts.ts";
import { TranslationsField } from "../ui/translations-field.tsx";
import { listBelow } from "./category-tree.ts";
import { PicksPanel } from "./picks-panel.tsx";
import { RuleFields } from "./rule-fields.tsx";
import { type ShownKind, type ShownView, toPageAddress, toShownPath } from "./shown-data.ts";
import { type ShownForm, pointers, toEdited } from "./shown-form.ts";
import { ShownPicture } from "./shown-picture.tsx";

const states = ["published", "hidden"] as const;
type Part = FormPart<ShownForm>;

function ParentField({ part, id }: { part: Part; id: string }): JSX.Element {
  const { form, errors, onChange } = part;
  const { data, tree } = useCategories();
  const below = listBelow(data?.items ?? [], id);
  return (
    <SelectField<string>
      label={text("shop.categories.field.parentId")}
      value={form.parentId}
      error={findError(errors, "/parentId")}
      choices={[
        { value: "", label: text("shop.categories.top") },
        ...tree
          .filter(({ category }) => !below.has(category.id))
          .map(({ category, path }) => ({ value: category.id, label: path })),
      ]}
      onChange={(parentId) => onChange({ parentId })}
    />
  );
}

function Words({ part, kind, id }: { part: Part; kind: ShownKind; id: string }): JSX.Element {
  const { form, onChange } = part;
  return (
    <FieldGroup title={text("shop.products.group.words")}>
      <TextField label={text("admin.field.name")} maxLength={120} {...bindText(part, "title")} />
      <TextField
        label={text("admin.field.description")}
        long
        maxLength={1_000}
        {...bindText(part, "description")}
      />
      <div class="field-row">
        {kind === "categories" && <ParentField part={part} id={id} />}
        <SelectField
          label={text("shop.products.field.status")}
          hint={text(`shop.categories.status.${form.status}.hint`)}
          value={form.status}
          choices={states.map((value) => ({ value, label: text(`shop.categories.status.${value}`) }))}
          onChange={(status) => onChange({ status })}
        />
      </div>
    </FieldGroup>
  );
}

function Translations({ part, languages }: { part: Part; languages: readonly string[] }): JSX.Element {
  const { form, errors, onChange } = part;
  const { title, description } = form;
  return (
    <FieldGroup
      title={text("shop.products.field.translations")}
      hint={text("shop.products.field.translations.hint")}
    >
      <TranslationsField
        languages={languages}
        words={[
          { name: "title", label: text("admin.field.name"), maxLength: 120 },
          {
            name: "description",
            label: text("admin.field.description"),
            long: true,
            maxLength: 1_000,
          },
        ]}
        own={{ title, description }}
        value={form.translations}
        errorAt={errorsBelow(errors, "/translations")}
        onChange={(translations) => onChange({ translations })}
      />
    </FieldGroup>
  );
}

function ShownEditor({
  kind,
  stored,
  facts,
}: {
  kind: ShownKind;
  stored: ShownView;
  facts: SiteFacts;
}): JSX.Element {
  const editor = useEditor(stored, toEdited(kind, facts.currency));
  const { base, form, dirty, task } = editor;
  const [isDeleting, setDeleting] = useState(false);
  const part = { form, errors: task.errors, onChange: editor.change };
  const isPicked = kind === "collections" && !("rule" in base && base.rule !== undefined);
  async function look(): Promise<void> {
    const now = await adminRequest<ShownView>(toShownPath(kind, base.id));
    editor.follow(now);
  }
  const onChanged = (): void => void look().catch(showProblem);
  const address = kind === "categories" ? `/c/${base.id}` : `/collections/${base.id}`;
  return (
    <>
      <PageHead
        title={
          <>
            {base.title} {base.status === "hidden" && <Badge>{text("shop.categories.status.hidden")}</Badge>}
          </>
        }
      >
        {base.status === "published" && (
          <a class="button" href={address} target="_blank" rel="noopener">
            {text("shop.products.view")}
          </a>
        )}
        <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
          {text("admin.delete")}
        </Button>
      </PageHead>
      <div class="form-and-panels">
        <EditorForm label={base.title} editor={editor} pointers={pointers}>
          <Words part={part} kind={kind} id={base.id} />
          {kind === "collections" && <RuleFields part={part} currency={facts.currency} />}
          <Translations part={part} languages={facts.languages} />
        </EditorForm>
        <div class="stack">
          <ShownPicture kind={kind} shown={base} onChanged={onChanged} />
          {isPicked && !form.hasRule && "productIds" in base && (
            <PicksPanel id={base.id} productIds={base.productIds ?? []} onChanged={onChanged} />
          )}
        </div>
      </div>
      {isDeleting && (
        <DeleteDialog
          title={text(`shop.${kind}.delete`)}
          path={toShownPath(kind, base.id)}
          name={base.title}
          onDone={async () => navigate(toPageAddress(kind), { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text(`shop.${kind}.delete.text`)}
        </DeleteDialog>
      )}
    </>
  );
}

/** The section with one of them in its address. */
export function ShownPage({ id }: { id: string }): JSX.Element {
  const kind: ShownKind = useQuery().get("kind") === "collections" ? "collections" : "categories";
  const { data, error, refresh } = usePolled<ShownView>(toShownPath(kind, id), 0);
  const facts = useSiteFacts();
  return (
    <>
      <Crumbs to={toPageAddress(kind)} label={`shop.${kind}.title`} />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {(data === undefined || facts === undefined) && error === undefined && (
        <p class="empty">{text("page.loading")}</p>
      )}
      {data && facts && <ShownEditor kind={kind} stored={data} facts={facts} key={`${kind} ${id}`} />}
    </>
  );
}

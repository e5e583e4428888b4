/** What buyers read of a product, and where they find it. */
import type { JSX } from "preact";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { WordsField } from "../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { type FormPart, bindText } from "../../ui/forms/bind.ts";
import { errorsBelow, findError } from "../../ui/forms/field-errors.ts";
import { useCategories } from "../ui/category-list.ts";
import { MarkdownField } from "../ui/markdown-field.tsx";
import { ProductPicker } from "../ui/product-picker.tsx";
import { TranslationsField } from "../ui/translations-field.tsx";
import { statuses } from "./product-data.ts";
import type { ProductForm } from "./product-form.ts";

const MAX_RELATED = 20;

type Part = FormPart<ProductForm>;

interface CollectionChoice {
  readonly id: string;
  readonly title: string;
  readonly rule?: object;
}

/** Name, address and words. */
export function WordsFields({ part }: { part: Part }): JSX.Element {
  const { form, errors, onChange } = part;
  return (
    <FieldGroup title={text("shop.products.group.words")}>
      <TextField label={text("shop.products.field.title")} maxLength={200} {...bindText(part, "title")} />
      <TextField
        label={text("shop.products.field.slug")}
        hint={text("shop.products.field.slug.hint", { slug: form.slug })}
        maxLength={120}
        {...bindText(part, "slug")}
      />
      <TextField
        {...withHint("shop.products.field.summary")}
        long
        maxLength={1_000}
        {...bindText(part, "summary")}
      />
      <MarkdownField
        label={text("shop.products.field.description")}
        value={form.description}
        error={findError(errors, "/description")}
        maxLength={50_000}
        onInput={(description) => onChange({ description })}
      />
    </FieldGroup>
  );
}

function Collections({ part }: { part: Part }): JSX.Element | null {
  const { form, errors, onChange } = part;
  const { data } = usePolled<{ items: readonly CollectionChoice[] }>("/api/admin/collections", 0);
  const choices = data?.items.filter(({ rule }) => rule === undefined) ?? [];
  if (choices.length === 0) return null;
  const error = findError(errors, "/collectionIds");
  return (
    <fieldset class="plain-fieldset">
      <legend class="field-label">{text("shop.products.field.collectionIds")}</legend>
      <div class="tick-list">
        {choices.map(({ id, title }) => (
          <Checkbox
            key={id}
            label={title}
            checked={form.collectionIds.includes(id)}
            onChange={(isIn) =>
              onChange({
                collectionIds: isIn
                  ? [...form.collectionIds, id]
                  : form.collectionIds.filter((other) => other !== id),
              })
            }
          />
        ))}
      </div>
      {error !== undefined && <span class="field-error">{error}</span>}
    </fieldset>
  );
}

/** Status, category, tags, collections, and what is shown beside it. */
export function PlaceFields({ part, productId }: { part: Part; productId: string }): JSX.Element {
  const { form, errors, onChange } = part;
  const { tree } = useCategories();
  const isKnown = form.categoryId === "" || tree.some(({ category }) => category.id === form.categoryId);
  const own = isKnown ? [] : [{ value: form.categoryId, label: form.categoryId }];
  return (
    <FieldGroup title={text("shop.products.group.place")}>
      <div class="field-row">
        <SelectField
          label={text("shop.products.field.status")}
          hint={text(`shop.products.status.${form.status}.hint`)}
          value={form.status}
          choices={statuses.map((value) => ({ value, label: text(`shop.products.status.${value}`) }))}
          onChange={(status) => onChange({ status })}
        />
        <SelectField<string>
          label={text("shop.products.field.categoryId")}
          value={form.categoryId}
          error={findError(errors, "/categoryId")}
          choices={[
            { value: "", label: text("shop.products.field.categoryId.none") },
            ...tree.map(({ category, path }) => ({ value: category.id, label: path })),
            ...own,
          ]}
          onChange={(categoryId) => onChange({ categoryId })}
        />
      </div>
      <WordsField
        {...withHint("shop.products.field.tags")}
        words={form.tags}
        error={findError(errors, "/tags")}
        onChange={(tags) => onChange({ tags })}
      />
      <Collections part={part} />
      <ProductPicker
        {...withHint("shop.products.field.relatedIds")}
        error={findError(errors, "/relatedIds")}
        ids={form.relatedIds}
        except={productId}
        max={MAX_RELATED}
        onChange={(relatedIds) => onChange({ relatedIds })}
      />
      <TextField
        {...withHint("shop.products.field.sortOrder")}
        placeholder="0"
        {...bindText(part, "sortOrder")}
      />
    </FieldGroup>
  );
}

/** Its words in the other languages. */
export function TranslationFields({
  part,
  languages,
}: {
  part: Part;
  languages: readonly string[];
}): JSX.Element {
  const { form, errors, onChange } = part;
  const { title, summary, description } = form;
  return (
    <FieldGroup
      title={text("shop.products.field.translations")}
      hint={text("shop.products.field.translations.hint")}
    >
      <TranslationsField
        languages={languages}
        words={[
          { name: "title", label: text("shop.products.field.title"), maxLength: 200 },
          { name: "summary", label: text("shop.products.field.summary"), long: true, maxLength: 1_000 },
          {
            name: "description",
            label: text("shop.products.field.description"),
            long: true,
            maxLength: 50_000,
          },
        ]}
        own={{ title, summary, description }}
        value={form.translations}
        errorAt={errorsBelow(errors, "/translations")}
        onChange={(translations) => onChange({ translations })}
      />
    </FieldGroup>
  );
}

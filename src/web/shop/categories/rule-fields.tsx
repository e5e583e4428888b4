/** Whether somebody picks the products of a collection, or a rule does. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { useCategories } from "../ui/category-list.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { ruleSorts } from "./shown-data.ts";
import type { RuleForm, ShownForm } from "./shown-form.ts";

function Rule({ part, currency }: { part: FormPart<ShownForm>; currency: string }): JSX.Element {
  const { form, errors, onChange } = part;
  const { rule } = form;
  const { tree } = useCategories();
  const change = (changed: Partial<RuleForm>): void => onChange({ rule: { ...rule, ...changed } });
  const error = (name: string): string | undefined => findError(errors, `/rule/${name}`);
  return (
    <>
      <div class="field-row">
        <SelectField<string>
          label={text("shop.products.field.categoryId")}
          value={rule.categoryId}
          error={error("categoryId")}
          choices={[
            { value: "", label: text("shop.products.filter.category") },
            ...tree.map(({ category, path }) => ({ value: category.id, label: path })),
          ]}
          onChange={(categoryId) => change({ categoryId })}
        />
        <TextField
          label={text("shop.collections.rule.tag")}
          maxLength={60}
          value={rule.tag}
          error={error("tag")}
          onInput={(tag) => change({ tag })}
        />
      </div>
      <div class="field-row">
        <MoneyField
          label={text("shop.collections.rule.minPrice")}
          currency={currency}
          value={rule.minPrice}
          error={error("minPrice")}
          onInput={(minPrice) => change({ minPrice })}
        />
        <MoneyField
          label={text("shop.collections.rule.maxPrice")}
          currency={currency}
          value={rule.maxPrice}
          error={error("maxPrice")}
          onInput={(maxPrice) => change({ maxPrice })}
        />
      </div>
      <Checkbox
        label={text("shop.collections.rule.inStock")}
        checked={rule.inStock}
        onChange={(inStock) => change({ inStock })}
      />
      <div class="field-row">
        <SelectField
          label={text("shop.products.sort")}
          value={rule.sort}
          choices={ruleSorts.map((value) => ({ value, label: text(`shop.collections.sort.${value}`) }))}
          onChange={(sort) => change({ sort })}
        />
        <TextField
          label={text("shop.collections.rule.limit")}
          inputMode="numeric"
          value={rule.limit}
          error={error("limit")}
          onInput={(limit) => change({ limit })}
        />
      </div>
    </>
  );
}

/** The choice, and the fields of the rule. */
export function RuleFields({ part, currency }: { part: FormPart<ShownForm>; currency: string }): JSX.Element {
  const { form, onChange } = part;
  return (
    <FieldGroup title={text("shop.collections.what")} hint={text("shop.collections.what.hint")}>
      <Segments
        label={text("shop.collections.what")}
        value={form.hasRule ? "rule" : "hand"}
        choices={[
          { value: "hand", label: text("shop.collections.byHand") },
          { value: "rule", label: text("shop.collections.byRule") },
        ]}
        onChange={(value) => onChange({ hasRule: value === "rule" })}
      />
      {form.hasRule && <Rule part={part} currency={currency} />}
    </FieldGroup>
  );
}

/** The fields of a coupon, new or old. */
import type { JSX } from "preact";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, Segments, TextField } from "../../ui/controls.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { useCategories } from "../ui/category-list.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { ProductPicker } from "../ui/product-picker.tsx";
import type { CouponForm } from "./coupon-form.ts";

const MAX_PRODUCTS = 1_000;
type Part = FormPart<CouponForm>;

function Worth({ part, currency }: { part: Part; currency: string }): JSX.Element {
  const { form, errors, onChange } = part;
  return (
    <FieldGroup title={text("shop.coupons.group.worth")}>
      <Segments
        label={text("shop.coupons.field.kind")}
        value={form.kind}
        choices={[
          { value: "percent", label: text("shop.coupons.kind.percent") },
          { value: "fixed", label: text("shop.coupons.kind.fixed") },
        ]}
        onChange={(kind) => onChange({ kind })}
      />
      {form.kind === "percent" ? (
        <div class="field-row">
          <MoneyField
            label={text("shop.coupons.field.percent")}
            currency="%"
            {...bindText(part, "percent", "/value")}
          />
          <MoneyField
            label={text("shop.coupons.field.cap")}
            placeholder={text("shop.ui.noLimit")}
            currency={currency}
            {...bindText(part, "cap")}
          />
        </div>
      ) : (
        <MoneyField
          label={text("shop.coupons.field.amount")}
          currency={currency}
          {...bindText(part, "amount", "/value")}
        />
      )}
      <MoneyField
        {...withHint("shop.coupons.field.minimum")}
        currency={currency}
        value={form.minimum}
        error={findError(errors, "/minimum")}
        onInput={(minimum) => onChange({ minimum })}
      />
    </FieldGroup>
  );
}

function Limits({ part }: { part: Part }): JSX.Element {
  return (
    <FieldGroup title={text("shop.coupons.group.limits")}>
      <div class="field-row">
        <TextField
          label={text("shop.coupons.field.startsAt")}
          type="datetime-local"
          {...bindText(part, "startsAt")}
        />
        <TextField
          label={text("shop.coupons.field.endsAt")}
          type="datetime-local"
          {...bindText(part, "endsAt")}
        />
      </div>
      <div class="field-row">
        <TextField
          label={text("shop.coupons.field.maxUses")}
          placeholder={text("shop.ui.noLimit")}
          inputMode="numeric"
          {...bindText(part, "maxUses")}
        />
        <TextField
          label={text("shop.coupons.field.maxUsesPerUser")}
          placeholder={text("shop.ui.noLimit")}
          inputMode="numeric"
          {...bindText(part, "maxUsesPerUser")}
        />
      </div>
    </FieldGroup>
  );
}

function Scope({ part }: { part: Part }): JSX.Element {
  const { form, errors, onChange } = part;
  const { tree } = useCategories();
  const { categoryIds } = form;
  return (
    <FieldGroup title={text("shop.coupons.group.scope")} hint={text("shop.coupons.group.scope.hint")}>
      {tree.length > 0 && (
        <fieldset class="plain-fieldset">
          <legend class="field-label">{text("shop.nav.categories")}</legend>
          <div class="tick-list">
            {tree.map(({ category, path }) => (
              <Checkbox
                key={category.id}
                label={path}
                checked={categoryIds.includes(category.id)}
                onChange={(isIn) =>
                  onChange({
                    categoryIds: isIn
                      ? [...categoryIds, category.id]
                      : categoryIds.filter((id) => id !== category.id),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
      <ProductPicker
        label={text("shop.coupons.field.productIds")}
        ids={form.productIds}
        max={MAX_PRODUCTS}
        error={findError(errors, "/productIds")}
        onChange={(productIds) => onChange({ productIds })}
      />
    </FieldGroup>
  );
}

/** All of them. */
export function CouponFieldGroups({ part, currency }: { part: Part; currency: string }): JSX.Element {
  return (
    <>
      <FieldGroup title={text("shop.coupons.field.code")}>
        <TextField
          {...withHint("shop.coupons.field.code")}
          maxLength={60}
          autoComplete="off"
          {...bindText(part, "code")}
        />
        <Checkbox label={text("shop.coupons.field.enabled")} {...bindTick(part, "enabled")} />
        <TextField {...withHint("shop.coupons.field.note")} maxLength={300} {...bindText(part, "note")} />
      </FieldGroup>
      <Worth part={part} currency={currency} />
      <Limits part={part} />
      <Scope part={part} />
    </>
  );
}

/** What a product costs, how much of it may be ordered, and how it reaches its buyers. */
import type { JSX } from "preact";
import { text, withHint } from "../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { DeliveryChoice } from "./delivery-choice.tsx";
import type { DeliveryType } from "./product-data.ts";
import type { ProductForm } from "./product-form.ts";

const taxClasses = ["standard", "reduced", "intermediate", "super_reduced", "zero"] as const;

type Part = FormPart<ProductForm>;

/** Price, price before, SKU and tax; those of the variants stand with them. */
export function PriceFields({ part, currency }: { part: Part; currency: string }): JSX.Element {
  const { form, errors, onChange } = part;
  const hasVariants = form.variants.length > 0;
  const known = taxClasses.some((one) => one === form.taxClass);
  return (
    <FieldGroup
      title={text("shop.products.field.price")}
      hint={hasVariants ? text("shop.products.group.price.variants") : undefined}
    >
      <div class="field-row">
        {!hasVariants && (
          <MoneyField
            label={text("shop.products.field.price")}
            currency={currency}
            {...bindText(part, "price")}
          />
        )}
        <MoneyField
          label={text(
            hasVariants ? "shop.products.field.compareAtPrice.all" : "shop.products.field.compareAtPrice",
          )}
          currency={currency}
          {...bindText(part, "compareAtPrice")}
        />
      </div>
      <p class="field-hint">{text("shop.products.priorPrice.hint")}</p>
      <div class="field-row">
        <TextField label={text("shop.products.field.sku")} maxLength={80} {...bindText(part, "sku")} />
        <SelectField<string>
          label={text("shop.products.field.taxClass")}
          value={form.taxClass}
          error={findError(errors, "/taxClass")}
          choices={[
            ...taxClasses.map((value) => ({ value, label: text(`shop.products.tax.${value}`) })),
            ...(known ? [] : [{ value: form.taxClass, label: form.taxClass }]),
          ]}
          onChange={(taxClass) => onChange({ taxClass })}
        />
      </div>
    </FieldGroup>
  );
}

/** How many may be ordered, and when few are left. */
export function QuantityFields({ part }: { part: Part }): JSX.Element {
  const { form, errors } = part;
  const isKeyed = form.deliveryType === "auto_secret";
  const error = findError(errors, "/stockMode");
  return (
    <FieldGroup title={text("shop.products.group.quantity")}>
      {!isKeyed && (
        <div class="field">
          <Checkbox label={text("shop.products.field.stockMode")} {...bindTick(part, "isUnlimited")} />
          {error !== undefined && <span class="field-error">{error}</span>}
        </div>
      )}
      <div class="field-row">
        <TextField
          label={text("shop.products.field.minQuantity")}
          inputMode="numeric"
          {...bindText(part, "minQuantity")}
        />
        <TextField
          label={text("shop.products.field.maxQuantity")}
          placeholder={text("shop.ui.noLimit")}
          inputMode="numeric"
          {...bindText(part, "maxQuantity")}
        />
        <TextField
          label={text("shop.products.field.maxPerCustomer")}
          placeholder={text("shop.ui.noLimit")}
          inputMode="numeric"
          {...bindText(part, "maxPerCustomer")}
        />
      </div>
      {!form.isUnlimited && (
        <TextField
          {...withHint("shop.products.field.lowStockThreshold")}
          inputMode="numeric"
          {...bindText(part, "lowStockThreshold")}
        />
      )}
    </FieldGroup>
  );
}

/** What changes with the way it is delivered. */
function toDelivery(deliveryType: DeliveryType, isUnlimited: boolean): Partial<ProductForm> {
  // A copy of a file costs nothing, and each key is given once.
  if (deliveryType === "files" || deliveryType === "shared_secret")
    return { deliveryType, isUnlimited: true };
  return { deliveryType, isUnlimited: deliveryType === "auto_secret" ? false : isUnlimited };
}

/** The way to the buyer, and what is said after the payment. */
export function DeliveryFields({ part }: { part: Part }): JSX.Element {
  const { form, errors, onChange } = part;
  const error = findError(errors, "/deliveryType");
  return (
    <FieldGroup title={text("shop.products.field.deliveryType")}>
      <DeliveryChoice
        value={form.deliveryType}
        onChange={(type) => onChange(toDelivery(type, form.isUnlimited))}
      />
      {error !== undefined && <span class="field-error">{error}</span>}
      {form.deliveryType === "shipping" && (
        <TextField
          {...withHint("shop.products.field.weightGrams")}
          inputMode="numeric"
          {...bindText(part, "weight", "/weightGrams")}
        />
      )}
      <TextField
        {...withHint("shop.products.field.instructions")}
        long
        maxLength={10_000}
        {...bindText(part, "instructions")}
      />
      <div class="field">
        <Checkbox
          label={text("shop.products.field.excludedFromWithdrawal")}
          {...bindTick(part, "excludedFromWithdrawal")}
        />
        <span class="field-hint">{text("shop.products.field.excludedFromWithdrawal.hint")}</span>
      </div>
    </FieldGroup>
  );
}

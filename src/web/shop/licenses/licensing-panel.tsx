/** Whether programs can activate the keys of a product, on what terms, and its licenses. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type PeriodUnit, productLicenseSchema } from "../../../shop/products/license-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, SelectField, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { UnsavedGuard } from "../../ui/console/unsaved.tsx";
import { isSame } from "../../ui/forms/conflict.ts";
import { sayFaults } from "../../ui/forms/parsed.ts";
import { FormFields } from "../../ui/resource/fields.tsx";
import { makeForm, pickFields, readForm, toNext, toTyped } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { Panel } from "../../ui/panel.tsx";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, typeMoney } from "../ui/money.ts";
import { type ProductView, nameVariant, toProductPath } from "../products/product-data.ts";
import { LicenseList, useLicenses } from "./license-list.tsx";

const form = makeForm({
  schema: productLicenseSchema,
  words: "shop.licensing",
  fields: {
    keys: { kind: choiceKind({ words: "shop.licensing.keys" }) },
    maxDevices: { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" },
    days: { placeholder: "shop.licensing.forever", fault: "shop.ui.fault.whole" },
    offlineDays: { fault: "shop.ui.fault.whole" },
    renewal: false,
  },
  panels: [{ fields: ["keys", "pattern", ["maxDevices", "days", "offlineDays"]] }],
});

/** What is typed for a variant; "" is as the product, "0" no limit. */
interface Typed {
  readonly maxDevices: string;
  readonly days: string;
  readonly price: string;
  /** Renewals cost what the variant costs, whatever the product says, until a price is typed. */
  readonly isOwnPrice: boolean;
}

/** How licenses renew, as it is typed. */
interface TypedRenewal {
  readonly every: "never" | PeriodUnit;
  readonly count: string;
  readonly price: string;
  readonly grace: string;
}

const COUNT = /^[1-9]\d?$/u;
const GRACE = /^\d{1,2}$/u;

function toTypedRenewal({ license, currency }: ProductView): TypedRenewal {
  const { every, count, price, graceDays } = license?.renewal ?? {};
  return {
    every: every ?? "never",
    count: String(count ?? 1),
    price: typeMoney(price, currency),
    grace: String(graceDays ?? 7),
  };
}

function toRenewal({ every, count, price, grace }: TypedRenewal, currency: string) {
  if (every === "never") return undefined;
  return { every, count: Number(count), price: readMoney(price, currency), graceDays: Number(grace) };
}

function isRenewalRight({ every, count, price, grace }: TypedRenewal, currency: string): boolean {
  if (every === "never") return true;
  const isMoney = price.trim() === "" || readMoney(price, currency) !== undefined;
  return isMoney && COUNT.test(count) && GRACE.test(grace);
}

const nothing: Typed = { maxDevices: "", days: "", price: "", isOwnPrice: false };
const WHOLE = /^\d{0,5}$/u;

/** What is typed for the variants of a product, by ID. */
export function toTypedVariants({ variants, currency }: ProductView): Readonly<Record<string, Typed>> {
  const toText = (value: number | null | undefined): string =>
    value === undefined ? "" : String(value ?? 0);
  return Object.fromEntries(
    variants.map(({ id, license }) => [
      id,
      {
        maxDevices: toText(license?.maxDevices),
        days: toText(license?.days),
        price: typeMoney(license?.renewalPrice ?? undefined, currency),
        isOwnPrice: license?.renewalPrice === null,
      },
    ]),
  );
}

/** The license of a variant as it is sent; null: as the product. */
export function toVariantLicense(typed: Typed, currency: string, isRenewing: boolean) {
  const { maxDevices, days, price, isOwnPrice } = typed;
  const toValue = (value: string): number | null | undefined =>
    value === "" ? undefined : Number(value) || null;
  const unsaid = isOwnPrice ? null : undefined;
  const renewalPrice = price.trim() === "" ? unsaid : readMoney(price, currency);
  const license = {
    maxDevices: toValue(maxDevices),
    days: isRenewing ? undefined : toValue(days),
    renewalPrice,
  };
  return Object.values(license).every((value) => value === undefined) ? null : license;
}

function Variants(props: {
  product: ProductView;
  typed: Readonly<Record<string, Typed>>;
  isRenewing: boolean;
  onChange: (id: string, typed: Typed) => void;
}): JSX.Element | null {
  const { product, typed, isRenewing, onChange } = props;
  if (product.variants.length === 0) return null;
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend>{text("shop.licensing.variants")}</legend>
      <p class="field-hint">{text("shop.licensing.variants.hint")}</p>
      {product.variants.map((variant) => {
        const own = typed[variant.id] ?? nothing;
        const field = (name: "maxDevices" | "days"): JSX.Element => (
          <TextField
            label={`${nameVariant(variant)}: ${text(`shop.licensing.${name}`)}`}
            value={own[name]}
            inputMode="numeric"
            error={WHOLE.test(own[name]) ? undefined : text("shop.ui.fault.whole")}
            onInput={(value) => onChange(variant.id, { ...own, [name]: value })}
          />
        );
        return (
          <div class="field-row" key={variant.id}>
            {field("maxDevices")}
            {isRenewing ? (
              <MoneyField
                label={`${nameVariant(variant)}: ${text("shop.licensing.renews.price")}`}
                hint={own.isOwnPrice ? text("shop.licensing.renews.price.variant") : undefined}
                currency={product.currency}
                value={own.price}
                onInput={(price) => onChange(variant.id, { ...own, price, isOwnPrice: false })}
              />
            ) : (
              field("days")
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

/** Whether licenses renew, and what a period costs. */
function Renewal(props: {
  product: ProductView;
  typed: TypedRenewal;
  onChange: (typed: TypedRenewal) => void;
}): JSX.Element {
  const { product, typed, onChange } = props;
  const { every, count, price, grace } = typed;
  return (
    <>
      <SelectField
        label={text("shop.licensing.renews")}
        hint={text("shop.licensing.renews.hint")}
        value={every}
        choices={(["never", "month", "year"] as const).map((value) => ({
          value,
          label: text(`shop.licensing.renews.${value}`),
        }))}
        onChange={(value) => onChange({ ...typed, every: value })}
      />
      {every !== "never" && (
        <div class="field-row">
          <TextField
            label={text("shop.licensing.renews.count")}
            value={count}
            inputMode="numeric"
            error={COUNT.test(count) ? undefined : text("shop.ui.fault.whole")}
            onInput={(value) => onChange({ ...typed, count: value })}
          />
          <MoneyField
            label={text("shop.licensing.renews.price")}
            hint={text("shop.licensing.renews.price.hint")}
            currency={product.currency}
            value={price}
            onInput={(value) => onChange({ ...typed, price: value })}
          />
          <TextField
            label={text("shop.licensing.renews.grace")}
            value={grace}
            inputMode="numeric"
            error={GRACE.test(grace) ? undefined : text("shop.ui.fault.whole")}
            onInput={(value) => onChange({ ...typed, grace: value })}
          />
        </div>
      )}
    </>
  );
}

/** The licenses that were sold, below the number that programs compare. */
function Sold({ product }: { product: ProductView }): JSX.Element {
  const pages = useLicenses(`productId=${encodeURIComponent(product.id)}`);
  const [first] = pages.items;
  return (
    <>
      {first !== undefined && (
        <p class="field-hint">
          {text("shop.licensing.number")} <code>{first.productNumber}</code>
        </p>
      )}
      <details class="fold">
        <summary>{text("shop.licenses")}</summary>
        <LicenseList pages={pages} />
      </details>
    </>
  );
}

interface PanelProps {
  readonly product: ProductView;
  readonly onChanged: () => void;
}

function Settings({ product, onChanged }: PanelProps): JSX.Element {
  const [stored, setStored] = useState(() => ({
    own: toTyped(form, pickFields(form, product.license ?? {}), undefined),
    variants: toTypedVariants(product),
    renewal: toTypedRenewal(product),
  }));
  const [typed, setTyped] = useState(stored);
  const task = useTask();
  const isDirty = !isSame(typed, stored);
  const isWhole = Object.values(typed.variants).every(
    ({ maxDevices, days, price }) =>
      WHOLE.test(maxDevices) &&
      WHOLE.test(days) &&
      (price.trim() === "" || readMoney(price, product.currency) !== undefined),
  );
  const isRight = isRenewalRight(typed.renewal, product.currency);
  async function save(): Promise<void> {
    const parsed = readForm(form, typed.own, { context: undefined });
    if (!parsed.ok) return task.refuse(sayFaults(parsed.faults));
    const renewal = toRenewal(typed.renewal, product.currency);
    const variants = product.variants.map(({ id, sku, options, price }) => {
      const license = toVariantLicense(
        typed.variants[id] ?? nothing,
        product.currency,
        renewal !== undefined,
      );
      return { id, sku, options, price, license };
    });
    const body = {
      license: { ...parsed.fields, days: renewal === undefined ? parsed.fields.days : undefined, renewal },
      stockMode: parsed.fields.keys === "generated" ? "unlimited" : "tracked",
      version: product.version,
      ...(variants.length === 0 ? {} : { variants }),
    };
    if (!(await task.run(() => adminRequest(toProductPath(product.id), { method: "PATCH", body })))) return;
    setStored(typed);
    showToast(text("admin.saved"));
    onChanged();
  }
  return (
    <form
      class="stack"
      noValidate
      aria-label={text("shop.licensing")}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TaskNote task={task} pointers={form.pointers} />
      <FormFields
        form={form}
        context={undefined}
        part={{
          form: typed.own,
          errors: task.errors,
          onChange: (change) => setTyped((now) => ({ ...now, own: toNext(now.own, change) })),
        }}
      />
      <Renewal
        product={product}
        typed={typed.renewal}
        onChange={(renewal) => setTyped((now) => ({ ...now, renewal }))}
      />
      <Variants
        product={product}
        isRenewing={typed.renewal.every !== "never"}
        typed={typed.variants}
        onChange={(id, own) => setTyped((now) => ({ ...now, variants: { ...now.variants, [id]: own } }))}
      />
      <div class="button-row">
        <Button type="submit" kind="primary" disabled={!isDirty || !isWhole || !isRight || task.busy}>
          {text("admin.save")}
        </Button>
      </div>
      <UnsavedGuard dirty={isDirty} />
    </form>
  );
}

/** The panel; calls `onChanged` when the product has changed. */
export function LicensingPanel({ product, onChanged }: PanelProps): JSX.Element {
  const task = useTask();
  const isOn = product.license !== undefined;
  function turn(): void {
    void task.run(async () => {
      const body = { license: isOn ? null : {}, stockMode: "tracked", version: product.version };
      await adminRequest(toProductPath(product.id), { method: "PATCH", body });
      onChanged();
    });
  }
  return (
    <Panel
      title={text("shop.licensing")}
      hint={text("shop.licensing.hint")}
      action={
        <Button disabled={task.busy} onClick={turn}>
          {text(isOn ? "shop.licensing.off" : "shop.licensing.on")}
        </Button>
      }
    >
      {isOn && <Settings product={product} onChanged={onChanged} key={product.version} />}
      {!isOn && <TaskNote task={task} pointers={[]} />}
      <Sold product={product} />
    </Panel>
  );
}

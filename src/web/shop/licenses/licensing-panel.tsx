/** Whether programs can activate the keys of a product, on what terms, and its licenses. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { productLicenseSchema } from "../../../shop/products/license-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
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
  },
  panels: [{ fields: ["keys", "pattern", ["maxDevices", "days", "offlineDays"]] }],
});

/** What is typed for a variant; "" is as the product, "0" no limit. */
interface Typed {
  readonly maxDevices: string;
  readonly days: string;
}

const WHOLE = /^\d{0,5}$/u;

function toTypedVariants({ variants }: ProductView): Readonly<Record<string, Typed>> {
  const toText = (value: number | null | undefined): string =>
    value === undefined ? "" : String(value ?? 0);
  return Object.fromEntries(
    variants.map(({ id, license }) => [
      id,
      { maxDevices: toText(license?.maxDevices), days: toText(license?.days) },
    ]),
  );
}

/** The license of a variant as it is sent; null: as the product. */
function toVariantLicense({ maxDevices, days }: Typed) {
  const toValue = (typed: string): number | null | undefined =>
    typed === "" ? undefined : Number(typed) || null;
  const license = { maxDevices: toValue(maxDevices), days: toValue(days) };
  return license.maxDevices === undefined && license.days === undefined ? null : license;
}

function Variants(props: {
  product: ProductView;
  typed: Readonly<Record<string, Typed>>;
  onChange: (id: string, typed: Typed) => void;
}): JSX.Element | null {
  const { product, typed, onChange } = props;
  if (product.variants.length === 0) return null;
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend>{text("shop.licensing.variants")}</legend>
      <p class="field-hint">{text("shop.licensing.variants.hint")}</p>
      {product.variants.map((variant) => {
        const own = typed[variant.id] ?? { maxDevices: "", days: "" };
        const field = (name: keyof Typed): JSX.Element => (
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
            {field("days")}
          </div>
        );
      })}
    </fieldset>
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
  }));
  const [typed, setTyped] = useState(stored);
  const task = useTask();
  const isDirty = !isSame(typed, stored);
  const isWhole = Object.values(typed.variants).every(
    ({ maxDevices, days }) => WHOLE.test(maxDevices) && WHOLE.test(days),
  );
  async function save(): Promise<void> {
    const parsed = readForm(form, typed.own, { context: undefined });
    if (!parsed.ok) return task.refuse(sayFaults(parsed.faults));
    const variants = product.variants.map(({ id, sku, options, price }) => {
      const license = toVariantLicense(typed.variants[id] ?? { maxDevices: "", days: "" });
      return { id, sku, options, price, license };
    });
    const body = {
      license: parsed.fields,
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
      <Variants
        product={product}
        typed={typed.variants}
        onChange={(id, own) => setTyped((now) => ({ ...now, variants: { ...now.variants, [id]: own } }))}
      />
      <div class="button-row">
        <Button type="submit" kind="primary" disabled={!isDirty || !isWhole || task.busy}>
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

/** @jsxImportSource hono/jsx */
/** The parts of the checkout that are filled in. */
import { Choice, Field } from "../../../html/form.tsx";
import type { InputField, ProductRecord } from "../../products/schema.ts";
import { AMOUNT_INPUT, giftInputs, listInputs } from "../../products/gift-inputs.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import { wordsOfProvider } from "../../site/site.ts";
import type { Visit } from "../visit.tsx";
import { EmailField } from "../pieces/email-field.tsx";
import { Options } from "../pieces/options.tsx";
import { AddressFields, CountryField } from "./address-fields.tsx";
import { type CheckoutView, isSentAny } from "./checkout-view.ts";
import { listCountries, listSentTo } from "../pieces/countries.ts";

type Part = { readonly view: CheckoutView };
type Html = ReturnType<typeof BuyerPart>;

/** The button that updates the prices; scripts press it by themselves. */
function Update({ view: { visit } }: Part) {
  return (
    <button class="button" type="submit" name="do" value="update" data-updater>
      {visit.t("checkout.update")}
    </button>
  );
}

/** The amounts of a gift card whose buyer chooses, in words. */
function toAmountHint({ giftCard, currency }: ProductRecord, { t, money }: Visit): string | undefined {
  if (giftCard?.openAmount === undefined) return undefined;
  const { minimum, maximum } = giftCard.openAmount;
  return t("giftCard.range", { minimum: money(minimum, currency), maximum: money(maximum, currency) });
}

function InputFieldOf({
  field,
  index,
  view,
  product,
}: Part & { readonly field: InputField; readonly index: number; readonly product: ProductRecord }) {
  const { state, visit } = view;
  const name = `items.${index}.inputs.${field.key}`;
  const { kind, options, required, key } = field;
  const isMessage = key === giftInputs.message;
  const label = visit.t.find(`checkout.inputs.${key}`) ?? field.label;
  const shown = required ? label : visit.t("address.optional", { label });
  if (kind === "select")
    return (
      <Choice
        name={name}
        label={shown}
        state={state}
        value=""
        options={[
          { value: "", label: visit.t("checkout.choose") },
          ...options.map((value) => ({ value, label: value })),
        ]}
      />
    );
  const type = kind === "email" ? "email" : "text";
  const hint = visit.t.find(`checkout.inputs.${key}.hint`);
  if (key === AMOUNT_INPUT)
    return (
      <div class="field-button">
        <Field name={name} label={label} state={state} hint={toAmountHint(product, visit)} required />
        <Update view={view} />
      </div>
    );
  return (
    <Field
      name={name}
      label={shown}
      state={state}
      type={key === giftInputs.day ? "date" : type}
      hint={hint}
      rows={isMessage ? 3 : undefined}
      required={required}
    />
  );
}

/** Contact information, and fields of the products. */
export function BuyerPart({ view }: Part) {
  const { visit, state, found } = view;
  const { t, sellersLanguage } = visit;
  return (
    <section class="stack" aria-labelledby="checkout-buyer">
      <h2 id="checkout-buyer">{t("checkout.contact")}</h2>
      <EmailField visit={visit} state={state} name="contact.email" hint={t("checkout.emailHint")} />
      {found.map((item, index) =>
        item === undefined || listInputs(item.product).length === 0 ? (
          <></>
        ) : (
          <fieldset class="stack">
            <legend>
              {t("checkout.inputsFor", { title: wordsIn(item.product, sellersLanguage).title })}
            </legend>
            {listInputs(item.product).map((field) => (
              <InputFieldOf field={field} index={index} view={view} product={item.product} />
            ))}
          </fieldset>
        ),
      )}
    </section>
  );
}

/** Fields of the checkout that concern the invoice alone. */
const billingFields: ReadonlySet<string> = new Set(["vatId", "buyerReference", "orderReference"]);

function isBilling(name: string): boolean {
  return billingFields.has(name) || name.startsWith("billingAddress");
}

/** What a company can have printed in its e-invoice. */
function References({ view: { visit, state } }: Part): Html {
  const { t, site } = visit;
  if (!site.invoices.enabled || site.invoices.eInvoices === "never") return <></>;
  return (
    <>
      <Field
        name="buyerReference"
        label={t("address.optional", { label: t("checkout.buyerReference") })}
        state={state}
        hint={t("checkout.buyerReferenceHint")}
      />
      <Field
        name="orderReference"
        label={t("address.optional", { label: t("checkout.orderReference") })}
        state={state}
      />
    </>
  );
}

function Billing({ view }: Part): Html {
  const { visit, state } = view;
  const { t, site, language } = visit;
  const isAsked = site.tax.enabled || site.invoices.enabled;
  if (!isAsked) return <></>;
  const names = Object.entries(state.values);
  const isTyped = names.some(([name, value]) => isBilling(name) && value.trim() !== "");
  const hasFault = state.faults.some(({ field = "" }) => isBilling(field));
  return (
    <details class="more" open={isTyped || hasFault}>
      <summary>{t("checkout.billing")}</summary>
      <div class="stack">
        <p class="small muted">{t("checkout.billingHint")}</p>
        {site.tax.enabled && !site.tax.smallBusiness ? (
          <Field
            name="vatId"
            label={t("checkout.vatId")}
            state={state}
            hint={t(site.tax.vatIds === "off" ? "checkout.vatIdHint" : "checkout.vatIdHintChecked")}
          />
        ) : (
          <></>
        )}
        <AddressFields name="billingAddress" state={state} t={t} />
        <CountryField
          name="billingAddress.country"
          label={t("checkout.country")}
          state={state}
          countries={listCountries(language)}
          value=""
          none={t("checkout.sameCountry")}
          autocomplete="billing country"
        />
        <References view={view} />
      </div>
    </details>
  );
}

/** Where it goes, and where the invoice goes. */
export function PlacePart({ view }: Part): Html {
  const { visit, state } = view;
  const { t, site, language } = visit;
  const isSent = isSentAny(view);
  const isTaxed = site.tax.enabled && !site.tax.smallBusiness;
  if (!isSent && !isTaxed && !site.invoices.enabled) return <></>;
  return (
    <section class="stack" aria-labelledby="checkout-place">
      <h2 id="checkout-place">{t(isSent ? "checkout.address" : "checkout.location")}</h2>
      {isSent || isTaxed ? (
        <div class="field-button">
          <CountryField
            name="country"
            label={t("checkout.country")}
            state={state}
            countries={isSent ? listSentTo(site, language) : listCountries(language)}
            value=""
            none={t("checkout.choose")}
            autocomplete={isSent ? "shipping country" : "country"}
          />
          <Update view={view} />
        </div>
      ) : (
        <></>
      )}
      {isSent ? <AddressFields name="shippingAddress" state={state} t={t} /> : <></>}
      <Billing view={view} />
    </section>
  );
}

export function ShippingPart({ view }: Part): Html {
  const { visit, state, preview } = view;
  const { t, money } = visit;
  const methods = preview?.shippingMethods ?? [];
  if (!isSentAny(view) || methods.length === 0) return <></>;
  const options = methods.map(({ id, title, description, deliveryTime, price }) => ({
    value: id,
    title,
    hint: [deliveryTime, description].filter((text) => text !== "").join(" · "),
    price: price === 0 ? t("sums.free") : money(price),
  }));
  return (
    <section class="stack" id="checkout-shipping">
      <Options
        name="shippingMethodId"
        label={t("checkout.shipping")}
        state={state}
        options={options}
        value={preview?.shippingMethodId}
        isPriced
      />
      {methods.length > 1 ? <Update view={view} /> : <></>}
    </section>
  );
}

export function PaymentPart({
  view,
}: {
  readonly view: Pick<CheckoutView, "visit" | "state" | "providers">;
}): Html {
  const { visit, state, providers } = view;
  const { t, language } = visit;
  if (providers.length === 0) return <p class="note">{t("error.checkout_closed")}</p>;
  const options = providers.map((provider) => {
    const { title, instructions } = wordsOfProvider(provider, language);
    return { value: provider.word, title, hint: instructions };
  });
  return (
    <section class="stack">
      <Options
        name="paymentMethod"
        label={t("checkout.payment")}
        state={state}
        options={options}
        value={state.values["paymentMethod"] ?? options[0]?.value}
      />
    </section>
  );
}

/** The buyer's note. */
export function NotePart({ view: { visit, state } }: Part): Html {
  const { t } = visit;
  const isTyped = (state.values["note"] ?? "") !== "";
  return (
    <details class="more" open={isTyped}>
      <summary>{t("checkout.noteTitle")}</summary>
      <Field name="note" label={t("checkout.note")} state={state} rows={3} />
    </details>
  );
}

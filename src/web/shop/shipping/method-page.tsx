/** One shipping method: where it sends, and what it costs. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text, withHint } from "../../app/texts.ts";
import { Button, Checkbox, Segments, TextField } from "../../ui/controls.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Crumbs, FieldGroup, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { SITE, type SiteView } from "../site/site-data.ts";
import { CountriesField } from "../ui/countries-field.tsx";
import { MoneyField } from "../ui/money-field.tsx";
import { TranslationsField } from "../ui/translations-field.tsx";
import { METHODS, type MethodForm, type MethodView, blankMethod, toEdited } from "./method-form.ts";
import { StepsField } from "./steps-field.tsx";

const LIST = "/admin/shipping";
const POINTERS = [
  "/title",
  "/description",
  "/deliveryTime",
  "/countries",
  "/excludedCountries",
  "/steps",
  "/limit",
  "/freeFrom",
  "/sortOrder",
  "/translations",
];

type Part = FormPart<MethodForm>;

function WordFields(props: Part): JSX.Element {
  return (
    <FieldGroup title={text("shop.ui.nameAndState")}>
      <TextField {...withHint("shop.shipping.title")} maxLength={120} {...bindText(props, "title")} />
      <TextField {...withHint("shop.shipping.time")} maxLength={120} {...bindText(props, "deliveryTime")} />
      <TextField
        label={text("shop.shipping.description")}
        long
        maxLength={1_000}
        {...bindText(props, "description")}
      />
      <div class="field-row">
        <TextField
          {...withHint("shop.shipping.order")}
          inputMode="numeric"
          {...bindText(props, "sortOrder")}
        />
      </div>
      <Checkbox label={text("shop.ui.enabled")} {...bindTick(props, "enabled")} />
    </FieldGroup>
  );
}

function PlaceFields({ form, errors, onChange }: Part): JSX.Element {
  return (
    <FieldGroup title={text("shop.shipping.where")}>
      <CountriesField
        {...withHint("shop.shipping.countries")}
        error={findError(errors, "/countries")}
        value={form.countries}
        onChange={(countries) => onChange({ countries })}
      />
      <CountriesField
        label={text("shop.shipping.excluded")}
        error={findError(errors, "/excludedCountries")}
        value={form.excludedCountries}
        onChange={(excludedCountries) => onChange({ excludedCountries })}
      />
    </FieldGroup>
  );
}

function PriceFields(props: Part & { currency: string }): JSX.Element {
  const { form, errors, onChange, currency } = props;
  const isWeight = form.by === "weight";
  return (
    <FieldGroup title={text("shop.shipping.prices")}>
      <Segments<MethodForm["by"]>
        label={text("shop.shipping.by")}
        value={form.by}
        choices={[
          { value: "value", label: text("shop.shipping.by.value") },
          { value: "weight", label: text("shop.shipping.by.weight") },
        ]}
        onChange={(by) => onChange({ by })}
      />
      <StepsField {...props} />
      <div class="field-row">
        <MoneyField
          {...withHint("shop.shipping.limit")}
          value={form.limit}
          currency={isWeight ? "kg" : currency}
          error={findError(errors, "/limit")}
          onInput={(limit) => onChange({ limit })}
        />
        <MoneyField
          {...withHint("shop.shipping.freeFrom")}
          value={form.freeFrom}
          currency={currency}
          error={findError(errors, "/freeFrom")}
          onInput={(freeFrom) => onChange({ freeFrom })}
        />
      </div>
    </FieldGroup>
  );
}

function MethodEditor({ stored, site }: { stored: MethodView; site: SiteView }): JSX.Element {
  const { currency, languages } = site;
  const [isDeleting, setDeleting] = useState(false);
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(currency), [currency]),
  );
  const { base, form, dirty, task } = editor;
  const part = { form, errors: task.errors, onChange: editor.change };
  const isNew = base.id === "";
  useEffect(() => {
    if (stored.id === "" && !isNew) navigate(`${LIST}/${base.id}`, { replace: true });
  }, [base.id]);
  const title = isNew ? text("shop.shipping.new") : base.title;
  return (
    <>
      <PageHead title={title}>
        {!isNew && (
          <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
            {text("admin.delete")}
          </Button>
        )}
      </PageHead>
      <EditorForm label={title} editor={editor} pointers={POINTERS}>
        <WordFields {...part} />
        <PriceFields {...part} currency={currency} />
        <PlaceFields {...part} />
        <FieldGroup title={text("shop.site.translations")} hint={text("shop.site.translations.hint")}>
          <TranslationsField
            languages={languages}
            words={[
              { name: "title", label: text("shop.shipping.title"), maxLength: 120 },
              { name: "deliveryTime", label: text("shop.shipping.time"), maxLength: 120 },
              { name: "description", label: text("shop.shipping.description"), long: true, maxLength: 1_000 },
            ]}
            own={{ title: form.title, deliveryTime: form.deliveryTime, description: form.description }}
            value={form.translations}
            errors={task.errors}
            onChange={(translations) => editor.change({ translations })}
          />
        </FieldGroup>
      </EditorForm>
      {isDeleting && (
        <DeleteDialog
          title={text("shop.shipping.delete")}
          path={`${METHODS}/${base.id}`}
          name={base.title}
          onDone={async () => navigate(LIST, { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text("shop.shipping.delete.text", { name: base.title })}
        </DeleteDialog>
      )}
    </>
  );
}

function StoredMethod({ id, site }: { id: string; site: SiteView }): JSX.Element {
  const loaded = usePolled<MethodView>(`${METHODS}/${id}`, 0);
  return <Loaded of={loaded}>{(data) => <MethodEditor stored={data} site={site} />}</Loaded>;
}

/** The section with a method in its address; "new" for one that is not there yet. */
export function MethodPage({ id }: { id: string }): JSX.Element {
  const { data, error, refresh } = usePolled<SiteView>(SITE, 0);
  return (
    <>
      <Crumbs to={LIST} label="shop.nav.shipping" />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data && id === "new" && <MethodEditor stored={{ id: "", ...blankMethod }} site={data} />}
      {data && id !== "new" && <StoredMethod id={id} site={data} />}
    </>
  );
}

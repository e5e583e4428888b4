/** VAT rates: those of the owner's own, and those that the shop comes with. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type TextName, currentLanguage, text } from "../../app/texts.ts";
import { Button, IconButton, SelectField, TextField } from "../../ui/controls.tsx";
import { Table } from "../../ui/controls-table.tsx";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { parseAmount } from "../../ui/forms/money.ts";
import { type RateView, SITE, type SiteView, sendSite } from "../site/site-data.ts";
import { listCountries, toCountryName } from "../ui/choices.ts";

const classes = ["standard", "reduced", "intermediate", "super_reduced"];
/** 100 %. */
const MOST = 10_000;

interface RateForm {
  readonly country: string;
  readonly taxClass: string;
  /** "19" or "5.5". */
  readonly percent: string;
}
interface RatesForm {
  readonly rates: readonly RateForm[];
}
interface Fields {
  readonly rates: readonly RateView[];
}

function toPercent(basisPoints: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 2 }).format(
    basisPoints / MOST,
  );
}

function parse({ rates }: RatesForm): ReturnType<Edited<SiteView, RatesForm, Fields>["parse"]> {
  const faults = new Map<string, TextName>();
  const parsed = rates.map(({ country, taxClass, percent }, index): RateView => {
    const basisPoints = parseAmount(percent.trim(), 2);
    if (basisPoints === undefined || basisPoints > MOST)
      faults.set(`/tax/rates/${index}/basisPoints`, "shop.shipping.fault.percent");
    const isTwice = rates.some(
      (other, at) => at < index && other.country === country && other.taxClass.trim() === taxClass.trim(),
    );
    if (isTwice) faults.set(`/tax/rates/${index}/taxClass`, "shop.shipping.fault.twice");
    return { country, taxClass: taxClass.trim(), basisPoints: basisPoints ?? 0 };
  });
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields: { rates: parsed } };
}

function toEdited(onSaved: () => void): Edited<SiteView, RatesForm, Fields> {
  return {
    pick: ({ tax }) => ({ rates: tax.rates }),
    toForm: ({ rates }) => ({
      rates: rates.map(({ basisPoints, ...rest }) => ({ ...rest, percent: String(basisPoints / 100) })),
    }),
    parse,
    send: (from, { rates }) => sendSite(from, { tax: { rates } }).finally(onSaved),
    reload: () => adminRequest<SiteView>(SITE),
  };
}

interface KnownRates {
  readonly asOf: string;
  readonly items: readonly RateView[];
}

/** The class in words; one of the owner's own is its word. */
function toClassName(taxClass: string): string {
  switch (taxClass) {
    case "standard":
    case "reduced":
    case "intermediate":
    case "super_reduced":
      return text(`shop.shipping.class.${taxClass}`);
    default:
      return taxClass;
  }
}

function KnownTable(): JSX.Element {
  const { data, error, refresh } = usePolled<KnownRates>("/api/admin/tax/rates", 0);
  if (error) return <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />;
  const countries = [...new Set(data?.items.map(({ country }) => country))];
  const cellOf = (country: string, taxClass: string): string => {
    const rate = data?.items.find((item) => item.country === country && item.taxClass === taxClass);
    return rate === undefined ? "–" : toPercent(rate.basisPoints);
  };
  return (
    <details class="admin-panel">
      <summary>{text("shop.shipping.known")}</summary>
      <p class="field-hint">{text("shop.shipping.known.hint", { date: data?.asOf ?? "" })}</p>
      <Table
        caption={text("shop.shipping.known")}
        columns={[
          { key: "country", label: text("shop.ui.country"), cell: toCountryName },
          ...classes.map((taxClass) => ({
            key: taxClass,
            label: toClassName(taxClass),
            number: true,
            cell: (country: string) => cellOf(country, taxClass),
          })),
        ]}
        rows={countries}
        keyOf={(country) => country}
      />
    </details>
  );
}

/** The tab. */
export function RatesTab({ stored, onSaved }: { stored: SiteView; onSaved: () => void }): JSX.Element {
  const editor = useEditor(
    stored,
    useMemo(() => toEdited(onSaved), []),
  );
  const { rates } = editor.form;
  const { errors } = editor.task;
  const change = (index: number, rate: Partial<RateForm>): void =>
    editor.change({ rates: rates.map((one, at) => (at === index ? { ...one, ...rate } : one)) });
  return (
    <div class="stack">
      <EditorForm label={text("shop.shipping.rates")} editor={editor} pointers={["/tax/rates"]}>
        <FieldGroup title={text("shop.shipping.rates")} hint={text("shop.shipping.rates.hint")}>
          <ol class="plain-list stack-small">
            {rates.map(({ country, taxClass, percent }, index) => (
              <li class="step-row" key={index}>
                <SelectField<string>
                  label={text("shop.ui.country")}
                  value={country}
                  choices={listCountries()}
                  onChange={(code) => change(index, { country: code })}
                />
                <SuggestField
                  label={text("shop.shipping.class")}
                  value={taxClass}
                  suggestions={classes}
                  error={findError(errors, `/tax/rates/${index}/taxClass`)}
                  onInput={(word) => change(index, { taxClass: word })}
                />
                <TextField
                  label={text("shop.shipping.percent")}
                  inputMode="decimal"
                  value={percent}
                  error={findError(errors, `/tax/rates/${index}/basisPoints`)}
                  onInput={(typed) => change(index, { percent: typed })}
                />
                <IconButton
                  icon="trash"
                  label={text("shop.shipping.rate.remove", { country: toCountryName(country) })}
                  onClick={() => editor.change({ rates: rates.filter((_one, at) => at !== index) })}
                />
              </li>
            ))}
          </ol>
          <div class="button-row">
            <Button
              small
              icon="plus"
              onClick={() =>
                editor.change({ rates: [...rates, { country: "DE", taxClass: "standard", percent: "" }] })
              }
            >
              {text("shop.shipping.rate.add")}
            </Button>
          </div>
        </FieldGroup>
      </EditorForm>
      <KnownTable />
    </div>
  );
}

/** VAT rates: those that the owner set, and those that the shop comes with. */
import type { JSX } from "preact";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { siteSettingsSchema } from "../../../shop/site/schema.ts";
import type { TaxRates } from "../../../shop/tax/answer-schema.ts";
import { type TextName, currentLanguage, text } from "../../app/texts.ts";
import { Table } from "../../ui/controls-table.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import { suggestKind } from "../../ui/resource/reference-kinds.tsx";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { percentKind } from "../../ui/resource/span-kinds.tsx";
import { SITE, type SiteTab } from "../site/site-data.ts";
import { listCountries, toCountryName } from "../ui/choices.ts";

const classes = ["standard", "reduced", "intermediate", "super_reduced"];
/** 100 %. */
const WHOLE = 10_000;

type Rate = AdminSite["tax"]["rates"][number];

function toPercent(basisPoints: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 2 }).format(
    basisPoints / WHOLE,
  );
}

/** A country has one rate of each class. */
function findTwice(rates: readonly Partial<Rate>[]): ReadonlyMap<string, TextName> {
  const faults = rates.flatMap(({ country, taxClass }, index) =>
    rates.some((other, at) => at < index && other.country === country && other.taxClass === taxClass)
      ? [[`/tax/rates/${index}/taxClass`, "shop.shipping.fault.twice"] as const]
      : [],
  );
  return new Map(faults);
}

export const ratesForm = makeForm({
  schema: siteSettingsSchema,
  words: "shop.shipping",
  only: "panels",
  panels: [
    {
      title: "shop.shipping.rates",
      hint: "shop.shipping.rates.hint",
      fields: [
        {
          name: "tax/rates",
          label: "shop.shipping.rate",
          kind: listKind(
            {},
            {
              members: {
                country: { kind: (json) => listedKind(listCountries)({ ...json, initial: "DE" }) },
                taxClass: { kind: (json) => suggestKind(() => classes)({ ...json, initial: "standard" }) },
                basisPoints: { kind: (json) => percentKind({ ...json, required: true }) },
              },
            },
          ),
        },
      ],
    },
  ],
  check: (fields) => {
    const rates: unknown = Reflect.get(fields, "tax/rates");
    // What was read has the form of the schema.
    return findTwice(Array.isArray(rates) ? (rates as Partial<Rate>[]) : []);
  },
});

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
  const { data, error, refresh } = usePolled<TaxRates>("/api/admin/tax/rates", 0);
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
export function RatesTab({ stored, onSaved }: SiteTab): JSX.Element {
  return (
    <div class="stack">
      <SettingsForm
        label={text("shop.shipping.rates")}
        write="shop-settings:write"
        stored={stored}
        of={{ path: SITE, form: ratesForm, context: undefined, onSaved }}
      />
      <KnownTable />
    </div>
  );
}

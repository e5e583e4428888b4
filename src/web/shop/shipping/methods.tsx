/** Shipping methods: where they send to, and what they cost. */
import { type ShippingMethod, shippingMethodSchema } from "../../../shop/site/selling-schema.ts";
import { type TextName, currentLanguage, text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import type { Kind } from "../../ui/resource/kind.ts";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { toCountryName } from "../ui/choices.ts";
import { moneyKind } from "../kinds/goods-kinds.tsx";
import { countriesKind } from "../kinds/country-kinds.tsx";
import { measureKind } from "../kinds/site-kinds.tsx";
import { translationsKind } from "../kinds/translations-kind.tsx";
import { showMoney } from "../ui/money.ts";
import { type SiteFacts, useSiteFacts } from "../ui/site-facts.ts";

/** As many countries as a row names. */
const NAMED = 4;

function toPlaces({ countries, excludedCountries }: ShippingMethod): string {
  if (countries.length === 0 && excludedCountries.length === 0) return text("shop.shipping.everywhere");
  const names = (codes: readonly string[]): string => {
    const shown = new Intl.ListFormat(currentLanguage()).format(codes.slice(0, NAMED).map(toCountryName));
    return codes.length > NAMED
      ? text("shop.shipping.more", { names: shown, count: codes.length - NAMED })
      : shown;
  };
  if (excludedCountries.length === 0) return names(countries);
  const but = names(excludedCountries);
  return countries.length === 0
    ? text("shop.shipping.everywhereBut", { but })
    : text("shop.shipping.placesBut", { names: names(countries), but });
}

function toPrices({ steps, freeFrom }: ShippingMethod, currency: string): string {
  const prices = steps.map(({ price }) => price);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const range =
    least === most
      ? showMoney(least, currency)
      : `${showMoney(least, currency)} – ${showMoney(most, currency)}`;
  return freeFrom === undefined
    ? range
    : text("shop.shipping.freeAbove", { range, value: showMoney(freeFrom, currency) });
}

function useColumns(): readonly TableColumn<ShippingMethod>[] {
  const facts = useSiteFacts();
  return [
    {
      key: "title",
      label: text("shop.shipping.title"),
      cell: ({ id, title, deliveryTime, enabled }) => (
        <>
          <a class="row-name" href={`/admin/shipping/${id}`}>
            {title}
          </a>
          {!enabled && <Badge kind="warn">{text("shop.ui.off")}</Badge>}
          {deliveryTime !== "" && (
            <>
              <br />
              <span class="field-hint">{deliveryTime}</span>
            </>
          )}
        </>
      ),
    },
    { key: "where", label: text("shop.shipping.where"), cell: (method) => toPlaces(method) },
    {
      key: "price",
      label: text("shop.shipping.prices"),
      cell: (method) => (facts === undefined ? "" : toPrices(method, facts.currency)),
    },
  ];
}

/** Where a step begins: its label says whether that is a weight or a value. */
function fromKind(json: FieldJson): Kind<SiteFacts> {
  const measure = measureKind(json);
  const { Field } = measure;
  return {
    ...measure,
    Field: (props) => {
      const by = (props.whole ?? props.form)["by"] === "weight" ? "weight" : "value";
      return <Field {...props} label={text(`shop.shipping.steps.from.${by}`)} />;
    },
  };
}

function checkSteps({ steps = [] }: Partial<Pick<ShippingMethod, "steps">>): ReadonlyMap<string, TextName> {
  const faults = new Map<string, TextName>();
  for (const [index, { from }] of steps.entries()) {
    const before = steps[index - 1]?.from;
    if (before === undefined && from !== 0) faults.set(`/steps/${index}/from`, "shop.shipping.fault.first");
    if (before !== undefined && from <= before)
      faults.set(`/steps/${index}/from`, "shop.shipping.fault.order");
  }
  return faults;
}

export const methods: Resource<ShippingMethod, typeof shippingMethodSchema, SiteFacts> = {
  api: "/api/admin/shipping-methods",
  home: "/admin/shipping",
  navigation: "shop.nav.shipping",
  texts: "shop.shipping",
  words: "shop.shipping",
  write: "shop-settings:write",
  schema: shippingMethodSchema,
  kinds: { money: moneyKind },
  fields: {
    id: false,
    title: { missing: "admin.fault.title" },
    enabled: { label: "shop.ui.enabled" },
    by: { json: { choices: ["value", "weight"] } },
    countries: { kind: countriesKind },
    excludedCountries: { kind: countriesKind },
    steps: {
      kind: listKind<SiteFacts>({ number: fromKind, money: moneyKind }),
      json: { initial: [{ from: 0, price: 0 }] },
    },
    limit: { kind: measureKind, json: { nullable: true }, fault: "shop.shipping.fault.from" },
    freeFrom: { json: { nullable: true }, fault: "shop.shipping.fault.from" },
    translations: {
      label: "shop.site.translations",
      kind: translationsKind<SiteFacts>({
        title: "shop.shipping.title",
        deliveryTime: "shop.shipping.deliveryTime",
        description: "shop.shipping.description",
      }),
    },
  },
  panels: [
    {
      title: "shop.ui.nameAndState",
      fields: ["title", "deliveryTime", "description", ["sortOrder"], "enabled"],
    },
    { title: "shop.shipping.prices", fields: ["by", "steps", ["limit", "freeFrom"]] },
    { title: "shop.shipping.where", fields: ["countries", "excludedCountries"] },
    { title: "shop.site.translations", hint: "shop.site.translations.hint", fields: ["translations"] },
  ],
  check: checkSteps,
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  useContext: useSiteFacts,
  creation: { icon: "plus", action: () => "admin.save" },
  table: { class: "settings-table", paging: "whole", icon: "send", columns: useColumns },
};

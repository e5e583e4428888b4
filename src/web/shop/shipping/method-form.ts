/** A shipping method as it is typed: weights in kilograms, prices in the currency of the shop. */
import type { TextName } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { parseAmount } from "../../ui/forms/money.ts";
import { type Edited, parseWhole } from "../../ui/forms/parsed.ts";
import { readMoney, typeMoney } from "../ui/money.ts";
import { type TypedTranslations, toTranslations } from "../../ui/forms/translations.ts";

export const METHODS = "/api/admin/shipping-methods";

export interface Step {
  readonly from: number;
  readonly price: number;
}

/** What is sent of a method. */
export interface MethodFields {
  readonly title: string;
  readonly description: string;
  readonly deliveryTime: string;
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly countries: readonly string[];
  readonly excludedCountries: readonly string[];
  readonly by: "weight" | "value";
  readonly steps: readonly Step[];
  readonly limit: number | null;
  readonly freeFrom: number | null;
  readonly enabled: boolean;
  readonly sortOrder: number;
}

/** A method as the administration's routes give it. */
export interface MethodView extends Omit<MethodFields, "limit" | "freeFrom"> {
  readonly id: string;
  readonly limit?: number;
  readonly freeFrom?: number;
}

export interface StepForm {
  readonly from: string;
  readonly price: string;
}

/** The same as it is typed. */
export interface MethodForm extends Pick<
  MethodFields,
  "title" | "description" | "deliveryTime" | "countries" | "excludedCountries" | "by" | "enabled"
> {
  readonly translations: TypedTranslations;
  readonly steps: readonly StepForm[];
  readonly limit: string;
  readonly freeFrom: string;
  readonly sortOrder: string;
}

/** What a new method begins with. */
export const blankMethod: Omit<MethodView, "id"> = {
  title: "",
  description: "",
  deliveryTime: "",
  translations: {},
  countries: [],
  excludedCountries: [],
  by: "value",
  steps: [{ from: 0, price: 0 }],
  enabled: true,
  sortOrder: 0,
};

/** Grams of a weight in kilograms. */
const KILO_DIGITS = 3;

function typeKilograms(grams: number): string {
  return String(grams / 1_000);
}

function typeMeasure(by: MethodFields["by"], measure: number, currency: string): string {
  return by === "weight" ? typeKilograms(measure) : typeMoney(measure, currency);
}

function readMeasure(by: MethodFields["by"], typed: string, currency: string): number | undefined {
  return by === "weight" ? parseAmount(typed.trim(), KILO_DIGITS) : readMoney(typed, currency);
}

function toForm(fields: MethodFields, currency: string): MethodForm {
  const { by, steps, limit, freeFrom, sortOrder } = fields;
  return {
    ...fields,
    steps: steps.map(({ from, price }) => ({
      from: typeMeasure(by, from, currency),
      price: typeMoney(price, currency),
    })),
    limit: limit === null ? "" : typeMeasure(by, limit, currency),
    freeFrom: freeFrom === null ? "" : typeMoney(freeFrom, currency),
    sortOrder: String(sortOrder),
  };
}

/** What is wrong with steps, and the steps. */
function parseSteps({ by, steps }: MethodForm, currency: string, faults: Map<string, TextName>): Step[] {
  const parsed = steps.map(({ from, price }, index): Step => {
    const at = readMeasure(by, from, currency);
    const cost = readMoney(price, currency);
    if (at === undefined) faults.set(`/steps/${index}/from`, "shop.shipping.fault.from");
    if (cost === undefined) faults.set(`/steps/${index}/price`, "admin.fault.price");
    return { from: at ?? 0, price: cost ?? 0 };
  });
  parsed.forEach(({ from }, index) => {
    const before = parsed[index - 1]?.from;
    const isGood = before === undefined ? from === 0 : from > before;
    if (!isGood && !faults.has(`/steps/${index}/from`))
      faults.set(
        `/steps/${index}/from`,
        before === undefined ? "shop.shipping.fault.first" : "shop.shipping.fault.order",
      );
  });
  return parsed;
}

function parse(
  form: MethodForm,
  currency: string,
): ReturnType<Edited<MethodView, MethodForm, MethodFields>["parse"]> {
  const faults = new Map<string, TextName>();
  const steps = parseSteps(form, currency, faults);
  const optional = (
    name: "limit" | "freeFrom",
    read: (typed: string) => number | undefined,
  ): number | null => {
    if (form[name].trim() === "") return null;
    const value = read(form[name]);
    if (value === undefined) faults.set(`/${name}`, "shop.shipping.fault.from");
    return value ?? null;
  };
  const limit = optional("limit", (typed) => readMeasure(form.by, typed, currency));
  const freeFrom = optional("freeFrom", (typed) => readMoney(typed, currency));
  const sortOrder = parseWhole(form.sortOrder, { min: 0, max: 1_000_000 });
  if (sortOrder === undefined) faults.set("/sortOrder", "admin.fault.number");
  if (form.title.trim() === "") faults.set("/title", "admin.fault.title");
  if (faults.size > 0) return { ok: false, faults };
  const { title, description, deliveryTime, countries, excludedCountries, by, enabled } = form;
  return {
    ok: true,
    fields: {
      title: title.trim(),
      description,
      deliveryTime: deliveryTime.trim(),
      countries,
      excludedCountries,
      by,
      enabled,
      steps,
      limit,
      freeFrom,
      sortOrder: sortOrder ?? 0,
      translations: toTranslations(form.translations),
    },
  };
}

function pick(view: MethodView): MethodFields {
  const { id: _id, limit = null, freeFrom = null, ...rest } = view;
  return { ...rest, limit, freeFrom };
}

/** How a method is edited; one without an id is made. */
export function toEdited(currency: string): Edited<MethodView, MethodForm, MethodFields> {
  return {
    pick,
    toForm: (fields) => toForm(fields, currency),
    parse: (form) => parse(form, currency),
    send: async (from, fields) => {
      if (from.id !== "") {
        // What another changed in the meantime stays, unless it is changed here, too.
        const before = new Map<string, unknown>(Object.entries(pick(from)));
        const changed = Object.entries(fields).filter(([name, value]) => !isSame(value, before.get(name)));
        const body = Object.fromEntries(changed);
        return adminRequest<MethodView>(`${METHODS}/${from.id}`, { method: "PATCH", body });
      }
      const { limit, freeFrom, ...rest } = fields;
      const body = { ...rest, ...(limit !== null && { limit }), ...(freeFrom !== null && { freeFrom }) };
      return adminRequest<MethodView>(METHODS, { method: "POST", body });
    },
    reload: ({ id }) => adminRequest<MethodView>(`${METHODS}/${id}`),
  };
}

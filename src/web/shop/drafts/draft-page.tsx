/** One draft order: its form, what it costs, and what becomes of it. */
import type { JSX } from "preact";
import { draftChangeSchema } from "../../../shop/draft-orders/schema.ts";
import type { FieldsJson } from "../../../kit/fields/field-json.ts";
import { toLanguageName } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { makeForm, nestFields, readForm } from "../../ui/resource/form.ts";
import type { Form, Typed } from "../../ui/resource/kind.ts";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import type { ItemTools, Resource } from "../../ui/resource/resource.ts";
import { NewResourcePage, ResourcePage } from "../../ui/resource/resource-page.tsx";
import { listCountriesOrNone } from "../ui/choices.ts";
import { useSiteFacts } from "../ui/site-facts.ts";
import { DraftActions } from "./draft-actions.tsx";
import { DRAFTS, type DraftContext, type DraftView, nameItem, useProductTitles } from "./draft-data.ts";
import { addressKind, buyerKind, discountKind, shippingKind, toPicked } from "./draft-kinds.tsx";
import { DraftMark } from "./draft-mark.tsx";
import { DraftPrices } from "./draft-prices.tsx";
import { itemsKind } from "./items-kind.tsx";

const { email: _email, userId: _userId, ...changed } = toFields(draftChangeSchema);
const schema: FieldsJson = {
  // The address and the account go together.
  buyer: { kind: "group", flat: true, fields: { email: { kind: "text" }, userId: { kind: "text" } } },
  ...changed,
};

/** The request for the prices of what is typed; undefined while something in it cannot be read. */
function toBody(form: Readonly<Record<string, Typed>>, context: DraftContext): object | undefined {
  const read = readForm(makeForm(drafts), form, { context });
  if (!read.ok) return undefined;
  const given = Object.entries(read.fields).filter(([, value]) => value !== null && value !== "");
  return nestFields(Object.fromEntries(given));
}

function Prices({ form, context }: { form: Form; context: DraftContext }): JSX.Element {
  return <DraftPrices body={toBody(form, context)} />;
}

/** What is known of a draft beside its form. */
function Before({ view }: ItemTools<DraftView>): JSX.Element | null {
  const { state, orderId, orderNumber = "" } = view;
  if (state !== "ordered" || orderId === undefined) return null;
  return (
    <p class="admin-note">
      {text("shop.drafts.placed")} <a href={`/admin/orders/${orderId}`}>{orderNumber}</a>
    </p>
  );
}

function useDraft(view?: DraftView): DraftContext | undefined {
  const facts = useSiteFacts();
  const found = useProductTitles(view);
  if (facts === undefined || found === undefined) return undefined;
  const titles: Record<string, string> = { ...found };
  for (const { id, title, options } of view?.quoted?.lines ?? []) titles[id] = nameItem(title, options);
  const { currency, languages } = facts;
  return { currency: view?.quoted?.currency ?? currency, languages, titles };
}

export const drafts: Resource<DraftView, FieldsJson, DraftContext> = {
  api: DRAFTS,
  home: "/admin/drafts",
  navigation: "shop.nav.drafts",
  texts: "shop.drafts",
  words: "shop.drafts.field",
  write: "orders:write",
  schema,
  fields: {
    buyer: {
      kind: buyerKind,
      label: "shop.order.email",
      sets: toPicked,
    },
    items: { kind: itemsKind },
    shippingAddress: { kind: addressKind, label: "shop.order.edit.shipping" },
    billingAddress: { kind: addressKind, label: "shop.order.edit.hasBilling" },
    country: { kind: listedKind(listCountriesOrNone), label: "shop.ui.country" },
    vatId: { label: "shop.ui.vatId" },
    language: {
      label: "shop.order.language",
      kind: listedKind(({ context }) => [
        { value: "", label: text("admin.value.none") },
        ...context.languages.map((value) => ({ value, label: toLanguageName(value) })),
      ]),
    },
    discount: { kind: discountKind },
    shipping: { kind: shippingKind(toBody), label: "shop.order.sum.shipping" },
    note: { json: { long: true } },
    staffNote: { json: { long: true } },
  },
  panels: [
    { title: "shop.ui.buyer", fields: ["buyer", "shippingAddress", "billingAddress"] },
    { title: "shop.drafts.field.items", fields: ["items"] },
    {
      title: "shop.ui.total",
      fields: ["discount", "couponCode", "shipping"],
      Below: Prices,
    },
    { title: "shop.drafts.notes", fields: ["note", "staffNote"] },
    {
      title: "shop.drafts.more",
      folded: true,
      fields: [["country", "language"], ["vatId", "buyerReference"], ["orderReference"]],
    },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ number }) => number,
  useContext: useDraft,
  Mark: DraftMark,
  Before,
  Actions: DraftActions,
  table: {},
};

/** The section with a draft in its address, or a new one. */
export function DraftPage({ id }: { id: string }): JSX.Element {
  return id === "new" ? <NewResourcePage of={drafts} /> : <ResourcePage of={drafts} id={id} key={id} />;
}

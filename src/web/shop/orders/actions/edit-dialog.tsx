/** Corrects the contact, the addresses and the note of an order; another's edit in the meantime is compared with one's own. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EditPreviewView } from "../../../../shop/order-edits/answer-schema.ts";
import { orderEditMoveSchema } from "../../../../shop/order-edits/schema.ts";
import { ApiError } from "../../../app/api.ts";
import { toLanguageName } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { ConflictDialog } from "../../../ui/console/conflict-dialog.tsx";
import { FieldWordsContext } from "../../../ui/console/field-words.ts";
import { EditorDialog, FormDialog } from "../../../ui/console/form-dialog.tsx";
import { useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { useEditor } from "../../../ui/console/use-editor.ts";
import { Facts } from "../../../ui/facts.tsx";
import { isSame, mergeVersions } from "../../../ui/forms/conflict.ts";
import type { FieldsJson } from "../../../../kit/fields/field-json.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { FormFields, toFormWords } from "../../../ui/resource/fields.tsx";
import {
  findMember,
  makeForm,
  nestFields,
  pickFields,
  readForm,
  toTyped,
} from "../../../ui/resource/form.ts";
import type { FieldRule, Form } from "../../../ui/resource/kind.ts";
import { listedKind } from "../../../ui/resource/set-kinds.tsx";
import { listCountries } from "../../ui/choices.ts";
import { type OrderPart, type OrderView, orderPath, sendMove } from "../../ui/orders/order-data.ts";
import { showMoney } from "../../ui/money.ts";
import { EditAmounts } from "./edit-amounts.tsx";
import { useSiteFacts } from "../../ui/site-facts.ts";

type Fields = Readonly<Record<string, unknown>>;
type AddressName = "shippingAddress" | "billingAddress";

interface Context {
  readonly languages: readonly string[];
}

const parts = ["name", "company", "line1", "line2", "postalCode", "city", "region", "phone"] as const;
type Part = (typeof parts)[number];
const needed: ReadonlySet<Part> = new Set(["name", "line1", "city"]);

/** The fields of an address. */
function toRules(name: AddressName, when: (form: Form) => boolean = () => true) {
  const rules = parts.map((part): [string, FieldRule<Context>] => {
    const isNeeded = needed.has(part);
    const json = { required: isNeeded, min: isNeeded ? 1 : 0 };
    return [`${name}/${part}`, { label: `shop.order.edit.${part}`, when, json }];
  });
  const country = { label: "shop.ui.country", when, kind: listedKind<Context>(listCountries) } as const;
  return { ...Object.fromEntries(rules), [`${name}/country`]: country };
}

function toRows(name: AddressName) {
  const at = (part: Part | "country"): string => `${name}/${part}`;
  return [
    [at("name"), at("company")],
    [at("line1"), at("line2")],
    [at("postalCode"), at("city")],
    [at("region"), at("country")],
    at("phone"),
  ];
}

/** The form; without the shipping address once that cannot change. */
function createForm(isAddressOpen: boolean) {
  return makeForm<FieldsJson, Context>({
    schema: { ...toFields(orderEditMoveSchema), hasBilling: { kind: "switch" } },
    words: "shop.order",
    only: "panels",
    fields: {
      language: {
        kind: listedKind(({ context }) =>
          context.languages.map((value) => ({ value, label: toLanguageName(value) })),
        ),
      },
      buyersNote: { label: "shop.order.edit.buyersNote" },
      hasBilling: { label: "shop.order.edit.hasBilling" },
      vatId: { label: "shop.ui.vatId" },
      note: { label: "shop.order.noteForBuyer" },
      mail: { label: "shop.order.edit.mail" },
      renewToken: { label: "shop.order.edit.renewToken" },
      ...toRules("shippingAddress"),
      ...toRules("billingAddress", (form) => form["hasBilling"] === true),
    },
    panels: [
      { fields: [["email", "language"], "buyersNote"] },
      ...(isAddressOpen
        ? [{ title: "shop.order.edit.shipping", fields: toRows("shippingAddress") } as const]
        : []),
      { title: "shop.order.edit.billing", fields: ["hasBilling", ...toRows("billingAddress"), "vatId"] },
      { fields: ["note", "mail", "renewToken"] },
    ],
  });
}

export const editForms = { open: createForm(true), shut: createForm(false) };

/** An address with every part of the form: what is empty in both is no change. */
function toWhole(address: OrderView["shippingAddress"]): object | undefined {
  const { company = "", line2 = "", postalCode = "", region = "", phone = "" } = address ?? {};
  return address && { ...address, company, line2, postalCode, region, phone };
}

function toStored(order: OrderView): object {
  const { contact, language, note: buyersNote, shippingAddress, billingAddress, vatId = "" } = order;
  const hasBilling = billingAddress !== undefined;
  const { email } = contact;
  return {
    email,
    language,
    buyersNote,
    shippingAddress: toWhole(shippingAddress),
    billingAddress: toWhole(billingAddress ?? shippingAddress),
    hasBilling,
    vatId,
    note: "",
    mail: true,
    renewToken: false,
  };
}

/** The body of a request; the billing address goes with its tick. */
function toBody({ hasBilling, ...fields }: Fields): Fields {
  const { billingAddress, ...nested } = nestFields(fields);
  return { ...nested, billingAddress: hasBilling === true ? billingAddress : null };
}

/** What the tax depends on. */
function toPlace(body: Fields): string {
  const countryOf = (name: AddressName): unknown => findMember(body[name], "country");
  const code = findMember(body["shippingAddress"], "postalCode");
  return JSON.stringify([countryOf("shippingAddress"), countryOf("billingAddress"), code, body["vatId"]]);
}

/** The amounts of an edit that changes what the tax depends on; undefined where they stay. */
async function previewTax(order: OrderView, body: Fields): Promise<EditPreviewView | undefined> {
  if (
    order.tax === undefined ||
    toPlace(toBody(pickFields(editForms.open, toStored(order)))) === toPlace(body)
  )
    return undefined;
  const { note: _note, mail: _mail, renewToken: _renew, ...wanted } = body;
  const path = orderPath(order.id, "/edit-preview");
  const shown = await adminRequest<EditPreviewView>(path, { method: "POST", body: wanted });
  return isSame(shown.tax, order.tax) && shown.difference === 0 ? undefined : shown;
}

/** An edit that waits for a yes. */
interface Asked {
  readonly shown: EditPreviewView;
  readonly answer: (isWanted: boolean) => void;
}

function TaxDialog({ order, asked: { shown, answer } }: { order: OrderView; asked: Asked }): JSX.Element {
  const task = useTask();
  const rates = (shown.tax?.rates ?? []).map(({ rate, country, tax }): readonly [string, string] => [
    `${country} ${rate / 100}%`,
    showMoney(tax, shown.currency),
  ]);
  return (
    <FormDialog
      title={text("shop.order.retax.title")}
      action={text("shop.order.retax.save")}
      task={task}
      pointers={[]}
      onSubmit={() => answer(true)}
      onClose={() => answer(false)}
    >
      <div class="stack">
        <p>{text("shop.order.retax.text")}</p>
        <Facts facts={rates} />
        <EditAmounts order={order} shown={shown} />
      </div>
    </FormDialog>
  );
}

/** Nothing of it was sent yet. */
function isAddressOpen({ shippingAddress, shipment, status, lines }: OrderView): boolean {
  const isOpen = status === "pending_payment" || status === "paid" || status === "fulfilling";
  const isSent = lines.some((line) => line.deliveryType === "shipping" && line.deliveredAt !== undefined);
  return isOpen && shippingAddress !== undefined && shipment === undefined && !isSent;
}

/** The dialog. */
export function EditDialog({ order, onChange, onClose }: OrderPart & { onClose: () => void }): JSX.Element {
  const context = { languages: useSiteFacts()?.languages ?? [order.language] };
  const form = isAddressOpen(order) ? editForms.open : editForms.shut;
  const [asked, setAsked] = useState<Asked | undefined>();
  const editor = useEditor<OrderView, Form, Fields>(order, {
    pick: (stored) => pickFields(form, toStored(stored)),
    toForm: (fields) => toTyped(form, fields, context),
    parse: (typed, before) => readForm(form, typed, { context, before }),
    send: async (from, fields) => {
      const body = toBody(fields);
      const shown = await previewTax(from, body);
      if (shown !== undefined) {
        const isWanted = await new Promise<boolean>((answer) => setAsked({ shown, answer }));
        setAsked(undefined);
        if (!isWanted) throw new ApiError(text("shop.order.retax.kept"), { status: 409, code: "shop_kept" });
      }
      const edit = shown === undefined ? body : { ...body, expectedTotal: shown.total };
      const done = await sendMove<OrderView>(from, "edit", edit);
      await onChange();
      onClose();
      return done;
    },
    reload: ({ id }) => adminRequest<OrderView>(orderPath(id)),
  });
  const { task, conflict, dirty } = editor;
  return (
    <FieldWordsContext.Provider value={toFormWords(form, editor.form, context)}>
      <EditorDialog
        title={text("shop.order.edit.title", { number: order.number })}
        task={task}
        pointers={form.pointers}
        dirty={dirty}
        onSave={editor.save}
        onClose={onClose}
      >
        <FormFields
          form={form}
          context={context}
          part={{ form: editor.form, errors: task.errors, onChange: editor.change }}
        />
      </EditorDialog>
      {asked && <TaxDialog order={order} asked={asked} />}
      {conflict && (
        <ConflictDialog
          versions={conflict}
          busy={task.busy}
          onResolve={(keepMine) => void editor.resolve(mergeVersions(conflict, keepMine))}
          onClose={editor.giveUp}
        />
      )}
    </FieldWordsContext.Provider>
  );
}

/** Kinds of fields of a draft: its buyer, an address, the discount, and the shipping. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { OrderSearchPage } from "../../../shop/orders/answer-schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { useFound } from "../../ui/console/found.ts";
import { Button, Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { type Kind, type Typed, isTypedGroup, memberText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { listCountries } from "../ui/choices.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, showMoney, typeMoney } from "../ui/money.ts";
import { ORDERS } from "../ui/orders/order-data.ts";
import { type DraftContext, usePrices } from "./draft-data.ts";

type Order = OrderSearchPage["items"][number];

const parts = ["name", "company", "line1", "line2", "postalCode", "city", "region", "phone"] as const;
const needed: ReadonlySet<string> = new Set(["name", "line1", "city"]);

/** A member of a typed group with another value. */
function withMember(value: Typed, name: string, member: Typed): Typed {
  return { ...(isTypedGroup(value) ? value : {}), [name]: member };
}

function isOn(value: Typed): boolean {
  return isTypedGroup(value) && value["on"] === true;
}

/** An address as a form has it. */
export function toTypedAddress(address: unknown): Typed {
  const empty = Object.fromEntries([...parts, "country"].map((part) => [part, ""]));
  const isSet = typeof address === "object" && address !== null;
  return { ...empty, ...(isSet ? address : {}), on: isSet };
}

/** Two parts of an address in a row. */
function AddressRow(props: {
  names: readonly (typeof parts)[number][];
  value: Typed;
  errorAt: (pointer: string) => string | undefined;
  onChange: (value: Typed) => void;
}): JSX.Element {
  const { names, value, errorAt, onChange } = props;
  return (
    <div class="field-row">
      {names.map((name) => (
        <TextField
          key={name}
          label={text(`shop.order.edit.${name}`)}
          error={errorAt(`/${name}`)}
          required={needed.has(name) ? true : undefined}
          autoComplete="off"
          value={memberText(value, name)}
          onInput={(typed) => onChange(withMember(value, name, typed))}
        />
      ))}
    </div>
  );
}

/** An address, or none. */
export function addressKind(): Kind<DraftContext> {
  return {
    blank: toTypedAddress(undefined),
    toTyped: (value) => toTypedAddress(value),
    read: (typed) => {
      if (!isOn(typed)) return { value: null };
      const faults = new Map<string, TextName>();
      for (const name of [...needed, "country"])
        if (memberText(typed, name).trim() === "") faults.set(`/${name}`, "admin.fault.missing");
      if (faults.size > 0) return { faults };
      const all = [...parts, "country"].map((name) => [name, memberText(typed, name).trim()] as const);
      return { value: Object.fromEntries(all.filter(([, member]) => member !== "")) };
    },
    Field: ({ label, value, errorAt, onChange }) => {
      const row = { value, errorAt, onChange };
      return (
        <div class="stack-small">
          <Checkbox
            label={label}
            checked={isOn(value)}
            onChange={(on) => onChange(withMember(value, "on", on))}
          />
          {isOn(value) && (
            <>
              <AddressRow names={["name", "company"]} {...row} />
              <AddressRow names={["line1", "line2"]} {...row} />
              <AddressRow names={["postalCode", "city"]} {...row} />
              <div class="field-row">
                <SelectField<string>
                  label={text("shop.ui.country")}
                  error={errorAt("/country")}
                  value={memberText(value, "country")}
                  choices={[{ value: "", label: "–" }, ...listCountries()]}
                  onChange={(country) => onChange(withMember(value, "country", country))}
                />
                <TextField
                  label={text("shop.order.edit.phone")}
                  value={memberText(value, "phone")}
                  autoComplete="off"
                  onInput={(typed) => onChange(withMember(value, "phone", typed))}
                />
              </div>
            </>
          )}
        </div>
      );
    },
    say: (value) =>
      typeof value === "object" && value !== null ? Object.values(value).join(", ") : sayPlain(value),
  };
}

/** The buyers of earlier orders, each once. */
function listBuyers(orders: readonly Order[]): readonly Order[] {
  return orders.filter(
    ({ contact }, index) => orders.findIndex((one) => one.contact.email === contact.email) === index,
  );
}

function Buyers({ typed, onPick }: { typed: string; onPick: (order: Order) => void }): JSX.Element | null {
  const { items } = useFound<Order>(`${ORDERS}/search`, { typed, limit: 12 });
  if (items === undefined || items.length === 0) return null;
  return (
    <div role="status">
      <ul class="plain-list picker-found">
        {listBuyers(items)
          .slice(0, 5)
          .map((order) => (
            <li key={order.id}>
              <Button icon="plus" onClick={() => onPick(order)}>
                {order.shippingAddress?.name ?? order.billingAddress?.name ?? order.contact.email}
                <span class="field-hint">
                  {[order.contact.email, order.shippingAddress?.city].filter(Boolean).join(" · ")}
                </span>
              </Button>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** The form's addresses of a buyer who was picked. */
export function toPicked(value: Typed): Record<string, Typed> {
  const picked = isTypedGroup(value) ? value["picked"] : undefined;
  return isTypedGroup(picked) ? { ...picked } : {};
}

function BuyerField({
  label,
  hint,
  error,
  value,
  onChange,
}: Parameters<Kind<DraftContext>["Field"]>[0]): JSX.Element {
  const [search, setSearch] = useState("");
  const pick = ({ contact, userId = "", shippingAddress, billingAddress }: Order): void => {
    setSearch("");
    const picked = {
      shippingAddress: toTypedAddress(shippingAddress),
      billingAddress: toTypedAddress(billingAddress),
    };
    onChange({ email: contact.email, userId, picked });
  };
  return (
    <div class="stack-small">
      <TextField
        label={text("shop.drafts.findBuyer")}
        hint={text("shop.drafts.findBuyer.hint")}
        value={search}
        autoComplete="off"
        onInput={setSearch}
      />
      <Buyers typed={search} onPick={pick} />
      <TextField
        label={label}
        hint={hint}
        error={error}
        type="email"
        autoComplete="off"
        value={memberText(value, "email")}
        onInput={(email) => onChange({ email, userId: "" })}
      />
    </div>
  );
}

/** The email address with the account; a buyer of an earlier order brings the addresses. */
export function buyerKind(): Kind<DraftContext> {
  return {
    blank: { email: "", userId: "" },
    toTyped: (value) => {
      const { email = "", userId = "" } = (value ?? {}) as { email?: string | null; userId?: string | null };
      return { email: email ?? "", userId: userId ?? "" };
    },
    read: (typed) => {
      const [email, userId] = [memberText(typed, "email").trim(), memberText(typed, "userId")];
      return { value: { email: email === "" ? null : email, userId: userId === "" ? null : userId } };
    },
    Field: BuyerField,
    say: (value) => sayPlain(value),
  };
}

const discounts = ["none", "percent", "fixed"] as const;

/** "12.5" percent as hundredths. */
function readPercent(typed: string): number | undefined {
  const value = Number(typed.trim().replace(",", "."));
  const hundredths = Math.round(value * 100);
  return typed.trim() !== "" && hundredths >= 1 && hundredths <= 10_000 ? hundredths : undefined;
}

/** A discount of staff, with its reason. */
export function discountKind(): Kind<DraftContext> {
  const readValue = (typed: Typed, currency: string): number | undefined => {
    const value = memberText(typed, "value");
    return memberText(typed, "kind") === "percent" ? readPercent(value) : readMoney(value, currency);
  };
  return {
    blank: { kind: "none", value: "", reason: "" },
    toTyped: (value, { context }) => {
      if (typeof value !== "object" || value === null) return { kind: "none", value: "", reason: "" };
      const { kind, value: amount, reason } = value as { kind: string; value: number; reason: string };
      return {
        kind,
        value: kind === "percent" ? String(amount / 100) : typeMoney(amount, context.currency),
        reason,
      };
    },
    read: (typed, { context }) => {
      const kind = memberText(typed, "kind");
      if (kind === "none") return { value: null };
      const [value, reason] = [readValue(typed, context.currency) ?? 0, memberText(typed, "reason").trim()];
      const faults = new Map<string, TextName>();
      if (value < 1)
        faults.set("/value", kind === "percent" ? "shop.drafts.fault.percent" : "shop.ui.fault.money");
      if (reason === "") faults.set("/reason", "admin.fault.missing");
      return faults.size > 0 ? { faults } : { value: { kind, value, reason } };
    },
    Field: ({ label, value, errorAt, onChange, context: { currency } }) => {
      const kind = memberText(value, "kind");
      return (
        <div class="stack-small">
          <SelectField<string>
            label={label}
            value={kind}
            choices={discounts.map((one) => ({ value: one, label: text(`shop.drafts.discount.${one}`) }))}
            onChange={(next) => onChange(withMember(value, "kind", next))}
          />
          {kind !== "none" && (
            <div class="field-row">
              <MoneyField
                label={text("shop.drafts.discount.value")}
                error={errorAt("/value")}
                currency={kind === "percent" ? "%" : currency}
                value={memberText(value, "value")}
                onInput={(typed) => onChange(withMember(value, "value", typed))}
              />
              <TextField
                label={text("shop.drafts.discount.reason")}
                hint={text("shop.drafts.discount.reason.hint")}
                error={errorAt("/reason")}
                value={memberText(value, "reason")}
                onInput={(typed) => onChange(withMember(value, "reason", typed))}
              />
            </div>
          )}
        </div>
      );
    },
    say: (value, { context }) => {
      if (typeof value !== "object" || value === null) return sayPlain(value);
      const { kind, value: amount } = value as { kind: string; value: number };
      return kind === "percent" ? `${amount / 100}%` : showMoney(amount, context.currency);
    },
  };
}

/** The shipping: a method of the shop, and a fee in place of its price. `toBody` reads the form for the methods. */
export function shippingKind(
  toBody: (form: Readonly<Record<string, Typed>>, context: DraftContext) => object | undefined,
) {
  return (): Kind<DraftContext> => ({
    blank: { methodId: "", title: "", fee: "" },
    toTyped: (value, { context }) => {
      const {
        methodId = "",
        title = "",
        fee,
      } = (value ?? {}) as { methodId?: string; title?: string; fee?: number };
      return { methodId, title, fee: typeMoney(fee, context.currency) };
    },
    read: (typed, { context }) => {
      const [methodId, title] = [memberText(typed, "methodId"), memberText(typed, "title").trim()];
      const money = memberText(typed, "fee").trim();
      const fee = money === "" ? undefined : readMoney(money, context.currency);
      if (money !== "" && fee === undefined) return { faults: new Map([["/fee", "shop.ui.fault.money"]]) };
      if (methodId === "" && fee === undefined) return { value: null };
      return {
        value: {
          ...(methodId !== "" && { methodId }),
          ...(methodId === "" && title !== "" && { title }),
          ...(fee !== undefined && { fee }),
        },
      };
    },
    Field: ({ label, value, errorAt, onChange, context, form, whole }) => {
      const { shown } = usePrices(toBody(whole ?? form, context));
      const chosen = memberText(value, "methodId");
      const methods = shown?.shippingMethods ?? [];
      const known = methods.some(({ id }) => id === chosen) || chosen === "";
      return (
        <div class="field-row">
          <SelectField<string>
            label={label}
            value={chosen}
            choices={[
              { value: "", label: text("shop.drafts.shipping.any") },
              ...methods.map(({ id, title, price }) => ({
                value: id,
                label: `${title}: ${showMoney(price, context.currency)}`,
              })),
              ...(known ? [] : [{ value: chosen, label: chosen }]),
            ]}
            onChange={(methodId) => onChange(withMember(value, "methodId", methodId))}
          />
          <MoneyField
            label={text("shop.drafts.fee")}
            hint={text("shop.drafts.fee.hint")}
            error={errorAt("/fee")}
            currency={context.currency}
            value={memberText(value, "fee")}
            onInput={(fee) => onChange(withMember(value, "fee", fee))}
          />
          {chosen === "" && memberText(value, "fee") !== "" && (
            <TextField
              label={text("shop.drafts.feeTitle")}
              value={memberText(value, "title")}
              onInput={(title) => onChange(withMember(value, "title", title))}
            />
          )}
        </div>
      );
    },
    say: (value) => sayPlain(value),
  });
}

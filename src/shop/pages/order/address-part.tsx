/** @jsxImportSource hono/jsx */
/** The form on an order's page that corrects its shipping address before it ships. */
import { Form } from "../../../html/form.tsx";
import { type FormState, stateOf } from "../../../html/faults.ts";
import { isAddressOpen } from "../../order-edits/rules.ts";
import type { Address, OrderRecord } from "../../orders/schema.ts";
import { AddressFields } from "../checkout/address-fields.tsx";
import { addressParts } from "../checkout/sent-checkout.ts";
import { nameCountry } from "../pieces/countries.ts";
import type { Visit } from "../visit.tsx";

export const ADDRESS_ACTION = "/address";

function toValues(address: Address): Record<string, string> {
  const values = addressParts.map((part): [string, string] => [
    `shippingAddress.${part}`,
    address[part] ?? "",
  ]);
  return { ...Object.fromEntries(values), country: address.country };
}

interface AddressPartProps {
  readonly visit: Visit;
  readonly state: FormState;
  readonly order: OrderRecord;
}

/** Nothing once it is shipped. */
export function AddressPart({ visit, state, order }: AddressPartProps) {
  const { t, formToken, language } = visit;
  const { shippingAddress: address, number } = order;
  if (address === undefined || !isAddressOpen(order)) return <></>;
  const own = stateOf(state, ADDRESS_ACTION);
  const isSent = own.action !== undefined;
  const values = { ...toValues(address), ...own.values };
  return (
    <details class="more no-print" open={isSent}>
      <summary>{t("order.changeAddress")}</summary>
      <Form action={`/orders/${number}${ADDRESS_ACTION}`} token={formToken}>
        <AddressFields name="shippingAddress" state={{ ...own, values }} t={t} />
        <p class="muted">{t("order.sameCountry", { country: nameCountry(address.country, language) })}</p>
        <button class="button" type="submit">
          {t("order.saveAddress")}
        </button>
      </Form>
    </details>
  );
}

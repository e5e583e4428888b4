/** With whom a parcel goes, and where it is followed. */
import type { JSX } from "preact";
import type { z } from "zod";
import { shipmentSchema } from "../../../../shop/orders/schema.ts";
import { text, withHint } from "../../../app/texts.ts";
import { TextField } from "../../../ui/controls.tsx";
import { SuggestField } from "../../../ui/console/field-kinds.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import type { FieldErrors } from "../../../ui/forms/field-errors.ts";

export type ShipmentForm = Readonly<z.output<typeof shipmentSchema>>;

const bounds = toFields(shipmentSchema);

/** Carriers whose parcels the shop knows how to follow. */
const carriers = [
  "DHL",
  "DHL Express",
  "Deutsche Post",
  "DPD",
  "GLS",
  "Hermes",
  "UPS",
  "FedEx",
  "USPS",
  "Royal Mail",
  "La Poste",
  "Colissimo",
  "Post",
  "SF",
  "顺丰",
];

/** Where the fields' faults are. */
export const shipmentPointers = ["/shipment/carrier", "/shipment/trackingNumber", "/shipment/trackingUrl"];

/** The fields. */
export function ShipmentFields(props: {
  form: ShipmentForm;
  errors: FieldErrors;
  onChange: (form: ShipmentForm) => void;
}): JSX.Element {
  const { form, errors, onChange } = props;
  return (
    <>
      <div class="field-row">
        <SuggestField
          label={text("shop.order.carrier")}
          error={errors.get("/shipment/carrier")}
          suggestions={carriers}
          maxLength={bounds["carrier"]?.max}
          value={form.carrier}
          onInput={(carrier) => onChange({ ...form, carrier })}
        />
        <TextField
          label={text("shop.order.trackingNumber")}
          error={errors.get("/shipment/trackingNumber")}
          maxLength={bounds["trackingNumber"]?.max}
          value={form.trackingNumber}
          onInput={(trackingNumber) => onChange({ ...form, trackingNumber })}
        />
      </div>
      <TextField
        {...withHint("shop.order.trackingUrl")}
        error={errors.get("/shipment/trackingUrl")}
        type="url"
        maxLength={bounds["trackingUrl"]?.max}
        value={form.trackingUrl}
        onInput={(trackingUrl) => onChange({ ...form, trackingUrl })}
      />
    </>
  );
}

/** With whom a parcel goes and where it is followed, in forms about an order. */
import { suggestKind } from "../../../ui/resource/reference-kinds.tsx";

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

/** The fields of a shipment, for schemas with a member of that name. */
export const shipmentRules = {
  "shipment/carrier": { label: "shop.order.carrier", kind: suggestKind<unknown>(() => carriers) },
  "shipment/trackingNumber": { label: "shop.order.trackingNumber" },
  "shipment/trackingUrl": { label: "shop.order.trackingUrl" },
} as const;

export const shipmentRows = [
  ["shipment/carrier", "shipment/trackingNumber"],
  "shipment/trackingUrl",
] as const;

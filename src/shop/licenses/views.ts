/** Licenses as administrators and exports of personal data show them. */
import { toStableNumber } from "../../kit/secrets/stable-number.ts";
import { toLicenseStatus } from "../licence-keys/license-schema.ts";
import { toMasked } from "../licence-keys/masked.ts";
import { type LicenseView, deviceView, licenseView } from "./answer-schema.ts";
import { type ShownLicense, nameProduct } from "./find-license.ts";

export function toLicenseView(shown: ShownLicense, nowMs: number): LicenseView {
  const { license, order, value, devices } = shown;
  const { title, variant } = nameProduct(shown);
  return {
    ...licenseView.show(license),
    status: toLicenseStatus(license, nowMs),
    key: toMasked(value),
    productTitle: title,
    variantTitle: variant,
    productNumber: toStableNumber(license.productId),
    variantNumber: toStableNumber(license.stockId),
    orderNumber: order?.number,
    email: order?.email ?? license.holderEmail,
    devices: devices.map(deviceView.show),
  };
}

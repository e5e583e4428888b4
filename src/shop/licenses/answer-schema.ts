/** Responses about licenses for administrators. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { deviceRecordSchema, licenseRecordSchema, licenseStatuses } from "../licence-keys/license-schema.ts";

export const deviceView = viewOf(
  deviceRecordSchema,
  ["id", "name", "fingerprint"],
  ["createdAt", "lastSeenAt"],
);

export const licenseView = viewOf(
  licenseRecordSchema,
  [
    ...(["id", "version", "number", "productId", "stockId", "orderId", "lineId"] as const),
    ...(["holderName", "holderEmail", "maxDevices", "used", "offlineDays", "disabledReason"] as const),
  ],
  ["expiresAt", "disabledAt", "createdAt", "updatedAt"],
);

export const licenseSchema = z
  .object({
    ...licenseView.shape,
    number: z.int().openapi({ description: "license_key.id of programs" }),
    stockId: z.string().openapi({ description: "ID of the variant, or of the product without variants" }),
    maxDevices: z.int().optional().openapi({ description: "Absent: no limit" }),
    used: z.int().openapi({ description: "Active devices" }),
    status: z.enum(licenseStatuses),
    key: z.string().openapi({ description: "The end of the key" }),
    productTitle: z.string(),
    variantTitle: z.string(),
    productNumber: z.int().openapi({ description: "meta.product_id of programs" }),
    variantNumber: z.int().openapi({ description: "meta.variant_id of programs" }),
    orderNumber: z.string().optional(),
    email: z.string().optional().openapi({ description: "Of the order, or of the holder" }),
    devices: z.array(z.object(deviceView.shape)).openapi({ description: "Active devices, oldest first" }),
  })
  .openapi("License");
export type LicenseView = z.infer<typeof licenseSchema>;
export const licensePageSchema = pageSchema(licenseSchema).openapi("LicensePage");
export type LicensePage = z.infer<typeof licensePageSchema>;

export const licenseSigningKeySchema = z
  .object({
    id: z.string().openapi({ description: "The kid header of license files" }),
    x: z.string().openapi({ description: "The Ed25519 public key, 32 bytes in base64url" }),
    createdAt: isoTimeSchema,
    retiredAt: isoTimeSchema.optional().openapi({ description: "When it stopped signing" }),
    filesUntil: isoTimeSchema.optional().openapi({
      description:
        "When the last file of a key that no longer signs has expired. Until then the key is published",
    }),
  })
  .openapi("LicenseSigningKey");
export const licenseSigningKeysSchema = z
  .object({ items: z.array(licenseSigningKeySchema) })
  .openapi("LicenseSigningKeys");
export type LicenseSigningKeyView = z.infer<typeof licenseSigningKeySchema>;
export type LicenseSigningKeysView = z.infer<typeof licenseSigningKeysSchema>;

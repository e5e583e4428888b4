/** Changes of a license by an administrator. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { MAX_DEVICES } from "../products/license-schema.ts";

export const licenseChangeSchema = z.strictObject({
  maxDevices: z.int().min(1).max(MAX_DEVICES).nullable().optional(),
  expiresAt: isoTimeMs.nullable().optional(),
  disabled: z.boolean().optional(),
  holderName: trimmedLine(200).nullable().optional(),
  holderEmail: trimmedLine(254).nullable().optional(),
});

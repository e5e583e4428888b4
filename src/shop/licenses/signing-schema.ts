/** Keys that license files are signed with. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

export const licenseSigningKeyRecordSchema = z.object({
  /** The `kid` of files. */
  id: z.string(),
  version: z.number().int(),
  /** The public key, 32 bytes in base64url. */
  x: z.string(),
  sealedPrivateJwk: z.string(),
  createdAt: timeMs,
  /** Signs no more since then; files that it signed stay valid. */
  retiredAt: timeMs.optional(),
  /** All files that it signed have expired by then; absent for keys of earlier releases, and before the first file. */
  filesUntil: timeMs.optional(),
});
export type LicenseSigningKeyRecord = z.infer<typeof licenseSigningKeyRecordSchema>;

/** Keys that sign JWTs, as they are stored. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** A key that signs JWTs; the private half is sealed. */
export const signingKeyRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  publicJwk: z.record(z.string(), z.string()),
  sealedPrivateJwk: z.string(),
  createdAt: timeMs,
  /** Until then it is published only; absent: it signed from the beginning. */
  signsFrom: timeMs.optional(),
  /** From then on it signs no more. */
  retiresAt: timeMs,
  /** After this time the key is no longer published. */
  expiresAt: timeMs,
});
export type SigningKeyRecord = z.infer<typeof signingKeyRecordSchema>;

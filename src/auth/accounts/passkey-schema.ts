/** How a passkey looks in the store (Web Authentication Level 3 section 4, "credential record"). */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

export const passkeyRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  credentialId: z.string(),
  /** The public key as COSE has it, in base64url. */
  publicKey: z.string(),
  /** The authenticator's own count of signatures; 0 where it keeps none. */
  counter: z.number().int().min(0),
  transports: z.array(z.string()),
  label: z.string(),
  /** The model of the authenticator, as it says itself. */
  aaguid: z.string(),
  /** It may be copied to other devices of its owner (backup eligibility), and has been (backup state). */
  backupEligible: z.boolean(),
  backedUp: z.boolean(),
  /** The host that it was made for. */
  rpId: z.string(),
  createdAt: timeMs,
  lastUsedAt: timeMs.optional(),
});

export type PasskeyRecord = z.infer<typeof passkeyRecordSchema>;

/** How what people allowed applications, and devices that wait for that, look in the store. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { amrSchema } from "../base/amr.ts";

/** The consent of a user to an application; the ID is "<userId>:<clientId>". */
export const consentRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  clientId: z.string(),
  /** All that was allowed so far. */
  scopes: z.array(z.string()),
  /** Resources, and scopes at them as "<resource> <scope>". */
  access: z.array(z.string()).default([]),
  firstAt: timeMs,
  /** When it was allowed last. */
  allowedAt: timeMs,
});
export type ConsentRecord = z.infer<typeof consentRecordSchema>;

/** A device that waits for a person to type its code elsewhere (RFC 8628); the id is the SHA-256 of the device code. */
export const deviceRequestRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Keyed hash of what the person types: too short for a plain hash, which could be reversed. */
  userCodeMac: z.string(),
  clientId: z.string(),
  scope: z.string(),
  /** Resources. */
  audience: z.array(z.string()).default([]),
  /** Where it asked from. */
  ipPrefix: z.string(),
  userAgent: z.string(),
  createdAt: timeMs,
  /** How long the device has to wait between two questions, and when it asked last. */
  intervalMs: z.number().int(),
  polledAt: timeMs.optional(),
  /** From this time on the codes are invalid; the device gets the error until `expiresAt`. */
  endsAt: timeMs,
  expiresAt: timeMs,
  status: z.enum(["waiting", "allowed", "denied"]),
  /** The user, how and when they authenticated, and the state of their sessions then. */
  userId: z.string().optional(),
  proof: z
    .object({
      amr: z.array(amrSchema),
      aal: z.number().int(),
      authenticatedAt: timeMs,
      tokenEpoch: z.number().int(),
      at: timeMs,
    })
    .optional(),
});
export type DeviceRequestRecord = z.infer<typeof deviceRequestRecordSchema>;

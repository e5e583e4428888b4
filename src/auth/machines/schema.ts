/** How tokens of machines look in the store: applications that administer in their own name (RFC 6749 section 4.4). */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** The id is the SHA-256 of the token. */
export const machineTokenRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  clientId: z.string(),
  /** Administrative scopes. */
  scopes: z.array(z.string()),
  createdAt: timeMs,
  expiresAt: timeMs,
});

/** An assertion that an application has shown (RFC 7523 section 3); the id is the SHA-256 of its application and `jti`. */
export const usedAssertionRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  expiresAt: timeMs,
});

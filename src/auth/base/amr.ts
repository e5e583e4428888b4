/** The means of a sign-in. */
import { z } from "zod";

/**
 * How the user signed in (RFC 8176 names): password, one-time password, multiple factors, email code, another
 * provider; a passkey as a key in hardware or in software, with user presence.
 */
export const amrSchema = z.enum([
  "pwd",
  "otp",
  "mfa",
  "email",
  "recovery",
  "impersonation",
  "hwk",
  "swk",
  "user",
  "fed",
]);
export type Amr = z.infer<typeof amrSchema>;

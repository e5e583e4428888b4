/** A further address of an account, as administrators add it. */
import { z } from "zod";
import { emailPurposeSchema, emailSchema } from "../accounts/schema.ts";

export const newEmailSchema = z.strictObject({
  address: emailSchema,
  purposes: z.array(emailPurposeSchema).max(3).default(["login", "recovery"]),
  verified: z
    .boolean()
    .default(false)
    .describe(
      "Send true only if you have confirmed that the email address belongs to the user; otherwise the user verifies it",
    ),
});

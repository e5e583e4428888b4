/** What the console learns about the signed-in administrator. */
import { z } from "zod";
import { consoleAddressSchema } from "../../kit/outbound/consoles.ts";
import { shownScopesSchema } from "../../records/rights/view-schema.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

export const consoleSessionSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("signed_out") }),
  z.object({
    status: z.literal("refused"),
    name: z.string().describe("The username"),
    reason: z
      .enum(["role", "second_factor", "second_factor_missing"])
      .describe(
        "Why the user is not an administrator: no administrator rights, a sign-in without the second factor, or a missing second factor that is required",
      ),
  }),
  z.object({
    status: z.literal("signed_in"),
    name: z.string().describe('A username, or "" with the administrator token'),
    passwordSet: z.boolean().describe("Whether the user can reauthenticate with a password"),
    hasSecondFactor: z.boolean(),
    isFresh: z.boolean().describe("Whether actions that require a recent sign-in are allowed now"),
    expiresAt: isoTimeSchema,
    scopes: shownScopesSchema,
    consoles: z.array(consoleAddressSchema).describe("All consoles of this install, including this one"),
  }),
]);
export type ConsoleSessionView = z.infer<typeof consoleSessionSchema>;

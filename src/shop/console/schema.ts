/** What the console learns about the signed-in administrator. */
import { z } from "zod";
import { consoleAddressSchema } from "../../kit/outbound/consoles.ts";
import { shownScopesSchema } from "../../records/rights/view-schema.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

export const consoleSessionSchema = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("signed_out"),
    signIn: z
      .enum(["ready", "unknown", "away"])
      .describe(
        "Whether sign-in with an account at /sign-in is available. It is not if no auth center is connected or it does not respond",
      ),
  }),
  z.object({
    status: z.literal("refused"),
    name: z.string().describe("The username"),
    reason: z
      .enum(["role", "second_factor_missing"])
      .describe(
        "Why the user is not an administrator: no administrator rights, or a sign-in without the second factor",
      ),
    accountUrl: z.string().optional().describe("URL of the account center for browsers"),
  }),
  z.object({
    status: z.literal("signed_in"),
    name: z.string().describe('A username, or "" with the administrator token'),
    expiresAt: isoTimeSchema.optional().describe("Expiry of a session started with the administrator token"),
    demoPayment: z.boolean().describe("Whether demo payments are enabled"),
    scopes: shownScopesSchema,
    consoles: z.array(consoleAddressSchema).describe("All consoles of this install, including this one"),
  }),
]);
export type ConsoleSessionView = z.infer<typeof consoleSessionSchema>;

/** What the console is told of who is there. */
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
        "Whether people sign in with an account at /sign-in: not where no auth center knows the shop, nor while it does not answer",
      ),
  }),
  z.object({
    status: z.literal("refused"),
    name: z.string().describe("The username"),
    reason: z
      .enum(["role", "second_factor_missing"])
      .describe("No administrator; or one who signed in without the second factor"),
    accountUrl: z.string().optional().describe("The account center, as a browser reaches it"),
  }),
  z.object({
    status: z.literal("signed_in"),
    name: z.string().describe('A username, or "" with the administrator token'),
    expiresAt: isoTimeSchema.optional().describe("When a session that began with the token ends"),
    demoPayment: z.boolean().describe("Whether the demo payment is on, with which nobody pays anything"),
    scopes: shownScopesSchema,
    consoles: z.array(consoleAddressSchema).describe("All consoles of this install, including this one"),
  }),
]);
export type ConsoleSessionView = z.infer<typeof consoleSessionSchema>;

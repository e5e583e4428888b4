/** What the console is told of who is there. */
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
        "No administrator; or one who signed in without the second factor, or has none though it is wanted",
      ),
  }),
  z.object({
    status: z.literal("signed_in"),
    name: z.string().describe('A username, or "" with the administrator token'),
    passwordSet: z.boolean().describe("Whether the person can prove who they are with a password"),
    hasSecondFactor: z.boolean(),
    isFresh: z.boolean().describe("Whether what wants a fresh proof is open now"),
    expiresAt: isoTimeSchema,
    scopes: shownScopesSchema,
    consoles: z.array(consoleAddressSchema).describe("Of this install; this one among them"),
  }),
]);
export type ConsoleSessionView = z.infer<typeof consoleSessionSchema>;

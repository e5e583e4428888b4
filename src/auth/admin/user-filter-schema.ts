/** Which accounts a list shows, and in which order. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { roleSchema, userStatusSchema } from "../accounts/schema.ts";
import { groupIdSchema } from "../base/ledger-schema.ts";
import { MAX_SEARCH } from "./schema.ts";

export const userSorts = ["newest", "oldest", "username", "lastSignIn"] as const;

const yesOrNo = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional();

/** Ends of spans are exclusive. */
export const userFilterSchema = z.object({
  status: userStatusSchema.optional(),
  role: roleSchema.optional(),
  group: groupIdSchema.optional().describe("ID of a group. Only its members are listed"),
  q: z.string().max(MAX_SEARCH).optional().describe("Text in the username or email address"),
  emailVerified: yesOrNo,
  secondFactor: yesOrNo.describe("Whether the account has an authenticator app or a passkey"),
  createdFrom: isoTimeMs.optional(),
  createdTo: isoTimeMs.optional(),
  signedInFrom: isoTimeMs.optional().describe("Earliest time of the last sign-in"),
  signedInTo: isoTimeMs.optional(),
  neverSignedIn: yesOrNo,
  sort: z
    .enum(userSorts)
    .optional()
    .describe("Sort order. lastSignIn lists the latest first and omits accounts that never signed in"),
});

/** What an application would learn of the administrator who asks. */
import { z } from "zod";

export const trialClaimsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.record(z.string(), z.string())]),
);
export type TrialClaims = z.infer<typeof trialClaimsSchema>;

export const trialFieldsSchema = z.object({
  username: z.string(),
  refusal: z
    .enum(["switched off", "group", "network", "two-factor", "phishing-resistant", "fresh sign-in"])
    .optional()
    .describe("What keeps the person out or has to be proved first; the rest is missing then"),
  idToken: trialClaimsSchema.optional().describe("Claims of the ID token, without its times"),
  userinfo: trialClaimsSchema.optional().describe("What /oauth/userinfo answers"),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe("What a proxy passes on, but for the signed X-Auth-Assertion"),
  assertion: trialClaimsSchema.optional().describe("Claims of X-Auth-Assertion, without its times"),
});
export type TrialView = z.infer<typeof trialFieldsSchema>;

/** Claims that an application would get about the calling administrator. */
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
    .describe(
      "Why the user cannot sign in, or what the user must prove first. The other members are absent then",
    ),
  idToken: trialClaimsSchema.optional().describe("Claims of the ID token, without iat, exp and auth_time"),
  userinfo: trialClaimsSchema.optional().describe("Response of /oauth/userinfo"),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe("Headers that a proxy forwards, except the signed X-Auth-Assertion"),
  assertion: trialClaimsSchema.optional().describe("Claims of X-Auth-Assertion, without iat and exp"),
});
export type TrialView = z.infer<typeof trialFieldsSchema>;

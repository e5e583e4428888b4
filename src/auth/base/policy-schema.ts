/** The access policy of an application, and what the whole site and its groups add to it. */
import { z } from "zod";
import { networkSchema } from "../../kit/outbound/networks.ts";

/** How well a sign-in proves who someone is, the weakest first. */
export const assuranceSchema = z.enum(["any", "two-factor", "phishing-resistant"]);
export type Assurance = z.infer<typeof assuranceSchema>;

const MAX_DAYS = 365;
const MAX_NETWORKS = 50;
/** The longest life of an access token, in minutes: a stolen one works for as long. */
export const MAX_ACCESS_MINUTES = 60;
/** The life of an access token, in minutes, unless a policy says otherwise. */
export const ACCESS_MINUTES = 15;

/** Each with the value that applies where nobody sets one. */
const sitePolicyShape = {
  minimumAssurance: assuranceSchema
    .default("any")
    .describe("What a sign-in must prove: two factors, or a passkey (phishing-resistant)"),
  maxSignInAgeMinutes: z
    .int()
    .min(0)
    .max(MAX_DAYS * 1_440)
    .default(0)
    .describe("How long ago the person may have signed in; 0: any time"),
  networks: z
    .array(networkSchema)
    .max(MAX_NETWORKS)
    .default([])
    .describe("Addresses and CIDR ranges that people may come from; empty: anywhere"),
  twoFactorOutsideNetworks: z
    .boolean()
    .default(false)
    .describe("People from other networks are not turned away, but need two factors"),
  accessTokenMinutes: z
    .int()
    .min(1)
    .max(MAX_ACCESS_MINUTES)
    .default(ACCESS_MINUTES)
    .describe("Life of an access token"),
  refreshTokenDays: z
    .int()
    .min(0)
    .max(MAX_DAYS)
    .default(0)
    .describe("Days after which an unused refresh token expires; 0: 14, with offline_access 30"),
  sessionDays: z
    .int()
    .min(0)
    .max(MAX_DAYS)
    .default(0)
    .describe(
      "Days after which the person signs in to the application again; 0: 30, with offline_access never",
    ),
  offlineAccess: z
    .boolean()
    .default(true)
    .describe("Whether offline_access is granted: a refresh token that outlives the browser's session"),
};

/** What holds for every application that does not say otherwise. */
export const sitePolicySchema = z.strictObject(sitePolicyShape);
export type SitePolicy = z.infer<typeof sitePolicySchema>;

/** What an application says; for members that are left out, the site's policy applies. */
export const policySchema = z.strictObject({
  minimumAssurance: sitePolicyShape.minimumAssurance.unwrap().optional(),
  maxSignInAgeMinutes: sitePolicyShape.maxSignInAgeMinutes.unwrap().optional(),
  networks: sitePolicyShape.networks.unwrap().optional(),
  twoFactorOutsideNetworks: sitePolicyShape.twoFactorOutsideNetworks.unwrap().optional(),
  accessTokenMinutes: sitePolicyShape.accessTokenMinutes.unwrap().optional(),
  refreshTokenDays: sitePolicyShape.refreshTokenDays.unwrap().optional(),
  sessionDays: sitePolicyShape.sessionDays.unwrap().optional(),
  offlineAccess: sitePolicyShape.offlineAccess.unwrap().optional(),
});
export type Policy = z.infer<typeof policySchema>;

/** A change of it: what is left out stays, and null gives a member back to the site's policy. */
export const policyChangeSchema = z.strictObject({
  minimumAssurance: policySchema.shape.minimumAssurance.nullable(),
  maxSignInAgeMinutes: policySchema.shape.maxSignInAgeMinutes.nullable(),
  networks: policySchema.shape.networks.nullable(),
  twoFactorOutsideNetworks: policySchema.shape.twoFactorOutsideNetworks.nullable(),
  accessTokenMinutes: policySchema.shape.accessTokenMinutes.nullable(),
  refreshTokenDays: policySchema.shape.refreshTokenDays.nullable(),
  sessionDays: policySchema.shape.sessionDays.nullable(),
  offlineAccess: policySchema.shape.offlineAccess.nullable(),
});
export type PolicyChange = z.infer<typeof policyChangeSchema>;

/**
 * What the settings and the groups demand, kept in the record that every check of a session reads anyway: a check
 * reads nothing more, whatever is demanded.
 */
export const accessRulesSchema = z.object({
  policy: sitePolicySchema.optional(),
  /** What each group demands of its members, where it demands anything. */
  groups: z.record(z.string(), assuranceSchema).optional(),
  /** Groups that give their members claims. */
  claimGroups: z.array(z.string()).optional(),
});
export type AccessRules = z.infer<typeof accessRulesSchema>;

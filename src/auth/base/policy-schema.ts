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

/** Each with its default. */
const sitePolicyShape = {
  minimumAssurance: assuranceSchema
    .default("any")
    .describe("Required authentication strength: two factors, or a passkey (phishing-resistant)"),
  maxSignInAgeMinutes: z
    .int()
    .min(0)
    .max(MAX_DAYS * 1_440)
    .default(0)
    .describe("Maximum age of the sign-in in seconds; 0: no limit"),
  networks: z
    .array(networkSchema)
    .max(MAX_NETWORKS)
    .default([])
    .describe("Allowed IP addresses and CIDR ranges; empty: any"),
  twoFactorOutsideNetworks: z
    .boolean()
    .default(false)
    .describe("Whether users from other networks may sign in with two factors instead of being denied"),
  accessTokenMinutes: z
    .int()
    .min(1)
    .max(MAX_ACCESS_MINUTES)
    .default(ACCESS_MINUTES)
    .describe("Lifetime of access tokens in seconds"),
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
      "Days after which the user must sign in to the application again. 0: 30, or 365 with offline_access",
    ),
  offlineAccess: z
    .boolean()
    .default(true)
    .describe(
      "Whether the scope offline_access is granted: a refresh token that outlives the browser session",
    ),
};

/** The default policy of applications. */
export const sitePolicySchema = z.strictObject(sitePolicyShape);
export type SitePolicy = z.infer<typeof sitePolicySchema>;

/** An application's policy; the site's applies to omitted members. */
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
 * Requirements of the settings and the groups, in the record that every check of a session reads anyway, so that they
 * need no further reads.
 */
export const accessRulesSchema = z.object({
  policy: sitePolicySchema.optional(),
  /** The requirements of each group that has any. */
  groups: z.record(z.string(), assuranceSchema).optional(),
  /** Groups that give their members claims. */
  claimGroups: z.array(z.string()).optional(),
});
export type AccessRules = z.infer<typeof accessRulesSchema>;

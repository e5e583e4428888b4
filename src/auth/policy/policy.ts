/** Which policy applies to an application. */
import {
  type AccessRules,
  type Policy,
  type PolicyChange,
  type SitePolicy,
  policySchema,
  sitePolicySchema,
} from "../base/policy-schema.ts";

const defaults = sitePolicySchema.parse({});

/** An application, as far as its policy goes. */
export interface Governed {
  readonly policy?: Policy | undefined;
}

/** Its own members, and the site's where it has none. */
export function toPolicy({ policy: own }: Governed, { policy: site = defaults }: AccessRules): SitePolicy {
  if (own === undefined) return site;
  return {
    minimumAssurance: own.minimumAssurance ?? site.minimumAssurance,
    maxSignInAgeMinutes: own.maxSignInAgeMinutes ?? site.maxSignInAgeMinutes,
    networks: own.networks ?? site.networks,
    twoFactorOutsideNetworks: own.twoFactorOutsideNetworks ?? site.twoFactorOutsideNetworks,
    accessTokenMinutes: own.accessTokenMinutes ?? site.accessTokenMinutes,
    refreshTokenDays: own.refreshTokenDays ?? site.refreshTokenDays,
    sessionDays: own.sessionDays ?? site.sessionDays,
    offlineAccess: own.offlineAccess ?? site.offlineAccess,
  };
}

/** How old a sign-in may be there, in seconds; 0: as old as it likes. */
export function toMaxAgeSeconds(client: Governed, rules: AccessRules): number {
  return toPolicy(client, rules).maxSignInAgeMinutes * 60;
}

/** A policy after a change; undefined where nothing is left of it. */
export function changePolicy(before: Policy | undefined, change: PolicyChange): Policy | undefined {
  const kept = Object.entries({ ...before, ...change }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return kept.length === 0 ? undefined : policySchema.parse(Object.fromEntries(kept));
}

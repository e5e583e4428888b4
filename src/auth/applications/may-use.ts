/** Who may use an application, and with which authentication. No I/O: the same answer at every entrance. */
import { findOwn } from "../../kit/find-own.ts";
import { isInNetworks } from "../../kit/outbound/networks.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { type SignInProof, findStrongest, reaches, toAssurance } from "../policy/assurance.ts";
import { toPolicy } from "../policy/policy.ts";
import type { AccessRules, Assurance, SitePolicy } from "../base/policy-schema.ts";
import type { ClientRecord } from "./schema.ts";

const MINUTE_MS = 60_000;

/**
 * Whether the account may use the application: one with groups is for their members only, and a disabled one for no
 * account.
 */
export function mayUse(
  { enabled, allowedGroups }: Pick<ClientRecord, "enabled" | "allowedGroups">,
  { groups = [] }: Pick<UserRecord, "groups">,
): boolean {
  return enabled && (allowedGroups.length === 0 || allowedGroups.some((group) => groups.includes(group)));
}

/** Why a user may not use an application; "group" also when it is disabled. */
export type MissingStep = "group" | "network" | OwnStep;
/** Steps that the person can take at once. */
export type OwnStep = "two-factor" | "phishing-resistant" | "fresh sign-in";

/** Whether the person can take the step. */
export function isOwnStep(step: MissingStep): step is OwnStep {
  return step !== "group" && step !== "network";
}

/** Someone at an entrance of an application. */
export interface Seeking {
  readonly user: Pick<UserRecord, "groups">;
  readonly session: SignInProof & { readonly authenticatedAt: number };
  readonly rules: AccessRules;
  /** Where they come from; undefined where the address is not theirs. */
  readonly address: string | undefined;
  readonly nowMs: number;
  /** What the application requests in addition. */
  readonly asked?: Assurance;
  /** The application renews its tokens: the age of the sign-in does not matter then. */
  readonly isRenewal?: boolean;
}

/** The assurance that is needed there; undefined where the address is refused. */
function findNeeded(
  policy: SitePolicy,
  { user, rules, address, asked = "any" }: Seeking,
): Assurance | undefined {
  const demanded = (user.groups ?? []).map((id) => findOwn(rules.groups, id) ?? "any");
  const all = [policy.minimumAssurance, asked, ...demanded];
  const { networks } = policy;
  if (address === undefined || networks.length === 0 || isInNetworks(address, networks))
    return findStrongest(all);
  return policy.twoFactorOutsideNetworks ? findStrongest([...all, "two-factor"]) : undefined;
}

/** The first step that is missing; undefined for who may go on. */
export function findMissingStep(
  client: Pick<ClientRecord, "enabled" | "allowedGroups" | "policy">,
  seeking: Seeking,
): MissingStep | undefined {
  const { user, session, rules, nowMs, isRenewal = false } = seeking;
  if (!mayUse(client, user)) return "group";
  const policy = toPolicy(client, rules);
  const needed = findNeeded(policy, seeking);
  if (needed === undefined) return "network";
  if (!reaches(toAssurance(session), needed)) return needed === "any" ? undefined : needed;
  const maxMinutes = policy.maxSignInAgeMinutes;
  const isOld = maxMinutes > 0 && session.authenticatedAt + maxMinutes * MINUTE_MS < nowMs;
  return isOld && !isRenewal ? "fresh sign-in" : undefined;
}

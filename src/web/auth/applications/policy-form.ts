/** The access policy of an application between the API and its form: where the application says nothing, the site's holds. */
import type { FieldSpec, Fields, Value } from "../../ui/settings/setting-specs.ts";
import type { ApplicationView } from "./application-data.ts";

/** Chosen where the site's policy holds. */
const SITE = "site";
const answers = { choices: [SITE, "yes", "no"], words: "auth.policy.offline" } as const;

export const policyFields: readonly FieldSpec[] = [
  {
    key: "policy/minimumAssurance",
    label: "auth.policy.assurance",
    kind: { choices: [SITE, "any", "two-factor", "phishing-resistant"] },
  },
  {
    key: "policy/maxSignInAgeMinutes",
    label: "auth.policy.age",
    kind: { min: 0, max: 525_600, optional: true },
  },
  { key: "policy/networks", label: "auth.policy.networks", kind: "words" },
  { key: "policy/twoFactorOutsideNetworks", label: "auth.policy.outside", kind: answers },
  {
    key: "policy/accessTokenMinutes",
    label: "auth.policy.access",
    kind: { min: 1, max: 60, optional: true },
  },
  {
    key: "policy/refreshTokenDays",
    label: "auth.policy.refresh",
    kind: { min: 0, max: 365, optional: true },
  },
  { key: "policy/sessionDays", label: "auth.policy.session", kind: { min: 0, max: 365, optional: true } },
  { key: "policy/offlineAccess", label: "auth.policy.offline", kind: answers },
];

function toAnswer(value: boolean | undefined): string {
  if (value === undefined) return SITE;
  return value ? "yes" : "no";
}

/** The policy as its fields have it. */
export function pickPolicy({ policy = {} }: Pick<ApplicationView, "policy">): Fields {
  return {
    "policy/minimumAssurance": policy.minimumAssurance ?? SITE,
    "policy/maxSignInAgeMinutes": policy.maxSignInAgeMinutes ?? null,
    "policy/networks": policy.networks ?? [],
    "policy/twoFactorOutsideNetworks": toAnswer(policy.twoFactorOutsideNetworks),
    "policy/accessTokenMinutes": policy.accessTokenMinutes ?? null,
    "policy/refreshTokenDays": policy.refreshTokenDays ?? null,
    "policy/sessionDays": policy.sessionDays ?? null,
    "policy/offlineAccess": toAnswer(policy.offlineAccess),
  };
}

/** What is sent of a field: null gives it back to the site. */
function toSent(value: Value): Value {
  if (value === "yes" || value === "no") return value === "yes";
  return value === SITE || (Array.isArray(value) && value.length === 0) ? null : value;
}

/** Fields as a request has them, those of the policy in an object of their own. */
export function nestPolicy(fields: Fields): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  const own = entries.filter(([key]) => !key.startsWith("policy/"));
  const policy = entries.flatMap(([key, value]): [string, Value][] =>
    key.startsWith("policy/") ? [[key.slice("policy/".length), toSent(value)]] : [],
  );
  const sent = policy.length === 0 ? {} : { policy: Object.fromEntries(policy) };
  return { ...Object.fromEntries(own), ...sent };
}

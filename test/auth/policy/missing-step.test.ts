/** The one decision about who may use an application with which sign-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type MissingStep, findMissingStep } from "../../../src/auth/applications/may-use.ts";
import { type AccessRules, type Policy, sitePolicySchema } from "../../../src/auth/base/policy-schema.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");
const password = { amr: ["pwd"], aal: 1 };
const app = { amr: ["pwd", "otp", "mfa"], aal: 2 };
const passkey = { amr: ["swk", "user", "mfa"], aal: 2 };

interface Case {
  readonly policy?: Policy;
  readonly site?: Policy;
  readonly demanded?: AccessRules["groups"];
  readonly groups?: string[];
  readonly allowedGroups?: string[];
  readonly enabled?: boolean;
  readonly proof?: { readonly amr: readonly string[]; readonly aal: number };
  readonly ageMinutes?: number;
  readonly address?: string | null;
  readonly asked?: "two-factor" | "phishing-resistant";
  readonly isRenewal?: boolean;
  readonly missing: MissingStep | undefined;
}

function decide(one: Case): MissingStep | undefined {
  const {
    policy,
    site,
    demanded,
    groups = [],
    proof = password,
    ageMinutes = 0,
    address = "192.0.2.7",
  } = one;
  const { allowedGroups = [], enabled = true, asked, isRenewal } = one;
  const session = { ...proof, authenticatedAt: NOW - ageMinutes * MINUTE };
  const rules = {
    ...(site && { policy: sitePolicySchema.parse(site) }),
    ...(demanded && { groups: demanded }),
  };
  return findMissingStep(
    { enabled, allowedGroups, policy },
    {
      user: { groups },
      session,
      rules,
      nowMs: NOW,
      address: address ?? undefined,
      ...(asked === undefined ? {} : { asked }),
      ...(isRenewal === undefined ? {} : { isRenewal }),
    },
  );
}

const two: Policy = { minimumAssurance: "two-factor" };
const home: Policy = { networks: ["10.0.0.0/8", "2001:db8::/32"] };
const cases: Readonly<Record<string, Case>> = {
  "nothing is demanded": { missing: undefined },
  "the account is in no group of the application": { allowedGroups: ["family"], missing: "group" },
  "the application is off": { enabled: false, policy: two, missing: "group" },
  "the application wants two factors": { policy: two, missing: "two-factor" },
  "the application wants two factors and gets them": { policy: two, proof: app, missing: undefined },
  "a passkey stands for two factors": { policy: two, proof: passkey, missing: undefined },
  "a code can be passed on by another site": {
    policy: { minimumAssurance: "phishing-resistant" },
    proof: app,
    missing: "phishing-resistant",
  },
  "a passkey cannot": {
    policy: { minimumAssurance: "phishing-resistant" },
    proof: passkey,
    missing: undefined,
  },
  "the site wants two factors": { site: two, missing: "two-factor" },
  "the application allows less than the site": {
    site: two,
    policy: { minimumAssurance: "any" },
    missing: undefined,
  },
  "a group demands more than the application": {
    policy: { minimumAssurance: "any" },
    groups: ["family", "staff"],
    demanded: { staff: "phishing-resistant", other: "two-factor" },
    proof: app,
    missing: "phishing-resistant",
  },
  "another group demands it": { groups: ["family"], demanded: { staff: "two-factor" }, missing: undefined },
  "the request asks for more": { asked: "two-factor", missing: "two-factor" },
  "the request asks for less than the policy": {
    policy: { minimumAssurance: "phishing-resistant" },
    asked: "two-factor",
    proof: app,
    missing: "phishing-resistant",
  },
  "the sign-in is too old": { policy: { maxSignInAgeMinutes: 5 }, ageMinutes: 6, missing: "fresh sign-in" },
  "the sign-in is as old as it may be": {
    policy: { maxSignInAgeMinutes: 5 },
    ageMinutes: 5,
    missing: undefined,
  },
  "the application lifts the site's limit": {
    site: { maxSignInAgeMinutes: 5 },
    policy: { maxSignInAgeMinutes: 0 },
    ageMinutes: 60,
    missing: undefined,
  },
  "tokens are renewed long after the sign-in": {
    policy: { maxSignInAgeMinutes: 5 },
    ageMinutes: 600,
    isRenewal: true,
    missing: undefined,
  },
  "tokens are renewed without the second factor": { policy: two, isRenewal: true, missing: "two-factor" },
  "another network": { policy: home, missing: "network" },
  "the network": { policy: home, address: "10.1.2.3", missing: undefined },
  "the network, mapped": { policy: home, address: "::ffff:10.1.2.3", missing: undefined },
  "the network of IPv6": { policy: home, address: "2001:db8:1::1", missing: undefined },
  "no address at all": { policy: home, address: "somewhere", missing: "network" },
  "the address is not the person's": { policy: home, address: null, missing: undefined },
  "two factors from elsewhere": {
    policy: { ...home, twoFactorOutsideNetworks: true },
    missing: "two-factor",
  },
  "two factors from elsewhere, shown": {
    policy: { ...home, twoFactorOutsideNetworks: true },
    proof: app,
    missing: undefined,
  },
  "the password at home": {
    policy: { ...home, twoFactorOutsideNetworks: true },
    address: "10.0.0.1",
    missing: undefined,
  },
  "everything is missing: the network is told before what the person could do": {
    policy: { ...home, ...two, maxSignInAgeMinutes: 1 },
    ageMinutes: 9,
    missing: "network",
  },
};

describe("the step that is missing", () => {
  for (const [name, one] of Object.entries(cases))
    it(`is ${one.missing ?? "none"}: ${name}`, () => {
      assert.equal(decide(one), one.missing);
    });
});

/** Claims that an administrator gives to accounts, groups and applications. */
import { z } from "zod";

const MAX_CLAIMS = 20;

/** Claims whose meaning is the protocol's, or that programs trust as the center's word. */
const RESERVED: ReadonlySet<string> = new Set([
  "iss",
  "sub",
  "aud",
  "exp",
  "nbf",
  "iat",
  "jti",
  "auth_time",
  "nonce",
  "acr",
  "amr",
  "azp",
  "sid",
  "act",
  "at_hash",
  "c_hash",
  "scope",
  "client_id",
  "cnf",
  "events",
  "email",
  "email_verified",
  "groups",
  // Dangerous names of members.
  "__proto__",
  "constructor",
  "prototype",
]);

const claimNameSchema = z
  .string()
  .regex(/^[A-Za-z_][\w:./-]{0,99}$/u, "must be a name such as quota or https://example.org/role")
  .refine((name) => !RESERVED.has(name), { error: "is a claim that the auth center sets itself" });

const line = z.string().max(500);
const claimValueSchema = z.union([line, z.number(), z.boolean(), z.array(line).max(50)]);

function isShort(claims: object): boolean {
  return Object.keys(claims).length <= MAX_CLAIMS;
}
const TOO_MANY = `must have at most ${MAX_CLAIMS} entries`;

/** Of an account or a group. */
export const ownClaimsSchema = z
  .record(claimNameSchema, claimValueSchema)
  .refine(isShort, { error: TOO_MANY });
export type OwnClaims = z.infer<typeof ownClaimsSchema>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/gu;
const VARIABLE =
  /^user\.(?:id|username|name|given_name|family_name|email|locale|zoneinfo|groups|claims\.[\w:./-]{1,100})$/u;

/** The names that a template takes from the account, such as "user.email". */
export function listVariables(template: string): string[] {
  return Array.from(template.matchAll(PLACEHOLDER), ([, name = ""]) => name.trim());
}

/** A template with each of its names replaced. */
export function fillTemplate(template: string, toText: (name: string) => string): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string) => toText(name.trim()));
}

const templateSchema = line.refine((text) => listVariables(text).every((name) => VARIABLE.test(name)), {
  error:
    "may only contain the placeholders {{user.id}}, username, name, given_name, family_name, email, locale, zoneinfo, groups, and {{user.claims.<name>}}",
});

/** Of an application: each a text with names of the account in it. */
export const templatesSchema = z.record(claimNameSchema, templateSchema).refine(isShort, { error: TOO_MANY });
export type Templates = z.infer<typeof templatesSchema>;

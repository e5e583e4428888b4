/** How well a session proves who someone is, and by which names programs know that. */
import { type Assurance, assuranceSchema } from "../base/policy-schema.ts";

const order = assuranceSchema.options;

/** How someone signed in: methods by their names of RFC 8176, and the level of NIST SP 800-63B. */
export interface SignInProof {
  readonly amr: readonly string[];
  readonly aal: number;
}

/** Whether `assurance` is at least `needed`. */
export function reaches(assurance: Assurance, needed: Assurance): boolean {
  return order.indexOf(assurance) >= order.indexOf(needed);
}

/** The strongest; "any" of none. */
export function findStrongest(all: readonly Assurance[]): Assurance {
  return all.reduce((strongest, one) => (reaches(strongest, one) ? strongest : one), "any");
}

/** The assurance of a session. A passkey signs for one origin, so that no other site can pass on what it signed. */
export function toAssurance({ amr, aal }: SignInProof): Assurance {
  if (aal < 2) return "any";
  return amr.includes("hwk") || amr.includes("swk") ? "phishing-resistant" : "two-factor";
}

/**
 * Names of authentication context classes: `aal1` and `aal2` after NIST SP 800-63B; `phr` and `phrh` of OpenID
 * Connect EAP ACR Values 1.0 (phishing-resistant, and with a key that stays in its hardware).
 */
export const acrValues = ["aal1", "aal2", "phr", "phrh"] as const;
export type Acr = (typeof acrValues)[number];

/** The minimum for each class. */
const needs = {
  aal1: "any",
  aal2: "two-factor",
  phr: "phishing-resistant",
  phrh: "phishing-resistant",
} as const satisfies Record<Acr, Assurance>;

/** The known classes of what an application asked for, in its order of preference. */
export function readAcrValues(values: readonly string[]): Acr[] {
  return values.flatMap((value) => acrValues.filter((known) => known === value));
}

/** Whether a session is of a class. */
export function isOfClass(session: SignInProof, acr: Acr): boolean {
  if (acr === "phrh" && !session.amr.includes("hwk")) return false;
  return reaches(toAssurance(session), needs[acr]);
}

/** The class of a session: the first requested one that fits, otherwise the level of NIST. */
export function toAcr(session: SignInProof, asked: readonly Acr[] = []): Acr {
  return asked.find((acr) => isOfClass(session, acr)) ?? (session.aal >= 2 ? "aal2" : "aal1");
}

/** What is required for any of the requested classes: the least of them. */
export function toNeeded(asked: readonly Acr[]): Assurance {
  const all: readonly Assurance[] = asked.map((acr) => needs[acr]);
  return order.find((assurance) => all.includes(assurance)) ?? "any";
}

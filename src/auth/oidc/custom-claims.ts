/** The claims of an account and its groups, and those that an application makes of them. */
import type { Store } from "../../store/store.ts";
import type { AccessRules } from "../base/policy-schema.ts";
import { groups } from "../groups/records.ts";
import { type OwnClaims, type Templates, fillTemplate, listVariables } from "../claims/schema.ts";

/** The owner of the claims. */
interface Holder {
  readonly groups?: readonly string[] | undefined;
  readonly claims?: OwnClaims | undefined;
}

/** The account's claims over those of its groups, of which the last in the alphabet counts. Reads only groups that have any. */
export async function readCustomClaims(
  store: Pick<Store, "read">,
  { groups: ids = [], claims = {} }: Holder,
  { claimGroups = [] }: AccessRules,
): Promise<OwnClaims> {
  const having = ids.filter((id) => claimGroups.includes(id)).toSorted();
  if (having.length === 0) return claims;
  const found = await store.read((tx) => Promise.all(having.map((id) => tx.get(groups, id))));
  const all = [...found.map((group) => group?.claims ?? {}), claims];
  return Object.fromEntries(all.flatMap((each) => Object.entries(each)));
}

type Value = OwnClaims[string] | undefined;

/** The value of a variable; undefined if the account has none, or the scopes do not include it. */
export type FindValue = (name: string) => Value;

/** A template that is one variable keeps its kind; one that lacks a value makes no claim. */
function fill(template: string, find: FindValue): Value {
  const names = listVariables(template);
  const [only = ""] = names;
  if (names.length === 1 && template.trim() === template && /^\{\{[^{}]*\}\}$/u.test(template))
    return find(only);
  if (names.some((name) => find(name) === undefined)) return undefined;
  return fillTemplate(template, (name) => {
    const value = find(name) ?? "";
    return Array.isArray(value) ? value.join(",") : String(value);
  });
}

/** An application's claims of one account. */
export function fillTemplates(templates: Templates, find: FindValue): OwnClaims {
  const filled = Object.entries(templates).map(([name, template]) => [name, fill(template, find)] as const);
  return Object.fromEntries(
    filled.filter((entry): entry is [string, OwnClaims[string]] => entry[1] !== undefined),
  );
}

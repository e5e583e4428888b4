/**
 * HTML that this service has made: pages and previews that a page fetches from its own origin. Browsers with Trusted
 * Types take markup from this policy alone, so that no other text becomes markup by mistake.
 */

/** As much of the browsers' Trusted Types as is used here; the DOM's types do not have them. */
interface Policies {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): Policy;
}
interface Policy {
  createHTML(html: string): string;
}

/** The name that the pages' content security policy allows. */
const NAME = "trivet-own-html";

function isPolicies(value: unknown): value is Policies {
  return typeof value === "object" && value !== null && "createPolicy" in value;
}

function createOwnPolicy(): Policy {
  const policies: unknown = Reflect.get(globalThis, "trustedTypes");
  const rules = { createHTML: (html: string) => html };
  return isPolicies(policies) ? policies.createPolicy(NAME, rules) : rules;
}

const policy = createOwnPolicy();

/** Marks HTML of this service, for an element's content. */
export function trustOwnHtml(html: string): string {
  return policy.createHTML(html);
}

/** Reads a page of this service. */
export function parseOwnPage(html: string): Document {
  return new DOMParser().parseFromString(policy.createHTML(html), "text/html");
}

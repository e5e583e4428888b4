/** Where rules come from, and a change of one. */
import type { AlertRuleFields } from "../../monitor/alerts/schema.ts";
import { adminRequest } from "../ui/console/session.ts";

export const RULES = "/api/admin/alert-rules";

export type RuleView = AlertRuleFields & { readonly id: string; readonly version: number };

export interface RuleList {
  readonly items: readonly RuleView[];
}

/** The path of one rule. */
export function toRulePath(id: string): string {
  return `${RULES}/${encodeURIComponent(id)}`;
}

/** Changes some of a rule, unless someone else did in the meantime. */
export async function changeRule(rule: RuleView, change: Partial<AlertRuleFields>): Promise<void> {
  const {
    id,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...body
  } = rule as typeof rule & Record<string, unknown>; // the answer has more than is sent back
  await adminRequest(toRulePath(id), { method: "PUT", body: { ...body, ...change } });
}

/** Where rules come from, and a change of one. */
import type { Items } from "../ui/console/paged.ts";
import type { AlertRuleView } from "../../monitor/alerts/http/alert-view.ts";
import type { AlertRuleFields } from "../../monitor/alerts/schema.ts";
import { adminRequest } from "../ui/console/session.ts";

export const RULES = "/api/admin/alert-rules";

export type RuleView = AlertRuleView;

export type RuleList = Items<RuleView>;

/** Changes some of a rule, unless someone else did in the meantime. */
export async function changeRule({ id, version }: RuleView, change: Partial<AlertRuleFields>): Promise<void> {
  await adminRequest(`${RULES}/${encodeURIComponent(id)}`, { method: "PATCH", body: change, version });
}

/** Every kind of alert rule, and its form. A kind that is missing in one of the two does not compile. */
import { certificate, certificateForm } from "./certificate.ts";
import { check, checkForm } from "./check.ts";
import { expiry, expiryForm } from "./expiry.ts";
import type { RuleForm, RuleKind } from "./kind.ts";
import { metric, metricForm } from "./metric.ts";
import { offline, offlineForm } from "./offline.ts";
import { traffic, trafficForm } from "./traffic.ts";

export const ruleKinds = { offline, metric, expiry, traffic, check, certificate };
export type RuleKindName = keyof typeof ruleKinds;

/** In the order in which the dashboard offers them. */
export const ruleForms = {
  offline: offlineForm,
  metric: metricForm,
  expiry: expiryForm,
  traffic: trafficForm,
  check: checkForm,
  certificate: certificateForm,
} satisfies { readonly [K in RuleKindName]: RuleForm<(typeof ruleKinds)[K]["watches"]> };

const byName: Readonly<Record<RuleKindName, RuleKind>> = ruleKinds;

/** The kind of a rule or condition. */
export function kindOf({ kind }: { readonly kind: RuleKindName }): RuleKind {
  return byName[kind];
}

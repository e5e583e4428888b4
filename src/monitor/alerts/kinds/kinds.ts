/** Every kind of alert rule, and its form. A kind that is missing in one of the lists does not compile. */
import { certificate, certificateFields, certificateForm } from "./certificate.ts";
import { check, checkFields, checkForm } from "./check.ts";
import { domain, domainFields, domainForm } from "./domain.ts";
import { expiry, expiryFields, expiryForm } from "./expiry.ts";
import type { RuleFields, RuleForm, RuleKind } from "./kind.ts";
import { metric, metricFields, metricForm } from "./metric.ts";
import { offline, offlineFields, offlineForm } from "./offline.ts";
import { part, partFields, partForm } from "./part.ts";
import { traffic, trafficFields, trafficForm } from "./traffic.ts";

export const ruleKinds = { offline, metric, part, expiry, traffic, check, certificate, domain };
export type RuleKindName = keyof typeof ruleKinds;

/** In the order in which the dashboard offers them. */
export const ruleForms = {
  offline: offlineForm,
  metric: metricForm,
  part: partForm,
  expiry: expiryForm,
  traffic: trafficForm,
  check: checkForm,
  certificate: certificateForm,
  domain: domainForm,
} satisfies { readonly [K in RuleKindName]: RuleForm<(typeof ruleKinds)[K]["watches"]> };

/** Fields of their forms. */
export const ruleFields = {
  offline: offlineFields,
  metric: metricFields,
  part: partFields,
  expiry: expiryFields,
  traffic: trafficFields,
  check: checkFields,
  certificate: certificateFields,
  domain: domainFields,
} satisfies Record<RuleKindName, RuleFields>;

const byName: Readonly<Record<RuleKindName, RuleKind>> = ruleKinds;

/** The kind of a rule or condition. */
export function kindOf({ kind }: { readonly kind: RuleKindName }): RuleKind {
  return byName[kind];
}

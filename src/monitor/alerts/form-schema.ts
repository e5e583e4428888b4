/** The form of a rule, from the schemas of its kinds. The dashboard has it as data. */
import { z } from "zod";
import { describeSchema } from "../../kit/fields/describe.ts";
import type { FieldJson } from "../../kit/fields/field-json.ts";
import { type Refined, refineFields } from "../../kit/fields/refine.ts";
import { type RuleKindName, kindOf, ruleFields } from "./kinds/kinds.ts";
import { alertRuleFieldsSchema, ruleKindNames } from "./schema.ts";

function toGroup(kind: RuleKindName): readonly [RuleKindName, FieldJson] {
  const refined: Readonly<Record<string, Refined>> = ruleFields[kind];
  const fields = refineFields(describeSchema(z.object(kindOf({ kind }).parameters())), refined);
  // A cleared rule needs its condition entered again.
  const asked = Object.entries(fields).map(([name, json]) => [name, { ...json, required: true }] as const);
  const when = { name: "kind", among: [kind] };
  return [kind, { kind: "group", flat: true, fields: Object.fromEntries(asked), when }];
}

const [anyRule] = alertRuleFieldsSchema.options;
const { name, enabled, severity, scope, allChannels, channelIds, remindEveryHours, escalation } =
  describeSchema(anyRule);
const kind: FieldJson = { kind: "choice", choices: ruleKindNames };

/** Common fields of rules, and the parameters of the chosen kind. */
export const ruleForm = {
  enabled,
  name,
  kind,
  severity,
  // `as`: the names are those of the kinds.
  ...(Object.fromEntries(ruleKindNames.map(toGroup)) as Record<RuleKindName, FieldJson>),
  scope,
  allChannels,
  channelIds,
  remindEveryHours,
  escalation,
};

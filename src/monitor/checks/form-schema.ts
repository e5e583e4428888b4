/** The fields of checks and of each kind of target, from their schemas. The dashboard has them as data. */
import { describeSchema } from "../../kit/fields/describe.ts";
import type { FieldJson, FieldsJson } from "../../kit/fields/field-json.ts";
import { targetSchema } from "../../kit/probes/targets.ts";
import {
  type CheckKind,
  checkFieldsSchema,
  checkKinds,
  heartbeatScheduleSchema,
  heartbeatTargetSchema,
} from "./schema.ts";

const targets = [...targetSchema.options, heartbeatTargetSchema];

/** Of both types of a schedule. */
const [period, cron] = heartbeatScheduleSchema.options;
const schedule: FieldJson = {
  kind: "group",
  fields: {
    ...describeSchema(period),
    ...describeSchema(cron),
    type: { kind: "choice", choices: [...period.shape.type.values, ...cron.shape.type.values] },
  },
};

function describeTarget(kind: CheckKind): readonly [CheckKind, FieldsJson] {
  const schema = targets.find(({ shape }) => shape.kind.value === kind);
  const described: FieldsJson = schema === undefined ? {} : describeSchema(schema);
  return [kind, kind === "heartbeat" ? { ...described, schedule } : described];
}

export const checkFields = describeSchema(checkFieldsSchema);
// `as`: the names are those of the kinds.
export const targetFields = Object.fromEntries(checkKinds.map(describeTarget)) as Readonly<
  Record<CheckKind, FieldsJson>
>;

/** The form of each kind of check, from the schemas of its kind. The console has it as data. */
import { z } from "zod";
import { describeSchema } from "../../kit/fields/describe.ts";
import type { FieldJson, FieldsJson } from "../../kit/fields/field-json.ts";
import { type Refined, refineFields } from "../../kit/fields/refine.ts";
import { bareOperators, namedSubjects, operatorsOf } from "../../kit/probes/conditions.ts";
import { kindOf, probeForms } from "../../kit/probes/kinds/kinds.ts";
import type { ProbeForm } from "../../kit/probes/probe.ts";
import { type TargetKind, targetKinds } from "../../kit/probes/targets.ts";
import {
  type CheckKind,
  checkFieldsSchema,
  groupTargetSchema,
  heartbeatScheduleSchema,
  heartbeatTargetSchema,
} from "./schema.ts";

/** The form of a check of one kind. */
export interface CheckKindForm {
  readonly icon: string;
  /** See ProbeForm. */
  readonly name: string;
  /** All fields of a check, with those of its target below `target`. */
  readonly fields: FieldsJson;
}

/** Optional values have a default: an empty field requires it again. */
function toAsked(json: FieldJson): FieldJson {
  const { kind, required, min = 0 } = json;
  if (kind === "text") return required === true ? { ...json, min: Math.max(1, min) } : json;
  return ["number", "duration"].includes(kind) ? { ...json, required: true } : json;
}

function toForm(
  kind: CheckKind,
  {
    icon,
    name,
    fields,
    intervalSeconds,
  }: { icon: string; name: string; fields: FieldsJson; intervalSeconds?: number | undefined },
): readonly [CheckKind, CheckKindForm] {
  const target = Object.entries(fields).map(([member, json]) => [member, toAsked(json)] as const);
  const {
    paused: _paused,
    mute: _mute,
    target: _target,
    places: _places,
    ...shared
  } = describeSchema(checkFieldsSchema);
  const all = {
    ...shared,
    ...(intervalSeconds !== undefined && {
      intervalSeconds: { ...shared.intervalSeconds, initial: intervalSeconds },
    }),
    // It follows from the target where it is left empty.
    name: { ...shared.name, required: false },
    // The console has its own kind for them.
    ...(kind !== "heartbeat" &&
      kind !== "group" &&
      kindOf({ kind }).isCentral !== true && { locations: { kind: "group" } }),
    target: {
      kind: "group",
      fields: { kind: { kind: "choice", choices: [kind] }, ...Object.fromEntries(target) },
    },
  } satisfies FieldsJson;
  return [kind, { icon, name, fields: all }];
}

function toProbeForm(kind: TargetKind): readonly [CheckKind, CheckKindForm] {
  const { settings, secrets } = kindOf({ kind });
  const { icon, name, fields, intervalSeconds }: ProbeForm = probeForms[kind];
  const hidden = Object.keys(describeSchema(z.object(secrets()))).map(
    (member): readonly [string, FieldJson] => [member, { kind: "secret" }],
  );
  const described = { ...describeSchema(z.object(settings())), ...Object.fromEntries(hidden) };
  return toForm(kind, { icon, name, fields: refineFields(described, fields), intervalSeconds });
}

/** All types of a schedule. */
const [period, cron, onCalendar] = heartbeatScheduleSchema.options;
const schedule: FieldJson = {
  kind: "group",
  fields: refineFields(
    {
      type: {
        kind: "choice",
        choices: [period, cron, onCalendar].flatMap(({ shape }) => [...shape.type.values]),
      },
      ...describeSchema(period.omit({ type: true })),
      ...describeSchema(cron.omit({ type: true, timeZone: true })),
      ...describeSchema(onCalendar.omit({ type: true })),
    },
    {
      type: {},
      seconds: { kind: "duration", initial: 86_400, when: { name: "type", among: ["period"] } },
      expression: { placeholder: "15 3 * * *", when: { name: "type", among: ["cron"] } },
      calendar: { placeholder: "Mon..Fri 02:30", when: { name: "type", among: ["onCalendar"] } },
      timeZone: { kind: "zone", when: { name: "type", among: ["cron", "onCalendar"] } },
    } satisfies Readonly<Record<string, Refined>>,
  ),
};

const heartbeat = toForm("heartbeat", {
  icon: "pulse",
  name: "",
  fields: refineFields(
    { ...describeSchema(heartbeatTargetSchema), schedule },
    {
      schedule: {},
      graceSeconds: { kind: "duration" },
      maxRunSeconds: { kind: "duration", folded: true },
      failWords: { placeholder: "ERROR, failed", folded: true },
      successWords: { folded: true },
      startWords: { folded: true },
      otherwise: { folded: true },
    },
  ),
});

const group = toForm("group", {
  icon: "grid",
  name: "",
  fields: refineFields(describeSchema(groupTargetSchema.omit({ kind: true })), {
    group: {},
    downWhen: {},
    count: { when: { name: "downWhen", among: ["atLeast"] } },
    alertsForMembers: {},
  }),
});

const [http, ...others] = targetKinds.map(toProbeForm);

/** Of every kind, in the order in which the console offers them. `as`: the names are those of the kinds. */
export const checkForms = Object.fromEntries(
  [http, heartbeat, ...others, group].filter((form) => form !== undefined),
) as Readonly<Record<CheckKind, CheckKindForm>>;

/** What the form of a condition depends on. */
export const conditionParts = { operators: operatorsOf, named: namedSubjects, bare: bareOperators };

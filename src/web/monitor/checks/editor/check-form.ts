/** The form of a check: what its kind declares, and what every check has. */
import type { FieldJson, FieldsJson } from "../../../../kit/fields/field-json.ts";
import { checkForms } from "../../../../monitor/checks/form-schema.ts";
import { type CheckKind, judgedKinds } from "../../../../monitor/checks/schema.ts";
import type { AdminServer } from "../../../../monitor/fleet/view-schema.ts";
import { type TextName, findText } from "../../../app/texts.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { type FieldForm, type FormPanel, type MadeForm, makeForm } from "../../../ui/resource/form.ts";
import { everyKind } from "../../../ui/resource/every-kind.ts";
import type { FieldRule } from "../../../ui/resource/kind.ts";
import { hiddenKind } from "../../../ui/resource/kinds.tsx";
import { referenceKind, suggestKind } from "../../../ui/resource/reference-kinds.tsx";
import { suggestedTagsKind } from "../../../ui/resource/set-kinds.tsx";
import { durationKind } from "../../../ui/resource/span-kinds.tsx";
import { dependsKind } from "../../alerts/depends-kind.tsx";
import { type ServerList, SERVERS } from "../../server-data.ts";
import { type CheckNames, CHECKS } from "../check-data.ts";
import { nameKind } from "./check-name.tsx";
import { conditionsKind } from "./conditions-kind.tsx";
import { locationsKind } from "./locations-kind.tsx";
import { scheduleKind } from "./schedule-kind.tsx";

/** Choices of the form: groups and tags in use, and servers that can run checks. */
export interface CheckContext extends CheckNames {
  readonly servers: readonly AdminServer[];
}

const none: readonly never[] = [];

/** The same; empty until it is known. */
export function useCheckContext(): CheckContext {
  const names = usePolled<CheckNames>(`${CHECKS}/names`, 0).data;
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items;
  return { groups: names?.groups ?? none, tags: names?.tags ?? none, servers: servers ?? none };
}

/** All kinds, in the order in which people are offered them. `as`: Object.keys knows texts alone. */
export const checkKindNames = Object.keys(checkForms) as readonly CheckKind[];

/** The label of a field: the kind's own, or that of every kind that has such a field. */
function toLabel(kind: CheckKind, field: string): TextName {
  const own = `check.${kind}.${field}`;
  // Each field has one of the two: test/web/monitor/checks/check-form.test.ts.
  return (findText(own) === undefined ? `check.any.${field}` : own) as TextName;
}

const TARGET = "target/";

interface Placed {
  readonly path: string;
  readonly json: FieldJson;
}

/** The fields of a target by path; the members of an object are next to the others. */
function listFields(fields: FieldsJson, above: string, folded = false): readonly Placed[] {
  return Object.entries(fields).flatMap(([name, json]) => {
    const path = `${above}${name}`;
    const isFolded = folded || json.folded === true;
    if (json.kind === "group" && json.fields !== undefined && path !== `${TARGET}schedule`)
      return listFields(json.fields, `${path}/`, isFolded);
    return [{ path, json: { ...json, folded: isFolded } }];
  });
}

const timing = ["intervalSeconds", "timeoutSeconds", "failures", "retrySeconds", "inverted"] as const;

function toPanels(kind: CheckKind, placed: readonly Placed[]): readonly FormPanel<string, CheckContext>[] {
  const isHeartbeat = kind === "heartbeat";
  const isJudged = judgedKinds.includes(kind);
  const pick = (folded: boolean): string[] =>
    placed.filter(({ json }) => json.folded === folded).map(({ path }) => path);
  return [
    { title: isHeartbeat ? "admin.check.schedule.title" : "admin.check.target", fields: pick(false) },
    { title: "admin.check.naming", fields: [["name", "group"], "tags", "public"] },
    ...(checkForms[kind].fields["locations"] === undefined
      ? []
      : [
          {
            title: "admin.check.places",
            hint: "admin.check.places.hint",
            fields: ["locations"],
          } as const,
        ]),
    {
      title: "admin.check.advanced",
      folded: true,
      fields: [...(isJudged ? [] : timing), ...pick(true), "note"],
    },
    { title: "admin.depends.title", hint: "admin.depends.hint", folded: true, fields: ["dependsOn"] },
  ];
}

const serverKind = referenceKind<CheckContext, AdminServer>({
  path: SERVERS,
  toChoice: ({ id, name }) => ({ value: id, label: name }),
});

function toRule(kind: CheckKind, path: string): FieldRule<CheckContext> {
  if (path === `${TARGET}kind`) return { kind: hiddenKind };
  const field = path.slice(TARGET.length).replaceAll("/", ".");
  // Asked each time: texts of the console come after its code.
  const label = (): TextName => toLabel(kind, field);
  if (path === `${TARGET}schedule`) return { label, kind: scheduleKind };
  if (path === `${TARGET}serverId`) return { label, kind: serverKind };
  if (path === `${TARGET}group`) return { label, kind: suggestKind(({ groups }) => groups) };
  return path === `${TARGET}conditions` ? { label, kind: conditionsKind() } : { label };
}

function toFieldForm(kind: CheckKind): FieldForm<FieldsJson, CheckContext> {
  const { fields, name } = checkForms[kind];
  const placed = listFields(fields["target"]?.fields ?? {}, TARGET);
  return {
    schema: fields,
    words: "check.any",
    kinds: everyKind(),
    only: "panels",
    fields: {
      ...Object.fromEntries(placed.map(({ path }) => [path, toRule(kind, path)])),
      name: { label: "admin.field.name", kind: nameKind(name) },
      group: { label: "admin.field.group", kind: suggestKind(({ groups }) => groups) },
      tags: { label: "admin.field.tags", kind: suggestedTagsKind(({ tags }) => tags) },
      public: { label: "admin.check.public" },
      note: { label: "admin.field.note" },
      intervalSeconds: { kind: durationKind, json: { required: true } },
      retrySeconds: { kind: durationKind, json: { required: true } },
      timeoutSeconds: { json: { required: true } },
      failures: { json: { required: true } },
      locations: { kind: locationsKind },
      dependsOn: { label: "admin.depends.parents", kind: dependsKind() },
    },
    panels: toPanels(kind, placed),
  };
}

const forms = new Map<CheckKind, FieldForm<FieldsJson, CheckContext>>();

/** The form of a kind, made once. */
export function formOf(kind: CheckKind): FieldForm<FieldsJson, CheckContext> {
  const known = forms.get(kind) ?? toFieldForm(kind);
  forms.set(kind, known);
  return known;
}

/** The form for pages. */
export function madeFormOf(kind: CheckKind): MadeForm<CheckContext> {
  return makeForm(formOf(kind));
}

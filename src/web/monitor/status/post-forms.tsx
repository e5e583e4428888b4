/** The forms of what is posted on a status page: a new post, its title and time, an update. */
import {
  type PostView,
  type StatusPageView,
  newPostSchema,
  newUpdateSchema,
  postPatchSchema,
  updatePatchSchema,
} from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { SelectField } from "../../ui/controls.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type KindOf, isTypedGroup, memberText } from "../../ui/resource/kind.ts";
import { choiceKind, sayPlain, timeKind } from "../../ui/resource/kinds.tsx";
import { componentStatusNames, stepNames } from "./status-data.ts";

/** How components are from now on, a choice each; one that is left out stays as it is. */
const componentsKind: KindOf<StatusPageView> = () => ({
  blank: {},
  // Views have them as text by id.
  toTyped: (value) => (value ?? {}) as Record<string, string>,
  read: (typed) => ({ value: typed }),
  Field: ({ label, value, context, onChange }) => {
    if (context.components.length === 0) return null;
    const said = isTypedGroup(value) ? value : {};
    const choices = [
      { value: "", label: text("admin.status.is.unsaid") },
      ...componentStatusNames.map((status) => ({ value: status, label: text(`admin.status.is.${status}`) })),
    ];
    return (
      <fieldset class="plain-fieldset status-words">
        <legend class="field-label">{label}</legend>
        {context.components.map(({ id = "", name }) => (
          <SelectField<string>
            key={id}
            label={name}
            value={memberText(said, id)}
            choices={choices}
            onChange={(status) => {
              const { [id]: _before, ...rest } = said;
              onChange(status === "" ? rest : { ...rest, [id]: status });
            }}
          />
        ))}
      </fieldset>
    );
  },
  say: sayPlain,
});

/** All steps in sight, below their label. */
const stepKind: KindOf<StatusPageView> = (json) => {
  const kind = choiceKind<StatusPageView>({ as: "segments" })(json);
  return {
    ...kind,
    Field: (props) => (
      <div class="field">
        <span class="field-label">{props.label}</span>
        <kind.Field {...props} />
      </div>
    ),
  };
};

/** "auto" is as bad as what it does to components, and is not sent. */
const impactKind: KindOf<StatusPageView> = (json) => {
  const kind = choiceKind<StatusPageView>({ as: "list" })({
    ...json,
    choices: ["auto", ...(json.choices ?? [])],
  });
  return { ...kind, read: (typed, at) => (typed === "auto" ? { value: undefined } : kind.read(typed, at)) };
};

const title = { label: "admin.field.title", missing: "admin.fault.title" } as const;
const words = { label: "admin.status.text", json: { long: true } } as const;
const concerned = { label: "admin.status.concerned", kind: componentsKind } as const;
const planned = { kind: timeKind, json: { required: true }, missing: "admin.fault.moment" } as const;
const plan = {
  plannedFrom: { ...planned, label: "admin.quiet.from" },
  plannedTo: { ...planned, label: "admin.quiet.to" },
} as const;
const times = ["plannedFrom", "plannedTo"] as const;

/** Maintenance ends after it began. */
function checkPlan({ plannedFrom, plannedTo }: { plannedFrom?: unknown; plannedTo?: unknown }) {
  const isBefore = Date.parse(String(plannedFrom)) >= Date.parse(String(plannedTo));
  return new Map(isBefore ? [["/plannedTo", "admin.fault.after" as const]] : []);
}

function toNewPost(type: PostView["type"]) {
  return makeForm<typeof newPostSchema, StatusPageView>({
    schema: newPostSchema,
    words: "admin.status",
    only: "panels",
    fields: {
      title,
      ...plan,
      impact: { kind: impactKind },
      "update/step": { label: "admin.status.step", kind: stepKind, json: { choices: stepNames[type] } },
      "update/text": words,
      "update/components": concerned,
      isDraft: { label: "admin.status.draft" },
      notifies: { when: ({ isDraft }) => isDraft !== true },
    },
    panels: [
      {
        fields: [
          "title",
          type === "incident" ? (["update/step", "impact"] as const) : times,
          "update/text",
          "update/components",
          "isDraft",
          "notifies",
        ],
      },
    ],
    check: checkPlan,
  });
}

function toHead(type: PostView["type"]) {
  return makeForm<typeof postPatchSchema, StatusPageView>({
    schema: postPatchSchema,
    words: "admin.status",
    only: "panels",
    fields: { title, ...plan, impact: { kind: choiceKind({ as: "list" }) } },
    panels: [{ fields: ["title", type === "incident" ? "impact" : times] }],
    check: checkPlan,
  });
}

/** For each type of post: a new one, and what can be changed of the post itself. */
export const newPostForms = { incident: toNewPost("incident"), maintenance: toNewPost("maintenance") };
export const headForms = { incident: toHead("incident"), maintenance: toHead("maintenance") };

/** The form of the next that is said of a post. */
export function toUpdateForm({ type, state }: Pick<PostView, "type" | "state">) {
  const steps: readonly string[] = stepNames[type];
  const choices = state === "ended" && type === "incident" ? [...steps, "postmortem"] : steps;
  return makeForm<typeof newUpdateSchema, StatusPageView>({
    schema: newUpdateSchema,
    words: "admin.status",
    fields: {
      at: false,
      step: { kind: stepKind, json: { choices } },
      text: words,
      components: concerned,
      notifies: state === "draft" ? false : {},
    },
  });
}

/** The form of an earlier update; saving it sends no notification. */
export const updateForm = makeForm<typeof updatePatchSchema, StatusPageView>({
  schema: updatePatchSchema,
  words: "admin.status",
  fields: {
    at: false,
    text: { ...words, hint: "admin.status.update.edit.hint", missing: "admin.fault.missing" },
    components: concerned,
  },
});

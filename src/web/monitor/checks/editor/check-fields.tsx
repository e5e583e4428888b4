/** All fields of a check's form: kind, target, name, places, and what most people leave as it is. */
import { type JSX, Fragment } from "preact";
import { checkFields } from "../../../../monitor/checks/form-schema.ts";
import type { CheckKind } from "../../../../monitor/checks/schema.ts";
import type { AdminServer } from "../../../../monitor/fleet/view-schema.ts";
import { text, withHint } from "../../../app/texts.ts";
import { Checkbox, TextField } from "../../../ui/controls.tsx";
import { type IconName, Icon } from "../../../ui/icons.tsx";
import { SuggestField, WordsField } from "../../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../../ui/console/pieces.tsx";
import { type FormPart, bindText, bindTick } from "../../../ui/forms/bind.ts";
import { findError } from "../../../ui/forms/field-errors.ts";
import { lazy } from "../../../pages/lazy.tsx";
import { CheckFieldInput } from "./check-field.tsx";
import {
  type CheckForm,
  TIMING,
  keyOf,
  newCheckForm,
  pointerOf,
  toDefaultName,
  toKindChange,
} from "./check-form.ts";
import { checkKindNames } from "../../pieces/check-words.ts";
import { checkKinds, timingFields } from "./check-kinds.ts";
import type { CheckField } from "./field-table.ts";
import { PlaceFields } from "./place-fields.tsx";

const CronHint = lazy(async () => (await import("./cron-hint.tsx")).CronHint, null);

export type CheckPart = FormPart<CheckForm>;

/** Fields that a form of this kind shows, so that what is wrong with others is said beside it. */
export function listPointers(kind: CheckKind): readonly string[] {
  return [
    ...checkKinds[kind].fields.map((field) => pointerOf(kind, field)),
    ...timingFields.map((field) => pointerOf(TIMING, field)),
    "/name",
    "/group",
    "/tags",
    "/note",
    "/places",
  ];
}

const kindIcons: Readonly<Record<CheckKind, IconName>> = {
  http: "globe",
  heartbeat: "pulse",
  tcp: "plug",
  tls: "lock",
  dns: "signpost",
  ping: "target",
};

/** What can be looked at, each with a sentence. */
export function KindChooser({ form, onChange }: CheckPart): JSX.Element {
  return (
    <fieldset class="plain-fieldset check-kinds">
      <legend class="for-readers">{text("admin.check.kind")}</legend>
      {checkKindNames.map((kind) => (
        <label class="check-kind" key={kind}>
          <input
            type="radio"
            name="check-kind"
            class="for-readers"
            checked={form.kind === kind}
            onChange={() => onChange(toKindChange(form, kind))}
          />
          <Icon name={kindIcons[kind]} />
          <span>
            <strong>{text(`admin.check.kind.${kind}`)}</strong>
            <span class="field-hint">{text(`admin.check.kind.${kind}.text`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What is looked at. */
export function TargetFields(part: CheckPart): JSX.Element {
  const { form } = part;
  const shown = checkKinds[form.kind].fields.filter(({ advanced }) => advanced !== true);
  const isCron = form.kind === "heartbeat" && form.values["heartbeat.schedule.type"] === "cron";
  const isHeartbeat = form.kind === "heartbeat";
  return (
    <FieldGroup title={text(isHeartbeat ? "admin.check.schedule.title" : "admin.check.target")}>
      {shown.map((field) => (
        <Fragment key={field.name}>
          <CheckFieldInput {...part} owner={form.kind} field={field} />
          {field.name === "schedule.timeZone" && isCron && (
            <CronHint
              expression={form.values["heartbeat.schedule.expression"] ?? ""}
              timeZone={form.values["heartbeat.schedule.timeZone"] ?? "UTC"}
            />
          )}
        </Fragment>
      ))}
    </FieldGroup>
  );
}

/** How it is called and found. */
function NamingFields(
  props: CheckPart & { groups: readonly string[]; tags: readonly string[] },
): JSX.Element {
  const { form, errors, onChange, groups, tags } = props;
  const name = toDefaultName(form);
  return (
    <FieldGroup title={text("admin.check.naming")}>
      <div class="field-row">
        <TextField
          label={text("admin.field.name")}
          hint={name === "" || form.name !== "" ? undefined : text("admin.check.name.hint", { name })}
          maxLength={checkFields.name.max}
          {...bindText(props, "name")}
        />
        <SuggestField
          label={text("admin.field.group")}
          suggestions={groups}
          maxLength={checkFields.group.max}
          {...bindText(props, "group")}
        />
      </div>
      <WordsField
        {...withHint("admin.field.tags")}
        error={findError(errors, "/tags")}
        words={form.tags}
        suggestions={tags}
        onChange={(words) => onChange({ tags: words })}
      />
    </FieldGroup>
  );
}

/** How many of the folded fields are not as they begin. */
function countChanges(form: CheckForm, fields: readonly CheckField[]): number {
  const begun = newCheckForm(form.kind);
  const isOther = (key: string): boolean => form.values[key] !== begun.values[key];
  const keys = [
    ...fields.map((field) => keyOf(form.kind, field)),
    ...(form.kind === "heartbeat" ? [] : timingFields.map((field) => keyOf(TIMING, field))),
  ];
  const changed = keys.filter((key) => isOther(key) || isOther(`${key}.unit`)).length;
  return changed + Number(form.headers.length > 0) + Number(form.inverted) + Number(form.note !== "");
}

function Timing(part: CheckPart): JSX.Element {
  return (
    <>
      <div class="check-fields">
        {timingFields.map((field) => (
          <CheckFieldInput {...part} owner={TIMING} field={field} key={field.name} />
        ))}
      </div>
      <Checkbox label={text("admin.check.inverted")} {...bindTick(part, "inverted")} />
      <p class="field-hint">{text("admin.check.inverted.hint")}</p>
    </>
  );
}

/** What most people leave as it is, folded; open where something in it is wrong. */
function AdvancedFields(part: CheckPart): JSX.Element {
  const { form, errors } = part;
  const fields = checkKinds[form.kind].fields.filter(({ advanced }) => advanced === true);
  const changed = countChanges(form, fields);
  const pointers = [
    ...fields.map((field) => pointerOf(form.kind, field)),
    ...timingFields.map((field) => pointerOf(TIMING, field)),
    "/note",
  ];
  const isWrong = pointers.some((pointer) => findError(errors, pointer) !== undefined);
  return (
    <details class="admin-panel check-advanced" open={isWrong ? true : undefined}>
      <summary>
        <Icon name="next" />
        {text("admin.check.advanced")}
        {changed > 0 && <span class="badge">{text("admin.check.advanced.changed", { count: changed })}</span>}
      </summary>
      <div class="stack">
        {form.kind !== "heartbeat" && <Timing {...part} />}
        <div class="check-fields">
          {fields.map((field) => (
            <CheckFieldInput {...part} owner={form.kind} field={field} key={field.name} />
          ))}
        </div>
        <TextField
          {...withHint("admin.field.note")}
          long
          maxLength={checkFields.note.max}
          {...bindText(part, "note")}
        />
      </div>
    </details>
  );
}

/** All fields below the chooser. */
export function CheckFields(
  props: CheckPart & {
    readonly groups: readonly string[];
    readonly tags: readonly string[];
    readonly servers: readonly AdminServer[];
  },
): JSX.Element {
  const { form } = props;
  return (
    <>
      <TargetFields {...props} />
      <NamingFields {...props} />
      {form.kind !== "heartbeat" && <PlaceFields {...props} />}
      <AdvancedFields {...props} />
    </>
  );
}

/** The kind of a field that is declared as data: by a schema, or by a service in JSON. */
import type { FieldJson, FieldKind } from "../../../kit/fields/field-json.ts";
import { type TextName, findText } from "../../app/texts.ts";
import type { Fault } from "../forms/parsed.ts";
import { type Form, type Kind, type KindOf, toChoiceText } from "./kind.ts";
import { choiceKind, numberKind, switchKind, textKind, timeKind } from "./kinds.tsx";
import { choicesKind, tagsKind } from "./set-kinds.tsx";

/** Kinds that a console adds, or draws in its own way. */
export type OwnKinds<C> = Partial<Record<FieldKind, KindOf<C>>>;

/** Whether this form shows a declared field. */
export function isAsked({ when }: FieldJson, form: Form): boolean {
  return when === undefined || when.among.some((value) => String(value) === toChoiceText(form[when.name]));
}

/** The JSON pointer of a field in the request; those of its members for a flat group. */
export function toPointers(name: string, { flat, fields = {} }: FieldJson): readonly string[] {
  return flat === true ? Object.keys(fields).map((member) => `/${member}`) : [`/${name}`];
}

/** The field's own text for an error: "<words>.missing" when it is empty, else "<words>.fault". */
export function findOwnFault(fault: Fault, words: string): TextName | undefined {
  const names = fault === "admin.fault.missing" ? [".missing", ".fault"] : [".fault"];
  const own = names.map((name) => words + name).find((name) => findText(name) !== undefined);
  return own as TextName | undefined; // there is such a text
}

/** The kind of a declared field. Beyond the plain ones it must be among `own`: every-kind.ts has them all. */
export function kindOf<C>(json: FieldJson, own: OwnKinds<C> = {}): Kind<C> {
  const mine = own[json.kind];
  if (mine !== undefined) return mine(json);
  switch (json.kind) {
    case "text":
      return textKind(json);
    case "switch":
      return switchKind(json);
    case "choice":
      return choiceKind<C>()(json);
    case "choices":
      return choicesKind<C>()(json);
    case "number":
      return numberKind<C>()(json);
    case "time":
      return timeKind(json);
    case "tags":
      return tagsKind(json);
    case "money":
    case "percent":
    case "duration":
    case "secret":
    case "zone":
    case "pairs":
    case "group":
    case "list":
    case "channel":
    case "metric":
    case "partMetric":
    case "threshold":
      throw new Error(`A form that asks for ${json.kind} must have the kind among its own`);
  }
}

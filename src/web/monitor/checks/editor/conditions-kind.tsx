/** The kind of the field for conditions: a row each, with the operators that its subject has. */
import type { FieldJson } from "../../../../kit/fields/field-json.ts";
import { conditionParts } from "../../../../monitor/checks/form-schema.ts";
import { text } from "../../../app/texts.ts";
import { everyKind } from "../../../ui/resource/every-kind.ts";
import { listKind } from "../../../ui/resource/group-kinds.tsx";
import { type Form, type Kind, type KindOf, toText } from "../../../ui/resource/kind.ts";
import { choiceKind } from "../../../ui/resource/kinds.tsx";

const { operators, named, bare } = conditionParts;

function listOperators({ subject }: Form): readonly string[] {
  const name = toText(subject);
  return Object.entries(operators).find(([one]) => one === name)?.[1] ?? operators.status;
}

/** The operator of a row; one that its subject does not have falls back to the first. */
function toOperator(form: Form): string {
  const known = listOperators(form);
  const typed = toText(form["operator"]);
  return known.includes(typed) ? typed : (known[0] ?? "");
}

function operatorKind<C>(json: FieldJson): Kind<C> {
  const toKind = (choices: readonly string[]): Kind<C> => choiceKind<C>({ as: "list" })({ ...json, choices });
  const kinds = new Map<string, Kind<C>>();
  const kindFor = (form: Form): Kind<C> => {
    const key = toText(form["subject"]);
    const known = kinds.get(key) ?? toKind(listOperators(form));
    kinds.set(key, known);
    return known;
  };
  return {
    ...choiceKind<C>({ as: "list" })(json),
    read: (_typed, { form }) => ({ value: toOperator(form) }),
    Field: (props) => {
      const { Field } = kindFor(props.form);
      return <Field {...props} value={toOperator(props.form)} />;
    },
  };
}

/** Conditions in a list under their label. */
export function conditionsKind<C>(): KindOf<C> {
  return listKind<C>(everyKind(), {
    isHeaded: true,
    members: {
      name: { when: ({ subject }) => named.some((one) => one === subject) },
      operator: { kind: operatorKind },
      value: { when: (form) => bare.every((one) => one !== toOperator(form)) },
    },
    rows: [
      ["subject", "name"],
      ["operator", "value"],
    ],
    nameOf: (_row, index) => text("check.http.conditions.number", { number: index + 1 }),
  });
}

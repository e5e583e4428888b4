/** Kinds of fields of a payment provider. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { text } from "../../app/texts.ts";
import { type Kind, toText } from "../../ui/resource/kind.ts";
import { kindOf } from "../../ui/resource/kind-of.ts";
import { choiceKind, numberKind } from "../../ui/resource/kinds.tsx";
import { secretKind } from "../../ui/resource/secret-kinds.tsx";
import type { SiteFacts } from "../ui/site-facts.ts";

/** A field that the kind of provider asks for. What it requires, it requires only while buyers can choose the provider. */
export function askedKind(json: FieldJson): Kind<SiteFacts> {
  const own = { secret: secretKind, choice: choiceKind({ as: "list" }) };
  const kind = kindOf<SiteFacts>(json, own);
  const isOptional = json.required !== true && (json.kind === "secret" || json.kind === "text");
  const lenient = kindOf<SiteFacts>({ ...json, required: false }, own);
  const isLenient = json.kind === "secret" && json.required === true;
  const { Field } = kind;
  return {
    ...kind,
    read: (typed, at) => (isLenient && at.form["enabled"] !== true ? lenient : kind).read(typed, at),
    Field: ({ label, ...props }) => (
      <Field {...props} label={isOptional ? text("shop.providers.optional", { label }) : label} />
    ),
  };
}

/** Minutes that its orders wait for payment; left empty, those of the site. */
export function expiryKind(json: FieldJson): Kind<SiteFacts> {
  const number = numberKind<SiteFacts>()(json);
  const { Field } = number;
  return {
    ...number,
    Field: (props) => (
      <Field
        {...props}
        hint={text("shop.providers.expiryMinutes.empty", { minutes: props.context.orderExpiryMinutes })}
        value={toText(props.value)}
      />
    ),
  };
}

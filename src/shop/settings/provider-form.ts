/** The fields that a kind of payment provider asks for, as a form shows them. */
import { z } from "zod";
import { describeSchema } from "../../kit/fields/describe.ts";
import type { FieldJson, FieldsJson } from "../../kit/fields/field-json.ts";
import { describeField } from "../payments/provider-texts.ts";
import type { ProviderField, ProviderKind } from "../payments/providers/provider.ts";

type Asked = Pick<ProviderKind, "options" | "credentials" | "fields">;

function toJson({ name, isSecret, isLong }: ProviderField, { options, credentials }: Asked): FieldJson {
  if (isSecret)
    return {
      kind: "secret",
      ...(credentials[name]?.needed === true && { required: true }),
      ...(isLong === true && { long: true }),
    };
  const json: FieldJson = describeSchema(z.object(options))[name] ?? { kind: "text" };
  if (json.kind !== "text") return json;
  // An option without a default must not be empty; one that is left empty goes back to its default.
  return json.required === true ? { ...json, min: Math.max(1, json.min ?? 0) } : { ...json, nullable: true };
}

/** The fields by their path in a request, in the order in which the kind asks for them. */
export function toProviderForm(kind: string, asked: Asked): FieldsJson {
  return Object.fromEntries(
    asked.fields.map((field) => [
      `${field.isSecret ? "credentials" : "options"}/${field.name}`,
      { ...toJson(field, asked), ...describeField(kind, field) },
    ]),
  );
}

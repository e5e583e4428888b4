/** Sources of a form's fields. */
import type { z } from "zod";
import { describeSchema } from "../../../kit/fields/describe.ts";
import type { FieldsJson } from "../../../kit/fields/field-json.ts";

/** The schema of a request, or fields that a service declares. */
export type FieldSource = z.ZodObject | FieldsJson;

function isSchema(source: FieldSource): source is z.ZodObject {
  return "_zod" in source;
}

/** Descriptions of the fields. In the browser a schema is already its description. */
export function toFields(source: FieldSource): FieldsJson {
  return isSchema(source) ? describeSchema(source) : source;
}

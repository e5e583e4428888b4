/** Fields that a schema describes, as a form shows them. */
import type { FieldJson, FieldsJson } from "./field-json.ts";

/** Refines a field's description for a form, such as the choices of a number. */
export interface Refined extends Partial<Omit<FieldJson, "fields">> {
  /** Of the members of an object. */
  readonly fields?: Readonly<Record<string, Refined>>;
}

/** The fields that `refined` names, in its order. */
export function refineFields(described: FieldsJson, refined: Readonly<Record<string, Refined>>): FieldsJson {
  const fields = Object.entries(refined).map(([name, { fields: members, ...own }]) => {
    const json = described[name];
    if (json === undefined) throw new TypeError(`The schema has no field "${name}"`);
    const inner = json.fields && members ? refineFields(json.fields, members) : json.fields;
    return [name, { ...json, ...own, ...(inner && { fields: inner }) }] as const;
  });
  return Object.fromEntries(fields);
}

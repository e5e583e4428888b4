/**
 * Changes of settings that name only some of them: what is left out stays as it is stored, so that no request
 * switches something off by not knowing of it.
 */
import { z } from "zod";
import { toInvalidError } from "../kit/text/validation.ts";

/** Members to change; members of objects are merged, lists replaced as a whole. */
export type SettingsPatch = Readonly<Record<string, unknown>>;

function withoutDefault(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return withoutDefault(schema.unwrap());
  return schema;
}

/** The names of a schema's members; what they hold is checked by the schemas of the settings, as the compiler cannot. */
export type PatchSchema<S extends z.ZodRawShape> = z.ZodObject<
  { [K in keyof S]: z.ZodOptional<z.ZodUnknown> },
  z.core.$strict
>;

/** The same members without their defaults, none of them required; unknown ones are refused. */
export function toPatchSchema<S extends z.ZodRawShape>(schema: z.ZodObject<S>): PatchSchema<S> {
  const members = Object.entries(schema.shape).map(([name, member]): [string, z.ZodOptional] => {
    const bare = withoutDefault(member);
    if (bare instanceof z.ZodObject) return [name, toPatchSchema(bare).optional()];
    if (bare instanceof z.ZodOptional) return [name, bare];
    if (bare instanceof z.ZodType) return [name, bare.optional()];
    throw new TypeError(`The setting "${name}" has no schema`);
  });
  // The members are those of the schema by their names.
  return z.strictObject(Object.fromEntries(members)) as unknown as PatchSchema<S>;
}

function isObject(value: unknown): value is SettingsPatch {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 7396, but that null replaces a member of the top instead of removing it. */
function merge(before: SettingsPatch, patch: SettingsPatch, isTop = true): Record<string, unknown> {
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(patch)) {
    const old = merged.get(key);
    if (value === undefined) continue;
    if (value === null && !isTop) merged.delete(key);
    else merged.set(key, isObject(value) ? merge(isObject(old) ? old : {}, value, false) : value);
  }
  // Own members whatever their names: none becomes a prototype.
  return Object.fromEntries(merged);
}

/** Settings after a change, checked by their own schema. @throws AppError `invalid` */
export function applyPatch<T>(schema: z.ZodType<T>, before: object, patch: SettingsPatch): T {
  const parsed = schema.safeParse(merge(Object.fromEntries(Object.entries(before)), patch));
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return parsed.data;
}

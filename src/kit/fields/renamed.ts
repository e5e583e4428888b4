/**
 * Renamed members of the API. An old name stays for one release: requests may use either name, responses contain both,
 * and the OpenAPI document marks the old one as deprecated.
 */
import { z } from "zod";
import { AppError } from "../errors.ts";

/** The schema of a member or parameter under its old name. */
export function deprecated<S extends z.ZodType>(schema: S, name: string): S {
  return schema.meta({ deprecated: true, description: `Deprecated, use \`${name}\`` });
}

function toConflict(name: string, old: string): string {
  return `must have the same value as "${old}", its deprecated name. Send only "${name}"`;
}

function withoutDefault(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return withoutDefault(schema.unwrap());
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("The member to rename does not exist");
}

export interface RenamedMember<Name extends string, New extends z.ZodType> {
  readonly name: Name;
  /** Without a default: that of the old member applies. */
  readonly schema: New;
  readonly toOld: (value: z.output<New>) => object;
}

/** A schema whose input has the member `old` under either name, and whose output has it under `old`. */
export function acceptRenamed<S extends z.ZodObject, Name extends string, New extends z.ZodType>(
  schema: S,
  old: string & keyof S["shape"],
  { name, schema: newSchema, toOld }: RenamedMember<Name, New>,
): z.ZodPipe<z.ZodType, z.ZodTransform<z.output<S>>> & z.ZodType<z.output<S>, z.input<S>> {
  const member: unknown = schema.shape[old];
  const bare = withoutDefault(member);
  const either = schema.extend({
    [old]: deprecated(bare.optional(), name),
    [name]: newSchema.optional(),
  });
  const renamed = either.transform((input: Record<string, unknown>, context) => {
    const { [name]: current, [old]: before, ...others } = input;
    // `as`: parsed by that schema.
    const value = current === undefined ? before : toOld(current as z.output<New>);
    // Parsed, members are in the order of the schema.
    const isSame = (): boolean => JSON.stringify(bare.parse(value)) === JSON.stringify(before);
    if (current !== undefined && before !== undefined && !isSame())
      context.addIssue({ code: "custom", path: [name], message: toConflict(name, old) });
    const found = value === undefined && member instanceof z.ZodType ? member.safeParse(value).data : value;
    return found === undefined ? others : { ...others, [old]: found };
  });
  // `as`: the compiler cannot follow computed names.
  return renamed as unknown as ReturnType<typeof acceptRenamed<S, Name, New>>;
}

/** The value of a renamed query parameter. @throws AppError `invalid` for two different values */
export function pickRenamed<T>(
  [name, value]: readonly [name: string, value: T | undefined],
  [old, before]: readonly [name: string, value: T | undefined],
): T | undefined {
  if (value !== undefined && before !== undefined && value !== before) {
    const errors = [{ pointer: name, code: "invalid", message: toConflict(name, old) }];
    throw new AppError("invalid", "The query contains invalid values", { errors });
  }
  return value ?? before;
}

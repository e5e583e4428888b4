/** Targets of every kind that can be checked from any location: the monitor itself, or an agent. */
import { z } from "zod";
import { type TargetKind, kindOf, probeKinds } from "./kinds/kinds.ts";

export type { TargetKind } from "./kinds/kinds.ts";

type Kinds = typeof probeKinds;

/** Every kind, in the order in which the console offers them. `as`: Object.keys knows texts alone. */
export const targetKinds = Object.keys(probeKinds) as [TargetKind, ...TargetKind[]];

/** The settings of a kind as schemas. */
export type SettingsOf<K extends TargetKind> = ReturnType<Kinds[K]["settings"]>;
/** The secrets of a kind, each as `Schema`. */
export type SecretsOf<K extends TargetKind, Schema> = {
  [Name in keyof ReturnType<Kinds[K]["secrets"]>]: Schema;
};

/** A secret in a target: "" where none is set. */
type SecretSchema = z.ZodDefault<z.ZodUnion<[z.ZodLiteral<"">, z.ZodType<string>]>>;

/** The schema of one kind. */
export type TargetSchemaOf<K extends TargetKind> = z.ZodObject<
  { kind: z.ZodLiteral<K> } & SettingsOf<K> & SecretsOf<K, SecretSchema>,
  z.core.$strict
>;

type AnySchema = { [K in TargetKind]: TargetSchemaOf<K> }[TargetKind];

/** Schemas by kind: of each, its shape as `toShape` gives it. */
export function mapKinds<Schema>(
  toSchema: (kind: TargetKind, shapes: { settings: z.ZodRawShape; secrets: z.ZodRawShape }) => z.ZodObject,
): readonly [Schema, ...Schema[]] {
  const made = targetKinds.map((kind) => {
    const { settings, secrets } = kindOf({ kind });
    return toSchema(kind, { settings: settings(), secrets: secrets() });
  });
  // `as`: the shapes are those of the registry, which the callers' types are made of.
  return made as unknown as readonly [Schema, ...Schema[]];
}

/** The secrets of a shape as targets hold them. */
function withEmpty(secrets: z.ZodRawShape): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, schema]) => [name, z.union([z.literal(""), schema]).default("")]),
  );
}

/** The target of a check, with its expectations. */
export const targetSchema = z.discriminatedUnion(
  "kind",
  mapKinds<AnySchema>((kind, { settings, secrets }) =>
    z.strictObject({ kind: z.literal(kind), ...settings, ...withEmpty(secrets) }),
  ),
);
export type Target = z.infer<typeof targetSchema>;

/** The names of a kind's secrets. */
export function secretNames(target: { readonly kind: TargetKind }): readonly string[] {
  return Object.keys(kindOf(target).secrets());
}

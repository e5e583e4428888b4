/** The form of a channel, from the schemas of its kinds. The dashboard has it as data. */
import { z } from "zod";
import { describeSchema } from "../../kit/fields/describe.ts";
import type { FieldJson, FieldsJson } from "../../kit/fields/field-json.ts";
import { type Refined, refineFields } from "../../kit/fields/refine.ts";
import { type ChannelType, channelFields, channelKinds, kindOf } from "./kinds/kinds.ts";
import { channelTestSchema } from "./schema.ts";

/** All types. `as`: Object.keys knows texts alone. */
export const channelTypes = Object.keys(channelKinds) as readonly ChannelType[];

/** A secret has its own kind of field; headers are names with a secret each. */
function toSecret(json: FieldJson, isNeeded: boolean): FieldJson {
  if (json.kind === "pairs") return { ...json, secret: true };
  return { kind: "secret", required: isNeeded };
}

/** No setting is empty: what begins with something falls back to it. */
function toSetting(json: FieldJson): FieldJson {
  return json.kind === "text" ? { ...json, min: Math.max(1, json.min ?? 0) } : json;
}

function toFields(type: ChannelType): FieldsJson {
  const { settings, secrets, needed } = kindOf({ type });
  const names: readonly string[] = needed;
  const shown: Readonly<Record<string, Refined>> = channelFields[type];
  const described = {
    ...describeSchema(z.object(settings())),
    ...describeSchema(z.object(secrets())),
  };
  const hidden = new Set(Object.keys(secrets()));
  const fields = Object.entries(described).map(([name, json]): [string, FieldJson] => [
    name,
    hidden.has(name) ? toSecret(json, names.includes(name)) : toSetting(json),
  ]);
  return refineFields(Object.fromEntries(fields), shown);
}

const [anyChannel] = channelTestSchema.options;

function toGroup(type: ChannelType): readonly [ChannelType, FieldJson] {
  const when = { name: "type", among: [type] };
  return [type, { kind: "group", flat: true, fields: toFields(type), when }];
}

/** Type and name, and the fields of each type while it is chosen. */
export const channelForm: Readonly<Record<"type" | "name" | ChannelType, FieldJson>> = {
  type: { kind: "choice", choices: channelTypes },
  name: describeSchema(anyChannel).name,
  // `as`: the names are those of the types.
  ...(Object.fromEntries(channelTypes.map(toGroup)) as Record<ChannelType, FieldJson>),
};

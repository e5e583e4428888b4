/** The kind of field for a time zone. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { listZoneNames } from "../../../kit/text/zone-names.ts";
import { type Kind, toText } from "./kind.ts";
import { suggestKind } from "./reference-kinds.tsx";

/** A time zone, by its IANA name. */
export function zoneKind<C>(json: FieldJson): Kind<C> {
  const kind = suggestKind<C>(listZoneNames)(json);
  const read: Kind<C>["read"] = (typed) => ({ value: toText(typed).trim() || "UTC" });
  return json.initial === "UTC" ? { ...kind, read } : kind;
}

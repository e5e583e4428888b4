/** Values of fields in words, for people who compare them. */
import type { AccessSettings } from "../../monitor/access/schema.ts";
import type { ServerFields } from "../../monitor/base/schema.ts";
import { toTypedBytes, toMoment, toMoney } from "../app/format.ts";
import { type TextName, text } from "../app/texts.ts";

const fieldNames: Readonly<Record<string, TextName>> = {
  name: "admin.field.name",
  group: "admin.field.group",
  tags: "admin.field.tags",
  hidden: "admin.field.hidden",
  disabled: "admin.field.disabled",
  note: "admin.field.note",
  publicNote: "admin.field.publicNote",
  region: "admin.field.region",
  provider: "admin.field.provider",
  billing: "admin.field.billing",
  traffic: "admin.field.traffic",
  mute: "admin.field.mute",
  accent: "admin.field.accent",
  logo: "admin.logo.label",
  siteTitle: "admin.field.siteTitle",
  theme: "admin.field.theme",
  snapshotIntervalMs: "admin.field.snapshotIntervalMs",
  rawRetentionMinutes: "admin.field.rawRetentionMinutes",
  retention: "admin.field.retention",
  quietHours: "admin.field.quietHours",
  timeZone: "admin.field.timeZone",
  language: "admin.field.language",
  publicUrl: "admin.field.publicUrl",
  privateReceivers: "admin.field.privateReceivers",
  privateTargets: "admin.field.privateTargets",
  access: "admin.nav.access",
  isPrivate: "header.private",
  viewers: "admin.access.viewers",
  administrators: "admin.access.administrators",
};

/** The name of a field as its label says; a name that has no label is shown as it is. */
export function toFieldName(name: string): string {
  const found = fieldNames[name];
  return found === undefined ? name : text(found);
}

function toBillingText({
  priceMinor,
  currency,
  cycle,
  expiresAt,
}: NonNullable<ServerFields["billing"]>): string {
  const price = `${toMoney(priceMinor, currency)} / ${cycle.n} ${text(`admin.cycle.${cycle.unit}`)}`;
  return expiresAt === undefined ? price : `${price}, ${toMoment(Date.parse(expiresAt))}`;
}

function toTrafficText({ limitBytes, mode, resetDay, timeZone }: ServerFields["traffic"]): string {
  const limit = limitBytes === 0 ? text("admin.field.limit.none") : toTypedBytes(limitBytes);
  return `${limit}, ${text(`admin.mode.${mode}`)}, ${text("admin.field.resetDay")} ${resetDay}, ${timeZone}`;
}

function toMuteText({ until }: NonNullable<ServerFields["mute"]>): string {
  return until === undefined
    ? text("admin.mute.forever")
    : `${text("admin.mute.until")} ${toMoment(Date.parse(until))}`;
}

function toAccountsText({ who, usernames }: AccessSettings["viewers" | "administrators"]): string {
  const words = text(`admin.access.who.${who}`);
  return who === "listed" ? `${words}: ${usernames.join(", ") || text("admin.value.none")}` : words;
}

function hasAll<T extends object>(value: object, names: readonly (keyof T & string)[]): value is T {
  return names.every((name) => name in value);
}

/** A field's value as people read it; `name` is the field's. */
export function toValueText(name: string, value: unknown): string {
  if (name === "mute" && typeof value === "object" && value !== null) return toMuteText(value);
  if (value === undefined || value === null || value === "") return text("admin.value.none");
  if (typeof value === "boolean") return text(value ? "admin.yes" : "admin.no");
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? text("admin.value.none") : value.join(", ");
  if (typeof value === "object") {
    if (hasAll<NonNullable<ServerFields["billing"]>>(value, ["priceMinor", "currency", "cycle"]))
      return toBillingText(value);
    if (hasAll<ServerFields["traffic"]>(value, ["limitBytes", "mode", "resetDay", "timeZone"]))
      return toTrafficText(value);
    if (hasAll<AccessSettings["viewers" | "administrators"]>(value, ["who", "usernames"]))
      return toAccountsText(value);
  }
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, part]) => `${key} ${toValueText(key, part)}`)
      .join(", ");
  return JSON.stringify(value);
}

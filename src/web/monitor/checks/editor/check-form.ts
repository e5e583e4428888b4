/** A check as a form holds it (texts and ticks), and back. */
import type { CheckKind, Places } from "../../../../monitor/checks/schema.ts";
import type { CheckInput, TargetInput } from "../../../../monitor/checks/view-schema.ts";
import type { TextName } from "../../../app/texts.ts";
import { type ParsedForm, parseWhole } from "../../../ui/forms/parsed.ts";
import { checkKindNames } from "../../pieces/check-words.ts";
import { checkKinds, timingFields } from "./check-kinds.ts";
import type { CheckField } from "./field-table.ts";

/** Units of spans, in seconds. */
export const spanUnits = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;
export type SpanUnit = keyof typeof spanUnits;

/** A header of a request. */
export interface HeaderForm {
  readonly name: string;
  readonly value: string;
  /** A value is stored that nobody is shown; it stays unless another is typed. */
  readonly isKept: boolean;
}

export const quorumChoices = ["majority", "all", "count"] as const;
export type QuorumChoice = (typeof quorumChoices)[number];

export interface CheckForm {
  readonly kind: CheckKind;
  readonly name: string;
  readonly group: string;
  readonly tags: readonly string[];
  /** Of all kinds, as they are typed: under `<kind>.<field>`, the unit of a span under `<kind>.<field>.unit`. */
  readonly values: Readonly<Record<string, string>>;
  readonly headers: readonly HeaderForm[];
  readonly inverted: boolean;
  readonly center: boolean;
  readonly serverIds: readonly string[];
  readonly quorum: QuorumChoice;
  readonly quorumCount: string;
  readonly note: string;
}

/** Where the timing of all kinds stands among the values. */
export const TIMING = "timing";

/** Under which key a field's value stands. */
export function keyOf(owner: CheckKind | typeof TIMING, field: Pick<CheckField, "name">): string {
  return `${owner}.${field.name}`;
}

/** Where an answer of the monitor says what is wrong with a field. */
export function pointerOf(owner: CheckKind | typeof TIMING, { name }: Pick<CheckField, "name">): string {
  return `${owner === TIMING ? "" : "/target"}/${name.replaceAll(".", "/")}`;
}

/** Whether a field is asked for, as the others are. */
export function isAsked(form: CheckForm, owner: CheckKind | typeof TIMING, { when }: CheckField): boolean {
  return when === undefined || when.among.includes(form.values[keyOf(owner, when)] ?? "");
}

/** A span in the largest unit in which it is whole. */
export function toSpanValues(seconds: number): { readonly value: string; readonly unit: SpanUnit } {
  const fits = (unit: SpanUnit): boolean => seconds >= spanUnits[unit] && seconds % spanUnits[unit] === 0;
  const unit = (["d", "h", "min"] as const).find(fits) ?? (seconds === 0 ? "min" : "s");
  return { value: String(seconds / spanUnits[unit]), unit };
}

/** What a field shows of a value, by key. */
function toValues(key: string, field: CheckField, value: unknown): Record<string, string> {
  switch (field.input) {
    case "span": {
      const { value: amount, unit } = toSpanValues(Number(value));
      return { [key]: amount, [`${key}.unit`]: unit };
    }
    case "tick":
      return { [key]: value === true ? "yes" : "" };
    case "words":
      return { [key]: Array.isArray(value) ? value.join("\n") : "" };
    case "headers":
      return {};
    case "text":
    case "whole":
    case "choice":
    case "zone":
      return { [key]: typeof value === "string" || typeof value === "number" ? String(value) : "" };
  }
}

function readDeep(target: unknown, path: string): unknown {
  let value = target;
  for (const name of path.split("."))
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}

function toInitial(field: CheckField): unknown {
  return "initial" in field ? field.initial : undefined;
}

type Values = Readonly<Record<string, string>>;

function merge(parts: readonly Values[]): Values {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

const initialValues = merge([
  ...checkKindNames.flatMap((kind) =>
    checkKinds[kind].fields.map((field) => toValues(keyOf(kind, field), field, toInitial(field))),
  ),
  ...timingFields.map((field) => toValues(keyOf(TIMING, field), field, toInitial(field))),
]);

/** The form of a check that is not there yet; `zone` is where its plans are meant. */
export function newCheckForm(kind: CheckKind, zone = "UTC"): CheckForm {
  return {
    kind,
    name: "",
    group: "",
    tags: [],
    headers: [],
    inverted: false,
    note: "",
    values: { ...initialValues, "heartbeat.schedule.timeZone": zone },
    center: true,
    serverIds: [],
    quorum: "majority",
    quorumCount: "2",
  };
}

function toHeaders(target: TargetInput): readonly HeaderForm[] {
  if (target.kind !== "http") return [];
  return target.headers.map(({ name, value }) => ({
    name,
    value: value ?? "",
    isKept: value === undefined,
  }));
}

/** The form that shows a check. */
export function toCheckForm(check: CheckInput): CheckForm {
  const { target, name, group, tags, inverted, note, places } = check;
  const shown = [
    ...checkKinds[target.kind].fields.map((field) => {
      const value = readDeep(target, field.name);
      // What the other way of a plan asks for is not there: it keeps its default.
      return value === undefined ? {} : toValues(keyOf(target.kind, field), field, value);
    }),
    ...timingFields.map((field) => toValues(keyOf(TIMING, field), field, readDeep(check, field.name))),
  ];
  const isCount = typeof places.quorum === "number";
  return {
    ...newCheckForm(target.kind),
    name,
    group,
    tags,
    inverted,
    note,
    values: merge([initialValues, ...shown]),
    headers: toHeaders(target),
    center: places.center,
    serverIds: places.serverIds,
    quorum: typeof places.quorum === "number" ? "count" : places.quorum,
    quorumCount: isCount ? String(places.quorum) : "2",
  };
}

/** The host of what was typed, for any kind; "" while there is none. */
function findHost({ kind, values }: CheckForm): string {
  if (kind !== "http") return (values[kind === "dns" ? "dns.name" : `${kind}.host`] ?? "").trim();
  try {
    return new URL((values["http.url"] ?? "").trim()).hostname.replaceAll(/[[\]]/gu, "");
  } catch {
    return ""; // it is not typed to its end
  }
}

/** What the check is called where no name is typed; "" while there is nothing to call it by. */
export function toDefaultName(form: CheckForm): string {
  const host = findHost(form);
  if (form.kind !== "tcp" || host === "") return host;
  return `${host}:${form.values["tcp.port"] ?? ""}`;
}

/** The change to another kind: the host that was typed goes along. */
export function toKindChange(form: CheckForm, kind: CheckKind): Partial<CheckForm> {
  const host = findHost(form);
  const key = kind === "dns" ? "dns.name" : `${kind}.host`;
  const takes = host !== "" && kind !== "http" && kind !== "heartbeat" && (form.values[key] ?? "") === "";
  return { kind, ...(takes ? { values: { ...form.values, [key]: host } } : {}) };
}

type Faults = Map<string, TextName>;
type Headers = Extract<TargetInput, { kind: "http" }>["headers"];

function isSpanUnit(unit: string | undefined): unit is SpanUnit {
  return unit !== undefined && unit in spanUnits;
}

function toWords(typed: string): readonly string[] {
  return typed.split("\n").filter((word) => word !== "");
}

/** The value that a field means; undefined where it means none, with its fault. */
function parseValue(
  field: CheckField,
  typed: string,
  unit: string | undefined,
): { value?: unknown; fault?: TextName } {
  switch (field.input) {
    case "text": {
      const value = field.long === true ? typed : typed.trim();
      return value === "" && field.missing !== undefined ? { fault: field.missing } : { value };
    }
    case "whole": {
      const value = parseWhole(typed, field);
      if (value === undefined) return { fault: field.fault };
      return field.omitsInitial === true && value === field.initial ? {} : { value };
    }
    case "span": {
      const whole = parseWhole(typed, { min: 0, max: field.max });
      const value = (whole ?? Number.NaN) * spanUnits[isSpanUnit(unit) ? unit : "s"];
      return value >= field.min && value <= field.max ? { value } : { fault: field.fault };
    }
    case "words": {
      const words = toWords(typed);
      return words.length > field.max ? { fault: field.fault } : { value: words };
    }
    case "tick":
      return { value: typed === "yes" };
    case "zone":
      return { value: typed.trim() === "" ? "UTC" : typed.trim() };
    case "choice":
      return { value: typed };
    case "headers":
      return {};
  }
}

/** The values of an owner's fields by name; what is wrong goes to `faults`. */
function parseFields(
  form: CheckForm,
  {
    owner,
    fields,
    faults,
  }: { owner: CheckKind | typeof TIMING; fields: readonly CheckField[]; faults: Faults },
): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const field of fields) {
    if (!isAsked(form, owner, field)) continue;
    const key = keyOf(owner, field);
    const { value, fault } = parseValue(field, form.values[key] ?? "", form.values[`${key}.unit`]);
    if (fault !== undefined) faults.set(pointerOf(owner, field), fault);
    else if (value !== undefined) found.set(field.name, value);
  }
  return found;
}

/** An object of values by path, such as "json.path". */
function toNested(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const [first = "", second] = path.split(".");
    if (second === undefined) made[first] = value;
    else made[first] = { ...(made[first] as object | undefined), [second]: value };
  }
  return made;
}

function parseHeaders({ headers }: CheckForm, faults: Faults): Headers {
  const typed = headers.filter(({ name, value }) => name.trim() !== "" || value !== "");
  if (typed.some(({ name }) => name.trim() === ""))
    faults.set("/target/headers", "admin.check.fault.headers");
  return typed.map(({ name, value, isKept }) => ({
    name: name.trim(),
    ...(isKept && value === "" ? {} : { value }),
  }));
}

/** What is looked at, as the form says it. */
export function parseTarget(form: CheckForm, faults: Faults): TargetInput {
  const { kind } = form;
  const values = parseFields(form, { owner: kind, fields: checkKinds[kind].fields, faults });
  const target = {
    kind,
    ...toNested(values),
    ...(kind === "http" ? { headers: parseHeaders(form, faults) } : {}),
  };
  // `as`: its members are those of the kind's table; what they hold is checked by the monitor.
  return target as TargetInput;
}

function parsePlaces(form: CheckForm, faults: Faults): Places {
  const { center, serverIds, quorum } = form;
  const places = Number(center) + serverIds.length;
  if (form.kind !== "heartbeat" && places === 0) faults.set("/places", "admin.check.fault.places");
  const count = parseWhole(form.quorumCount, { min: 1, max: 51 });
  if (quorum === "count" && (count === undefined || count > places))
    faults.set("/places/quorum", "admin.check.fault.quorum");
  return { center, serverIds: [...serverIds], quorum: quorum === "count" ? (count ?? 1) : quorum };
}

/** The check that a form means; of `before` stays what the form does not show. */
export function parseCheckForm(
  form: CheckForm,
  before: Pick<CheckInput, "paused" | "mute">,
): ParsedForm<CheckInput> {
  const faults: Faults = new Map();
  const { group, tags, inverted, note } = form;
  const name = form.name.trim() === "" ? toDefaultName(form) : form.name.trim();
  if (name === "") faults.set("/name", "admin.fault.name");
  if (tags.length > 16) faults.set("/tags", "admin.fault.tags");
  const target = parseTarget(form, faults);
  const timing = parseFields(form, { owner: TIMING, fields: timingFields, faults });
  const places = parsePlaces(form, faults);
  if (faults.size > 0) return { ok: false, faults };
  const { paused, mute } = before;
  const fields = {
    name: name.slice(0, 100),
    group: group.trim(),
    tags: [...tags],
    target,
    paused,
    inverted,
    places,
    note,
    ...Object.fromEntries(timing),
    ...(mute === undefined ? {} : { mute }),
  };
  // `as`: the timing has the members of its table.
  return { ok: true, fields: fields as unknown as CheckInput };
}

/** A channel as a form holds it, and what is sent; what each kind asks for is said by its own file. */
import type { ChannelField } from "../../../monitor/channels/kinds/kind.ts";
import { type ChannelType, channelForms } from "../../../monitor/channels/kinds/kinds.ts";
import type { ChannelInput, ChannelView } from "../../../monitor/channels/schema.ts";
import { text } from "../../app/texts.ts";

/** All types. `as`: Object.keys knows texts alone. */
export const channelTypes = Object.keys(channelForms) as readonly ChannelType[];

export interface HeaderLine {
  readonly name: string;
  /** "" keeps what is stored. */
  readonly value: string;
  /** The masked value that is stored under this name. */
  readonly stored?: string;
}

export interface ChannelForm {
  readonly type: ChannelType;
  readonly name: string;
  /** What is typed, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly headers: Readonly<Record<string, readonly HeaderLine[]>>;
  /** Secrets that are to be taken away. */
  readonly removed: readonly string[];
}

/** The fields of a type, beside its name. */
export function fieldsOf(type: ChannelType): readonly ChannelField[] {
  return channelForms[type].fields;
}

/** Where a field stands in what is sent. */
export function pointerOf({ name }: ChannelField): string {
  return `/${name.replace(".", "/")}`;
}

/** The form of a channel that is not there yet. */
export function toNewForm(type: ChannelType, name = ""): ChannelForm {
  const values = fieldsOf(type).map((field): [string, string] => [
    field.name,
    "initial" in field ? String(field.initial ?? "") : "",
  ]);
  return { type, name, values: Object.fromEntries(values), words: {}, headers: {}, removed: [] };
}

function readPath(source: object, name: string): unknown {
  let value: unknown = source;
  for (const part of name.split("."))
    value =
      typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(part) : undefined;
  return value;
}

function toHeaderLines(view: ChannelView, name: string): readonly HeaderLine[] {
  const prefix = `${name}/`;
  return Object.entries(view.secrets)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, stored]) => ({ name: key.slice(prefix.length), value: "", stored }));
}

/** The form that shows a stored channel; its secrets are empty. */
export function toChannelForm(view: ChannelView): ChannelForm {
  const { type, name } = view;
  const values: Record<string, string> = {};
  const words: Record<string, readonly string[]> = {};
  const headers: Record<string, readonly HeaderLine[]> = {};
  for (const field of fieldsOf(type)) {
    const value = readPath(view, field.name);
    if (field.input === "headers") headers[field.name] = toHeaderLines(view, field.name);
    else if (field.input === "words") words[field.name] = Array.isArray(value) ? value.map(String) : [];
    else values[field.name] = typeof value === "string" || typeof value === "number" ? String(value) : "";
  }
  return { type, name, values, words, headers, removed: [] };
}

export type ParsedChannel =
  | { readonly ok: true; readonly body: ChannelInput }
  | { readonly ok: false; readonly faults: ReadonlyMap<string, string> };

function readHeaders(lines: readonly HeaderLine[]): Record<string, string | null> {
  const named = lines.filter(({ name }) => name.trim() !== "");
  // null keeps the stored value.
  return Object.fromEntries(
    named.map(({ name, value, stored }) => [
      name.trim(),
      value === "" && stored !== undefined ? null : value,
    ]),
  );
}

/** The value that a field means, undefined for one that is left out; or why it means none. */
function readField(
  field: ChannelField,
  form: ChannelForm,
  before: ChannelView | undefined,
): { value: unknown } | { fault: string } {
  const { name, input } = field;
  const typed = form.values[name]?.trim() ?? "";
  const required = typed === "" ? { fault: text("admin.fault.missing") } : { value: typed };
  switch (input) {
    case "headers":
      return { value: readHeaders(form.headers[name] ?? []) };
    case "words": {
      const words = form.words[name] ?? [];
      return words.length === 0 ? { fault: text(field.fault) } : { value: words };
    }
    case "choice":
      return { value: field.choices.find((choice) => String(choice) === typed) };
    case "secret":
      if (form.removed.includes(name)) return { value: "" };
      return typed === "" && (field.optional || before?.secrets[name] !== undefined)
        ? { value: undefined }
        : required;
    case "text":
    case "long":
      if (typed === "" && field.initial !== undefined) return { value: undefined };
      return typed !== "" && input === "long" ? { value: form.values[name] } : required;
  }
}

function place(body: Record<string, unknown>, name: string, value: unknown): void {
  const [first = "", second] = name.split(".");
  // `as`: only objects are placed where a name has a second part.
  body[first] = second === undefined ? value : { ...(body[first] as object | undefined), [second]: value };
}

/** What is sent for a form; `before` is the stored channel, whose secrets stay where nothing was typed. */
export function parseChannelForm(form: ChannelForm, before: ChannelView | undefined): ParsedChannel {
  const faults = new Map<string, string>();
  const body: Record<string, unknown> = { type: form.type, name: form.name.trim() };
  if (form.name.trim() === "") faults.set("/name", text("admin.fault.name"));
  for (const field of fieldsOf(form.type)) {
    const parsed = readField(field, form, before);
    if ("fault" in parsed) faults.set(pointerOf(field), parsed.fault);
    else if (parsed.value !== undefined) place(body, field.name, parsed.value);
  }
  if (before !== undefined) body["version"] = before.version;
  if (faults.size > 0) return { ok: false, faults };
  // `as`: its members are those of the kind's form; what they hold is checked by the monitor.
  return { ok: true, body: body as ChannelInput };
}

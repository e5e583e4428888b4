/** A channel as a form holds it, and what is sent. */
import type { ChannelInput, ChannelType, ChannelView } from "../../../monitor/channels/schema.ts";
import type { TextName } from "../../app/texts.ts";

export const channelTypes = [
  "email",
  "ntfy",
  "gotify",
  "telegram",
  "discord",
  "slack",
  "http",
] as const satisfies readonly ChannelType[];

export interface FieldSpec {
  /** Name in the body; "priorities.info" is a member of an object. */
  readonly key: string;
  readonly label: TextName;
  readonly hint?: TextName;
  /** A secret is never shown again; "long" has several lines. */
  readonly kind: "text" | "secret" | "long" | "choice" | "number";
  readonly choices?: readonly string[];
  /** What a new channel begins with. */
  readonly initial?: string;
  readonly optional?: boolean;
}

/** The body that HTTP channels send unless another one is given. */
const HTTP_BODY =
  '{"title":{{json title}},"text":{{json text}},"severity":{{json severity}},"kind":{{json kind}},"url":{{json url}}}';

const priorities = ["1", "2", "3", "4", "5"];

/** The fields of each type, beside its name; recipients and headers have fields of their own. */
export const channelFields: Readonly<Record<ChannelType, readonly FieldSpec[]>> = {
  email: [],
  ntfy: [
    { key: "serverUrl", label: "admin.channel.serverUrl", kind: "text", initial: "https://ntfy.sh" },
    { key: "topic", label: "admin.channel.topic", hint: "admin.channel.topic.hint", kind: "text" },
    {
      key: "token",
      label: "admin.channel.token",
      hint: "admin.channel.ntfy.token",
      kind: "secret",
      optional: true,
    },
    {
      key: "priorities.info",
      label: "admin.channel.priority.info",
      kind: "number",
      choices: priorities,
      initial: "3",
    },
    {
      key: "priorities.warning",
      label: "admin.channel.priority.warning",
      kind: "number",
      choices: priorities,
      initial: "4",
    },
    {
      key: "priorities.critical",
      label: "admin.channel.priority.critical",
      kind: "number",
      choices: priorities,
      initial: "5",
    },
  ],
  gotify: [
    { key: "serverUrl", label: "admin.channel.serverUrl", kind: "text" },
    { key: "token", label: "admin.channel.token", hint: "admin.channel.gotify.token", kind: "secret" },
  ],
  telegram: [
    { key: "botToken", label: "admin.channel.botToken", hint: "admin.channel.botToken.hint", kind: "secret" },
    { key: "chatId", label: "admin.channel.chatId", hint: "admin.channel.chatId.hint", kind: "text" },
    { key: "apiUrl", label: "admin.channel.apiUrl", kind: "text", initial: "https://api.telegram.org" },
  ],
  discord: [
    {
      key: "webhookUrl",
      label: "admin.channel.webhookUrl",
      hint: "admin.channel.discord.hint",
      kind: "secret",
    },
  ],
  slack: [
    {
      key: "webhookUrl",
      label: "admin.channel.webhookUrl",
      hint: "admin.channel.slack.hint",
      kind: "secret",
    },
  ],
  http: [
    { key: "url", label: "admin.channel.url", hint: "admin.channel.url.hint", kind: "secret" },
    {
      key: "method",
      label: "admin.channel.method",
      kind: "choice",
      choices: ["POST", "PUT", "GET"],
      initial: "POST",
    },
    { key: "contentType", label: "admin.channel.contentType", kind: "text", initial: "application/json" },
    {
      key: "body",
      label: "admin.channel.body",
      hint: "admin.channel.body.hint",
      kind: "long",
      initial: HTTP_BODY,
    },
  ],
};

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
  /** Recipients of e-mail. */
  readonly to: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly headers: readonly HeaderLine[];
  /** Secrets that are to be taken away. */
  readonly removed: readonly string[];
}

const HEADER = "headers/";

function toInitialValues(type: ChannelType): Record<string, string> {
  return Object.fromEntries(channelFields[type].map(({ key, initial }) => [key, initial ?? ""]));
}

/** The form of a channel that is not there yet. */
export function toNewForm(type: ChannelType, name = ""): ChannelForm {
  return { type, name, to: [], values: toInitialValues(type), headers: [], removed: [] };
}

function readPath(source: object, key: string): unknown {
  let value: unknown = source;
  for (const part of key.split("."))
    value =
      typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(part) : undefined;
  return value;
}

/** The form that shows a stored channel; its secrets are empty. */
export function toChannelForm(view: ChannelView): ChannelForm {
  const values = toInitialValues(view.type);
  for (const { key, kind } of channelFields[view.type]) {
    const value = readPath(view, key);
    const isPlain = kind !== "secret" && (typeof value === "string" || typeof value === "number");
    values[key] = isPlain ? String(value) : "";
  }
  const headers = Object.entries(view.secrets)
    .filter(([name]) => name.startsWith(HEADER))
    .map(([name, stored]) => ({ name: name.slice(HEADER.length), value: "", stored }));
  const { type, name } = view;
  return { type, name, to: view.type === "email" ? view.to : [], values, headers, removed: [] };
}

export type ParsedChannel =
  | { readonly ok: true; readonly body: ChannelInput }
  | { readonly ok: false; readonly faults: ReadonlyMap<string, TextName> };

function readField(spec: FieldSpec, form: ChannelForm, isStored: boolean): unknown {
  const value = form.values[spec.key]?.trim() ?? "";
  if (spec.kind === "secret" && form.removed.includes(spec.key)) return "";
  if (value === "" && (isStored || spec.optional === true || spec.initial !== undefined)) return undefined;
  return spec.kind === "number" ? Number(value) : spec.kind === "long" ? form.values[spec.key] : value;
}

function readHeaders({ headers }: ChannelForm): Record<string, string | null> {
  const named = headers.filter(({ name }) => name.trim() !== "");
  // null keeps the stored value.
  return Object.fromEntries(
    named.map(({ name, value, stored }) => [
      name.trim(),
      value === "" && stored !== undefined ? null : value,
    ]),
  );
}

function place(body: Record<string, unknown>, key: string, value: unknown): void {
  const [first = "", second] = key.split(".");
  if (second === undefined) body[first] = value;
  else body[first] = { ...(body[first] as object | undefined), [second]: value };
}

/** What is sent for a form; `before` is the stored channel, whose secrets stay where nothing was typed. */
export function parseChannelForm(form: ChannelForm, before: ChannelView | undefined): ParsedChannel {
  const faults = new Map<string, TextName>();
  const body: Record<string, unknown> = { type: form.type, name: form.name.trim() };
  if (form.name.trim() === "") faults.set("/name", "admin.fault.name");
  if (form.type === "email") {
    body["to"] = form.to;
    if (form.to.length === 0) faults.set("/to", "admin.fault.recipients");
  }
  for (const spec of channelFields[form.type]) {
    const isStored = before?.secrets[spec.key] !== undefined;
    const value = readField(spec, form, spec.kind === "secret" && isStored);
    if (value === "" && !form.removed.includes(spec.key))
      faults.set(`/${spec.key.replace(".", "/")}`, "admin.fault.missing");
    if (value !== undefined) place(body, spec.key, value);
  }
  if (form.type === "http") body["headers"] = readHeaders(form);
  if (before !== undefined) body["version"] = before.version;
  if (faults.size > 0) return { ok: false, faults };
  // Its members follow from the table above; what they hold is checked by the monitor.
  return { ok: true, body: body as ChannelInput };
}

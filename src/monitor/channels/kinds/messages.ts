/** Notices as receivers take them: clipped, in one text, posted as JSON. */
import type { OutboundRequest } from "../../../kit/outbound/outbound.ts";
import { type Notice, factNames } from "./notice.ts";

/** At most `limit` UTF-16 units, never half a character. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** At most `limit` bytes of UTF-8, never half a character. */
export function clipBytes(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  let size = byteLength("…");
  let kept = "";
  for (const character of text) {
    size += byteLength(character);
    if (size > limit) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Title, text and address as one text. */
export function toWhole(
  { title, text, url }: Notice,
  escape: (part: string) => string = (part) => part,
): string {
  const parts = [escape(title), escape(text), url ?? ""];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Text whose signs of Markdown stay as they are. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_[\]`#~]/gu, "\\$&");
}

/** The text, for receivers that show the title apart. */
export function toMessage({ title, text }: Notice): string {
  return text === "" ? title : text;
}

/** The severity by which a receiver marks it: resolved alerts are not urgent. */
export function toUrgency({ kind, severity }: Notice): Notice["severity"] {
  return kind === "resolved" ? "info" : severity;
}

/** A path below a server's address. */
export function toPath(base: string, path: string): string {
  return `${base.replace(/(?<!\/)\/+$/u, "")}${path}`;
}

export function postJson(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): OutboundRequest {
  return { method: "POST", url, headers, contentType: "application/json", body: JSON.stringify(body) };
}

/** HTTP Basic (RFC 7617), of ASCII. */
export function toBasic(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`;
}

/** Body and type of a form. */
export function toForm(
  fields: Readonly<Record<string, string>>,
): Required<Pick<OutboundRequest, "contentType" | "body">> {
  return {
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(fields).toString(),
  };
}

/** The facts that a notice has, for receivers that show names with values. */
export function toKnownFacts({ facts }: Notice): Readonly<Record<string, string>> {
  const known = factNames.map((name): [string, string] => [name, facts?.[name] ?? ""]);
  return Object.fromEntries(known.filter(([, value]) => value !== ""));
}

/**
 * The free template of HTTP channels: `{{title}}` is the text itself, `{{json title}}` a JSON string with its quotes,
 * `{{uri title}}` percent-encoded.
 */
import { toUrgency } from "./messages.ts";
import { type FactName, type Notice, type NoticeFacts, factNames } from "./notice.ts";

export const templateNames = [
  "title",
  "text",
  "severity",
  "urgency",
  "kind",
  "url",
  "link",
  ...factNames,
] as const;
type TemplateName = (typeof templateNames)[number];
type TemplateForm = "plain" | "json" | "uri";

type Part = string | { readonly form: TemplateForm; readonly name: TemplateName };

/** Braces hold no braces, and little, so that each character is looked at once. */
const PLACE = /\{\{([^{}]{0,40})\}\}/gu;
const INSIDE = /^ *(?:(json|uri) +)?([a-z]+) *$/u;

/** A template that cannot be used; its message says what to do. */
class TemplateError extends Error {
  override readonly name = "TemplateError";
}

function isName(text: string | undefined): text is TemplateName {
  return templateNames.some((name) => name === text);
}

function parsePlace(whole: string, inside: string): Part {
  const [, form = "plain", name] = INSIDE.exec(inside) ?? [];
  if (!isName(name))
    throw new TemplateError(
      `does not support the placeholder "${whole}". Supported are ${templateNames.join(", ")}, alone or after json or uri`,
    );
  return { form: form === "json" || form === "uri" ? form : "plain", name };
}

function checkRest(text: string): string {
  if (text.includes("{{")) throw new TemplateError('has "{{" without a placeholder name and "}}"');
  return text;
}

function parse(template: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(PLACE)) {
    parts.push(checkRest(template.slice(at, match.index)), parsePlace(match[0], match[1] ?? ""));
    at = match.index + match[0].length;
  }
  return [...parts, checkRest(template.slice(at))];
}

/** JSON for every reader: the two line separators are not allowed in JavaScript's older texts. */
function toJsonText(value: string): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function isFact(name: TemplateName): name is FactName {
  return factNames.some((fact) => fact === name);
}

function valueOf(name: TemplateName, notice: Notice): string {
  if (isFact(name)) return notice.facts?.[name] ?? "";
  if (name === "urgency") return toUrgency(notice);
  return notice[name === "link" ? "url" : name] ?? "";
}

function render(parts: readonly Part[], notice: Notice): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const value = valueOf(part.name, notice);
      switch (part.form) {
        case "plain":
          return value;
        case "json":
          return toJsonText(value);
        case "uri":
          return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));
      }
    })
    .join("");
}

/** Words that are no JSON, so that a place inside of a quoted text is seen. */
const sample: Notice = {
  kind: "test",
  severity: "info",
  title: "a title",
  text: "a text",
  url: "an address",
  facts: Object.fromEntries(factNames.map((name) => [name, "a fact"])) as NoticeFacts,
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Kinds and severities are words of ours without quotes. */
const isOurWord = (name: TemplateName): boolean => ["kind", "severity", "urgency"].includes(name);

function checkJsonBody(parts: readonly Part[]): void {
  for (const part of parts)
    if (typeof part !== "string" && part.form !== "json" && !isOurWord(part.name))
      throw new TemplateError(
        `must write {{json ${part.name}}} without surrounding quotes: a quote in a notification would break the JSON`,
      );
  if (!isJson(render(parts, sample)))
    throw new TemplateError("must be valid JSON; {{json title}} inserts a quoted string");
}

function findFault(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** Whether a content type is JSON's, or one that is built on it (RFC 6839). */
export function isJsonType(contentType: string): boolean {
  return /^application\/(?:[^;]+\+)?json(?: *;|$)/iu.test(contentType);
}

/** Why a body cannot be a template, or undefined. */
export function findBodyFault(body: string, contentType: string): string | undefined {
  return findFault(() => {
    const parts = parse(body);
    if (isJsonType(contentType)) checkJsonBody(parts);
  });
}

/** Why an address cannot be a template, or undefined: places come after the host, and only as {{uri …}}. */
export function findAddressFault(address: string): string | undefined {
  return findFault(() => {
    const parts = parse(address);
    for (const part of parts)
      if (typeof part !== "string" && part.form !== "uri")
        throw new TemplateError(`must use {{uri ${part.name}}} in a URL`);
    const [start] = parts;
    const isFixed = typeof start === "string" && /^https?:\/\/[^/?#]+[/?]/iu.test(start);
    if (parts.length > 1 && !isFixed)
      throw new TemplateError("must contain a fixed host name; placeholders are only allowed after it");
  });
}

/** Fills a template that was checked before. */
export function renderTemplate(template: string, notice: Notice): string {
  return render(parse(template), notice);
}

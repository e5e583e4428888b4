/** How a mail is laid out, as text and as HTML from the same parts. */
import { toDirection } from "../../kit/text/direction.ts";
import { MAX_MAIL_HTML } from "../../kit/mail/mail-check.ts";
import { toMailButton, toMailPage } from "../../kit/mail/mail-layout.ts";
import { fillText } from "../../kit/text/fill-text.ts";
import { escapeHtml } from "../../kit/text/html.ts";
import { renderMarkdown } from "../legal/markdown.ts";

/** One part of a mail. All texts are plain; the layout escapes them. */
export type MailPart =
  | { readonly kind: "paragraph"; readonly text: string }
  /** Label and value, a line each. */
  | { readonly kind: "facts"; readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: "link"; readonly label: string; readonly address: string }
  /**
   * A text in Markdown under a title, such as terms. Its places are filled when it is HTML already: the same text is
   * rendered once for all mails.
   */
  | {
      readonly kind: "document";
      readonly title: string;
      readonly markdown: string;
      readonly values?: Readonly<Record<string, string>>;
    }
  /** To be copied exactly: license keys, tokens. */
  | { readonly kind: "goods"; readonly title: string; readonly values: readonly string[] };

export interface MailDocument {
  readonly language: string;
  readonly shopName: string;
  readonly title: string;
  readonly parts: readonly MailPart[];
  /** Replaces what does not fit. */
  readonly cutNote: string;
  /** Of links and the button, as #rrggbb; the product's own by default. */
  readonly accent?: string | undefined;
}

/** Below what an outbox takes, so that a mail never makes the transaction fail that it belongs to. */
const MAX_TEXT = 45_000;

/** A text in one line, for subjects: control characters and separators become spaces. */
export function toOneLine(text: string, maxLength: number): string {
  // \p{Cs} under "u" is half a surrogate pair, which cutting may leave too.
  const line = text.replaceAll(/[\p{Cc}\p{Cs}\s\u2028\u2029]+/gu, " ").trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/\p{Cs}/u, "")}…`;
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s]+$/iu.test(address);
}

function toText(part: MailPart): string {
  switch (part.kind) {
    case "paragraph":
      return part.text;
    case "facts":
      return part.rows.map(([label, value]) => (label === "" ? value : `${label}: ${value}`)).join("\n");
    case "link":
      return `${part.label}:\n    ${part.address}`;
    case "document":
      return `${part.title}\n\n${fillText(part.markdown, part.values ?? {})}`;
    case "goods":
      return [
        `${part.title}:`,
        ...part.values.map((value) => `    ${value.replaceAll("\n", "\n    ")}`),
      ].join("\n");
  }
}

const MONO = "font-family:ui-monospace,Menlo,Consolas,monospace";
const BOX = `${MONO};white-space:pre-wrap;word-break:break-all;background:#f3f4f2;padding:12px 16px;margin:4px 0;border-radius:10px`;
const CELL = `class="line" style="padding:8px 0;border-top:1px solid #e4e6e2`;
const ACCENT = "#0d6b5c";
/** Longer values begin beside their label. */
const SHORT_VALUE = 40;

function toRow([label, value]: readonly [label: string, value: string], end: string): string {
  const [name, text] = [escapeHtml(label), escapeHtml(value)];
  if (label === "") return `<tr><td ${CELL}" colspan="2">${text}</td></tr>`;
  const align = value.length <= SHORT_VALUE ? ` align="${end}"` : "";
  return `<tr><td ${CELL};padding-inline-end:16px">${name}</td><td ${CELL}"${align}>${text}</td></tr>`;
}

interface Look {
  readonly accent: string;
  /** The side of amounts. */
  readonly end: string;
}

function toHtml(part: MailPart, { accent, end }: Look): string {
  switch (part.kind) {
    case "paragraph":
      return `<p style="margin:0 0 12px;white-space:pre-line">${escapeHtml(part.text)}</p>`;
    case "facts": {
      const rows = part.rows.map((row) => toRow(row, end));
      return `<table role="presentation" width="100%" cellspacing="0" style="margin:8px 0 16px;font-size:15px;line-height:22px">${rows.join("")}</table>`;
    }
    case "link": {
      const address = escapeHtml(part.address);
      // Only web addresses become links: a page's text must not become a javascript: address.
      return isWebAddress(part.address)
        ? `<p style="margin:0 0 12px"><a class="link" href="${address}" style="color:${accent}">${escapeHtml(part.label)}</a></p>`
        : `<p>${escapeHtml(part.label)}: <code>${address}</code></p>`;
    }
    case "document":
      return `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(part.title)}</h2>${toDocument(part)}`;
    case "goods": {
      const values = part.values.map(
        (value) => `<pre class="code" style="${BOX}">${escapeHtml(value)}</pre>`,
      );
      return `<p><strong>${escapeHtml(part.title)}</strong></p>${values.join("")}`;
    }
  }
}

function toDocument({ markdown, values = {} }: Extract<MailPart, { kind: "document" }>): string {
  const escaped = Object.entries(values).map(([name, value]): [string, string] => [name, escapeHtml(value)]);
  return fillText(renderMarkdown(markdown), Object.fromEntries(escaped));
}

/** The values of goods that still fit into `room` characters, and whether all did. */
function cutGoods(part: Extract<MailPart, { kind: "goods" }>, room: number): [MailPart, boolean] {
  const values: string[] = [];
  let left = room - part.title.length;
  for (const value of part.values) {
    left -= value.length + 8;
    if (left < 0) return [{ ...part, values }, false];
    values.push(value);
  }
  return [part, true];
}

/** The parts that fit, with a note in place of the others. */
function fit({ parts, cutNote }: MailDocument): MailPart[] {
  const kept: MailPart[] = [];
  let room = MAX_TEXT;
  for (const part of parts) {
    const [cut, isWhole] = part.kind === "goods" ? cutGoods(part, room) : [part, true];
    room -= toText(cut).length + 2;
    if (room >= 0) kept.push(cut);
    if (room < 0 || !isWhole) return [...kept, { kind: "paragraph", text: cutNote }];
  }
  return kept;
}

/** Facts that follow each other are one table, so that their columns are. */
function joinFacts(parts: readonly MailPart[]): MailPart[] {
  const joined: MailPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.kind === "facts" && before?.kind === "facts")
      joined[joined.length - 1] = { kind: "facts", rows: [...before.rows, ...part.rows] };
    else joined.push(part);
  }
  return joined;
}

/** Both forms of a mail; without `html` when that would be too long. */
export function layOut(document: MailDocument): { text: string; html?: string } {
  const parts = fit(document);
  const { language, shopName, title, accent = ACCENT } = document;
  const text = `${[title, ...parts.map(toText), `-- \n${shopName}`].join("\n\n")}\n`;
  // Outlook knows the attribute alone.
  const look = { accent, end: toDirection(language) === "rtl" ? "left" : "right" };
  // The first address is what the mail asks for.
  const main = parts.find((part) => part.kind === "link" && isWebAddress(part.address));
  const body = joinFacts(parts).map((part) =>
    part === main && part.kind === "link" ? toMailButton(part, accent) : toHtml(part, look),
  );
  const html = toMailPage({ language, siteName: shopName, title, body });
  return html.length <= MAX_MAIL_HTML ? { text, html } : { text };
}

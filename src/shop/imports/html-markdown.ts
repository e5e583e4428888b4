/** Descriptions of other shops: HTML as Markdown. */
import { decodeEntities } from "./entities.ts";

/** Dropped with their content. */
const DROPPED: ReadonlySet<string> = new Set(
  "script style template noscript iframe svg head select".split(" "),
);
const BLOCKS: ReadonlySet<string> = new Set(
  "p div section article header footer ul ol table tbody thead tr blockquote pre h1 h2 h3 h4 h5 h6 dl dt dd figure hr".split(
    " ",
  ),
);

/** Characters that mean something in Markdown. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<]/gu, String.raw`\$&`)
    .replaceAll(/^( ?)([#>+-])(?= )/gu, String.raw`$1\$2`)
    .replaceAll(/^( ?\d{1,9})([.)])(?= )/gu, String.raw`$1\$2`);
}

function toLink(attributes: string): string | undefined {
  const [, double, single, bare] = /\shref ?= ?(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/iu.exec(attributes) ?? [];
  const address = decodeEntities(double ?? single ?? bare ?? "").trim();
  return /^(?:https?:\/\/|mailto:)[^\s()<>]+$/iu.test(address) ? address : undefined;
}

/** The text of Markdown while tags open and close. */
class Writer {
  #text = "";
  readonly #links: (string | undefined)[] = [];
  readonly #lists: { ordered: boolean; count: number }[] = [];

  #break(lines: number): void {
    let end = this.#text.length;
    while (/[ \t]/u.test(this.#text.charAt(end - 1))) end -= 1;
    const trimmed = this.#text.slice(0, end);
    let ends = 0;
    while (trimmed.charAt(end - 1 - ends) === "\n") ends += 1;
    this.#text = trimmed === "" ? "" : trimmed + "\n".repeat(Math.max(0, lines - ends));
  }

  write(raw: string): void {
    const text = decodeEntities(raw).replaceAll(/[\s\u00a0]+/gu, " ");
    const isStart = /^[\n ]?$/u.test(this.#text.charAt(this.#text.length - 1));
    this.#text += escapeText(isStart ? text.trimStart() : text);
  }

  #item(): void {
    this.#break(1);
    const list = this.#lists.at(-1);
    if (list !== undefined) list.count += 1;
    const indent = "  ".repeat(Math.max(0, this.#lists.length - 1));
    this.#text += `${indent}${list?.ordered === true ? `${list.count}.` : "-"} `;
  }

  #mark(mark: string, isEnd: boolean): void {
    if (isEnd) {
      const trimmed = this.#text.trimEnd();
      const rest = this.#text.slice(trimmed.length);
      this.#text = trimmed.endsWith(mark) ? trimmed.slice(0, -mark.length) + rest : trimmed + mark + rest;
    } else this.#text += mark;
  }

  tag(name: string, { isEnd, attributes }: { isEnd: boolean; attributes: string }): void {
    if (name === "br") this.#break(1);
    else if (name === "li") {
      if (!isEnd) this.#item();
    } else if (name === "strong" || name === "b") this.#mark("**", isEnd);
    else if (name === "em" || name === "i") this.#mark("*", isEnd);
    else if (name === "a") this.#link(isEnd, attributes);
    else if (name === "td" || name === "th") this.write(isEnd ? " " : "");
    else if (BLOCKS.has(name)) this.#block(name, isEnd);
  }

  #link(isEnd: boolean, attributes: string): void {
    if (!isEnd) {
      const address = toLink(attributes);
      this.#links.push(address);
      if (address !== undefined) this.#text += "[";
      return;
    }
    const address = this.#links.pop();
    if (address !== undefined) this.#text += `](${address})`;
  }

  #block(name: string, isEnd: boolean): void {
    if (name === "ul" || name === "ol") {
      if (isEnd) this.#lists.pop();
      else this.#lists.push({ ordered: name === "ol", count: 0 });
      this.#break(this.#lists.length > 0 ? 1 : 2);
      return;
    }
    this.#break(name === "tr" || this.#lists.length > 0 ? 1 : 2);
    const level = isEnd ? undefined : /^h([1-6])$/u.exec(name)?.[1];
    // The page's own headings are above.
    if (level !== undefined) this.#text += `${"#".repeat(Math.min(6, Number(level) + 2))} `;
  }

  end(): string {
    return this.#text
      .replaceAll(/\*\*\s*\*\*|\[\]\([^)]*\)/gu, "")
      .replaceAll(/\n{3,}/gu, "\n\n")
      .trim();
  }
}

/** WordPress makes paragraphs of empty lines when it shows a page. */
function withParagraphs(source: string): string {
  return /<p[\s>]/iu.test(source) ? source : source.replaceAll("\n\n", "\n<p>");
}

const TAG = /^(\/?)([a-z][a-z0-9]{0,15})(?![\w-])/iu;

/** A tag or comment at "<", and where it ends; undefined for a mere character. */
function readTag(
  source: string,
  { at, gt }: { readonly at: number; readonly gt: number },
):
  | { readonly name: string; readonly isEnd: boolean; readonly attributes: string; readonly end: number }
  | undefined {
  if (source.startsWith("<!--", at)) {
    const end = source.indexOf("-->", at + 4);
    return { name: "", isEnd: false, attributes: "", end: end === -1 ? source.length : end + 3 };
  }
  const inside = source.slice(at + 1, Math.min(gt, at + 4_000));
  const [start = "", slash = "", written = ""] = TAG.exec(inside) ?? [];
  const name = written.toLowerCase();
  if (name === "") return undefined;
  const isDropped = slash === "" && DROPPED.has(name);
  const close = isDropped ? source.toLowerCase().indexOf(`</${name}`, gt) : gt;
  const end = close === -1 ? source.length : source.indexOf(">", close) + 1;
  const attributes = inside.slice(start.length).replaceAll(/\s+/gu, " ");
  return { name: isDropped ? "" : name, isEnd: slash !== "", attributes, end: Math.max(end, gt + 1) };
}

/** The longest description that is read. */
export const MAX_HTML = 100_000;

/** Markdown for a description; a text without tags stays as it is, except for line ends that were written out. */
export function toMarkdown(html: string): string {
  // WooCommerce writes line feeds as "\n".
  const text = html
    .replaceAll("\r\n", "\n")
    .replaceAll(String.raw`\n`, "\n")
    .slice(0, MAX_HTML);
  if (!/<[a-z!/]/iu.test(text)) return decodeEntities(text).trim();
  const source = withParagraphs(text);
  const writer = new Writer();
  let at = 0;
  let gt = -1;
  for (let lt = source.indexOf("<"); lt !== -1; lt = source.indexOf("<", lt)) {
    if (gt < lt) gt = source.indexOf(">", lt);
    if (gt === -1) break;
    const tag = readTag(source, { at: lt, gt });
    if (tag === undefined) {
      lt += 1;
      continue;
    }
    writer.write(source.slice(at, lt));
    if (tag.name !== "") writer.tag(tag.name, tag);
    at = tag.end;
    lt = tag.end;
  }
  writer.write(source.slice(at));
  return writer.end();
}

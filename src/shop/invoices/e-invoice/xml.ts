/** XML documents as text. */

/** An element; members that are undefined are left out. */
export interface XmlElement {
  readonly name: string;
  readonly content: string | readonly (XmlElement | undefined)[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** Characters that XML 1.0 cannot express, not even as references (section 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Readers turn a bare carriage return into a line feed (section 2.11).
  "\r": "&#13;",
};

/** Escapes a text for elements and quoted attributes. What XML cannot contain becomes a replacement character. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "\ufffd")
    .replaceAll(/[&<>"\r]/gu, (character) => entities[character] ?? character);
}

export function element(
  name: string,
  content: XmlElement["content"],
  attributes: XmlElement["attributes"] = {},
): XmlElement {
  return { name, content, attributes };
}

/** An element with a text; undefined where the text is empty, because rules forbid empty elements. */
export function textElement(
  name: string,
  text: string | undefined,
  attributes: XmlElement["attributes"] = {},
): XmlElement | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? undefined : { name, content: trimmed, attributes };
}

function write({ name, content, attributes }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const open = `${indent}<${name}${written.join("")}>`;
  if (typeof content === "string") return `${open}${escapeXml(content)}</${name}>\n`;
  const children = content.map((child) => (child === undefined ? "" : write(child, `${indent}  `)));
  return `${open}\n${children.join("")}${indent}</${name}>\n`;
}

/** The text of a document in UTF-8. */
export function toXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, "")}`;
}

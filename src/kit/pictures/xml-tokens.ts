/**
 * Reads XML 1.0 strictly, in the subset that pictures need: UTF-8, ASCII names, the five entities that XML
 * defines, and a DOCTYPE without declarations. Every XML parser reads what it accepts in the same way; it
 * rejects everything else.
 */

/** Why a text is not the XML that is taken, such as "line 3: an attribute without quotes". */
export class XmlFault extends Error {
  override readonly name = "XmlFault";
}

export type XmlToken =
  | {
      readonly type: "open";
      readonly name: string;
      readonly attributes: readonly (readonly [name: string, value: string])[];
      readonly isEmpty: boolean;
    }
  | { readonly type: "close"; readonly name: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "instruction"; readonly target: string };

const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/uy;
const SPACE = /[ \t\r\n]*/uy;
const ENTITY = /&([^;&]{0,12});?/gu;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** XML 1.0, section 2.2: what is no character of a document. */
const NO_CHARACTER = /[\u{0}-\u{8}\u{b}\u{c}\u{e}-\u{1f}\u{fffe}\u{ffff}]/u;
/** Encodings that Illustrator and others declare; ASCII is the same in them. */
const SINGLE_BYTE = /^(?:us-ascii|iso-8859-1|windows-1252)$/u;
const isAscii = (text: string): boolean => /^[\u{0}-\u{7e}]*$/u.test(text);
const DECLARATION =
  /^ version=(?:"1\.0"|'1\.0')(?: encoding=(?:"([\w.-]+)"|'([\w.-]+)'))?(?: standalone=(?:"(?:yes|no)"|'(?:yes|no)'))? ?$/u;
const LITERAL = `(?:"[^"<>]*"|'[^'<>]*')`;
const DOCTYPE = new RegExp(`^<!DOCTYPE svg(?: (?:PUBLIC ${LITERAL} ${LITERAL}|SYSTEM ${LITERAL}))? ?>$`, "u");

/** A place in a text that moves on. */
function createReader(source: string) {
  let at = 0;
  const fault = (problem: string): XmlFault =>
    new XmlFault(`line ${source.slice(0, at).split("\n").length}: ${problem}`);
  const startsWith = (text: string): boolean => source.startsWith(text, at);
  return {
    fault,
    startsWith,
    isAtEnd: (): boolean => at >= source.length,
    /** The match at this position; "" for none. */
    take: (pattern: RegExp): string => {
      pattern.lastIndex = at;
      const [found = ""] = pattern.exec(source) ?? [];
      at += found.length;
      return found;
    },
    /** Consumes the text if it comes next. */
    takeText: (text: string): boolean => {
      if (!startsWith(text)) return false;
      at += text.length;
      return true;
    },
    takeUntil: (end: string): string => {
      const to = source.indexOf(end, at);
      const found = source.slice(at, to === -1 ? undefined : to);
      at += found.length;
      return found;
    },
    /** Consumes what is between two marks, the first of which comes next. */
    takeBetween: (start: string, end: string): string => {
      const to = source.indexOf(end, at + start.length);
      if (to === -1) throw fault(`"${start}" without "${end}"`);
      const found = source.slice(at + start.length, to);
      at = to + end.length;
      return found;
    },
  };
}

type Reader = ReturnType<typeof createReader>;

function decode({ fault }: Reader, text: string): string {
  return text.replaceAll(ENTITY, (whole, name: string) => {
    const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/iu.exec(name) ?? [];
    const code = Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16);
    const character = code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entities[name];
    if (character === undefined || !whole.endsWith(";") || NO_CHARACTER.test(character))
      throw fault(`the entity "${whole}"`);
    return character;
  });
}

function takeAttributes(reader: Reader): [string, string][] {
  const { fault, take, takeText, startsWith, takeBetween } = reader;
  const attributes = new Map<string, string>();
  for (;;) {
    const space = take(SPACE);
    const name = take(NAME);
    if (name === "") return [...attributes];
    take(SPACE);
    if (space === "" || !takeText("=")) throw fault(`the attribute "${name}"`);
    take(SPACE);
    const quote = ['"', "'"].find((mark) => startsWith(mark));
    if (quote === undefined) throw fault(`the attribute "${name}" without quotes`);
    const value = takeBetween(quote, quote);
    if (value.includes("<") || attributes.has(name)) throw fault(`the attribute "${name}"`);
    attributes.set(name, decode(reader, value.replaceAll(/[\t\n]/gu, " ")));
  }
}

function takeTag(reader: Reader): XmlToken {
  const { fault, take, takeText } = reader;
  const isClosing = takeText("</");
  if (!isClosing) takeText("<");
  const name = take(NAME);
  const attributes = name === "" || isClosing ? [] : takeAttributes(reader);
  take(SPACE);
  const isEmpty = !isClosing && takeText("/");
  if (name === "" || !takeText(">")) throw fault(`the tag "<${isClosing ? "/" : ""}${name}"`);
  return isClosing ? { type: "close", name } : { type: "open", name, attributes, isEmpty };
}

function takeDoctype({ fault, takeBetween }: Reader, isBegun: boolean): void {
  const start = "<!DOCTYPE";
  const text = `${start}${takeBetween(start, ">")}>`.replaceAll(/\s+/gu, " ");
  if (isBegun || !DOCTYPE.test(text)) throw fault("a DOCTYPE with declarations");
}

function takeDeclaration({ fault, takeBetween }: Reader, source: string): void {
  const text = takeBetween("<?xml", "?>").replaceAll(/\s+/gu, " ").replaceAll(/ ?= ?/gu, "=");
  const [whole, double, single] = DECLARATION.exec(text) ?? [];
  if (whole === undefined) throw fault("an unsupported XML declaration");
  const encoding = (double ?? single ?? "utf-8").toLowerCase();
  const isSame = encoding === "utf-8" || (SINGLE_BYTE.test(encoding) && isAscii(source));
  if (!isSame) throw fault(`the encoding "${encoding}": save it as UTF-8`);
}

/** The tokens of a document, in order. @throws XmlFault */
export function* readXml(document: string): Generator<XmlToken, void> {
  // XML 1.0, section 2.11.
  const source = document.replace(/^\u{feff}/u, "").replaceAll(/\r\n?/gu, "\n");
  const reader = createReader(source);
  const { fault, startsWith, takeBetween } = reader;
  let isBegun = false;
  if (NO_CHARACTER.test(source)) throw fault("control characters");
  if (startsWith("<?xml ")) takeDeclaration(reader, source);
  while (!reader.isAtEnd()) {
    if (!startsWith("<")) {
      const text = reader.takeUntil("<");
      if (text.includes("]]>")) throw fault('"]]>" in text');
      yield { type: "text", text: decode(reader, text) };
    } else if (startsWith("<!--")) {
      if (takeBetween("<!--", "-->").includes("--")) throw fault('"--" in a comment');
    } else if (startsWith("<![CDATA[")) {
      yield { type: "text", text: takeBetween("<![CDATA[", "]]>") };
    } else if (startsWith("<?")) {
      const [target = ""] = takeBetween("<?", "?>").split(/\s/u);
      yield { type: "instruction", target };
    } else if (startsWith("<!DOCTYPE")) takeDoctype(reader, isBegun);
    else {
      isBegun = true;
      yield takeTag(reader);
    }
  }
}

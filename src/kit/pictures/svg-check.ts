/**
 * Whether an SVG picture only displays itself: an allow-list of elements, attributes and URLs over the parsed
 * document, so that everything unknown is rejected.
 */
import {
  SVG,
  XLINK,
  XML,
  cssFunctions,
  cssRules,
  isEditors,
  svgAttributes,
  svgElements,
} from "./svg-names.ts";
import { XmlFault, readXml } from "./xml-tokens.ts";

const ADVICE = "export it as a plain SVG, or as a PNG";
const DEEPEST = 100;
/** Elements that are painted when each `use` is followed. */
const MOST_PAINTED = 100_000;
const OWN_PART = /^#[^\s"'()\\]{1,200}$/u;
const PICTURE = /^data:image\/(?:png|jpeg|jpg|gif|webp);base64,[\w+/=\s]*$/u;
/** Free text, in which brackets and backslashes mean nothing. */
const isFree = (name: string): boolean =>
  /^(?:id|class|title|name|lang|role|alt|(?:data|aria)-[\w.:-]+)$/u.test(name);

class SvgFault extends Error {}

interface Node {
  readonly name: string;
  /** "" for what editors keep. */
  readonly local: string;
  readonly namespaces: ReadonlyMap<string, string>;
  readonly children: Node[];
  readonly target: string | undefined;
  /** Of a style sheet, whose pieces a browser puts together. */
  text: string;
}

/** The functions in CSS text with their arguments. */
function* findFunctions(css: string): Generator<{ readonly name: string; readonly given: string }, void> {
  for (let at = css.indexOf("("); at !== -1; at = css.indexOf("(", at + 1)) {
    let start = at;
    while (/[\w-]/u.test(css.charAt(start - 1))) start -= 1;
    const end = css.indexOf(")", at);
    if (start < at)
      yield { name: css.slice(start, at), given: css.slice(at + 1, end === -1 ? undefined : end) };
  }
}

/** @throws SvgFault */
function checkStyle(css: string, place: string): void {
  // Escapes would hide what a browser reads: `u\72l(…)`.
  if (css.includes("\\")) throw new SvgFault(`has a backslash in ${place}`);
  for (const { name, given } of findFunctions(css)) {
    const word = name.toLowerCase();
    if (!cssFunctions.has(word)) throw new SvgFault(`has "${name}(…)" in ${place}`);
    const target = given.trim().replaceAll(/^["']|["']$/gu, "");
    if (word === "url" && !OWN_PART.test(target))
      throw new SvgFault(`refers to "${shorten(target)}" in ${place}`);
  }
}

/** @throws SvgFault */
function checkSheet(css: string): void {
  const place = 'the element "style"';
  checkStyle(css, place);
  for (const [, rule = ""] of css.matchAll(/@([\w-]+)/gu))
    if (!cssRules.has(rule.toLowerCase())) throw new SvgFault(`has "@${rule}" in ${place}`);
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** The prefix, which may be "", and the rest of a name. */
function split(name: string): [prefix: string, local: string] {
  const at = name.indexOf(":");
  return at === -1 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}

/** Whether the element may refer to that. @throws SvgFault */
function checkTarget(element: string, value: string): string | undefined {
  const target = value.trim();
  if (OWN_PART.test(target)) return target.slice(1);
  const takesPicture = element === "image" || element === "feImage";
  if (target === "" || (takesPicture && PICTURE.test(target))) return undefined;
  throw new SvgFault(
    `refers to "${shorten(target)}" in the element "${element}": a logo can only refer to its own parts and to embedded PNG, JPEG, GIF and WebP pictures`,
  );
}

type Attributes = readonly (readonly [name: string, value: string])[];

/** @throws SvgFault */
function readNamespaces(
  before: ReadonlyMap<string, string>,
  attributes: Attributes,
): ReadonlyMap<string, string> {
  const own = attributes.filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
  if (own.length === 0) return before;
  const reserved = own.find(([name]) => name === "xmlns:xml" || name === "xmlns:xmlns");
  if (reserved !== undefined) throw new SvgFault(`has the attribute "${reserved[0]}"`);
  return new Map([
    ...before,
    ...own.map(([name, uri]): [string, string] => [name.slice("xmlns:".length), uri]),
  ]);
}

/** Checks the attributes of one element; gives the part of the picture that it refers to. @throws SvgFault */
function checkAttributes(
  { element, isSvg, attributes }: { element: string; isSvg: boolean; attributes: Attributes },
  namespaces: ReadonlyMap<string, string>,
): string | undefined {
  let found: string | undefined;
  for (const [name, value] of attributes) {
    const [prefix, local] = split(name);
    if (name === "xmlns" || prefix === "xmlns") continue;
    const namespace = prefix === "" ? "" : (namespaces.get(prefix) ?? "?");
    const place = `the attribute "${name}" of the element "${element}"`;
    if (namespace === XLINK && /^(?:type|show|actuate|title|role|arcrole)$/u.test(local) && isSvg) continue;
    if (isSvg && local === "href" && (namespace === "" || namespace === XLINK)) {
      found ??= checkTarget(element, value);
      continue;
    }
    if (namespace === XML ? local === "space" || local === "lang" || local === "id" : isEditors(namespace))
      continue;
    if (namespace !== "") throw new SvgFault(`has ${place}`);
    // Metadata of editors is never painted, whatever its name.
    if (isSvg ? !svgAttributes.has(local) && !isFree(local) : /^(?:on[a-z]+|href|src)$/iu.test(local))
      throw new SvgFault(`has ${place}`);
    if (isSvg && !isFree(local)) checkStyle(value, place);
  }
  return found;
}

function openElement(
  parent: Node | undefined,
  { name, attributes }: { name: string; attributes: Attributes },
): Node {
  const namespaces = readNamespaces(parent?.namespaces ?? new Map([["xml", XML]]), attributes);
  const [prefix, local] = split(name);
  const namespace = namespaces.get(prefix) ?? "";
  const isSvg = namespace === SVG;
  if (parent === undefined && (!isSvg || local !== "svg"))
    throw new SvgFault(
      `is not an SVG picture: it starts with the element "${name}" of the namespace "${namespace}"`,
    );
  if (isSvg ? !svgElements.has(local) : !isEditors(namespace))
    throw new SvgFault(`has the element "${name}"`);
  const target = checkAttributes({ element: name, isSvg, attributes }, namespaces);
  return { name, local: isSvg ? local : "", namespaces, children: [], target, text: "" };
}

/** Elements of a picture that contains itself many times over take a browser's memory. @throws SvgFault */
function countPainted(root: Node, byId: ReadonlyMap<string, Node>): void {
  const counts = new Map<Node, number>();
  const count = (node: Node): number => {
    const known = counts.get(node);
    if (known !== undefined) return known;
    // While it is counted: browsers do not follow circles.
    counts.set(node, 0);
    const used = node.target === undefined ? undefined : byId.get(node.target);
    const sum =
      node.children.reduce((all, child) => all + count(child), 1) + (used === undefined ? 0 : count(used));
    counts.set(node, sum);
    return sum;
  };
  if (count(root) > MOST_PAINTED) throw new SvgFault(`paints more than ${MOST_PAINTED} elements`);
}

function checkDocument(text: string): void {
  const open: Node[] = [];
  const byId = new Map<string, Node>();
  let root: Node | undefined;
  for (const token of readXml(text)) {
    const parent = open.at(-1);
    if (token.type === "instruction") {
      if (token.target !== "xpacket") throw new SvgFault(`has the instruction "<?${token.target}"`);
    } else if (token.type === "text") {
      if (parent?.local === "style") parent.text += token.text;
      if (parent === undefined && token.text.trim() !== "")
        throw new SvgFault("has text outside the root element");
    } else if (token.type === "close") {
      if (parent?.name !== token.name)
        throw new SvgFault(`closes the element "${token.name}" inside another one`);
      if (parent.local === "style") checkSheet(parent.text);
      open.pop();
    } else {
      if (root !== undefined && parent === undefined)
        throw new SvgFault(`has the element "${token.name}" after the root element`);
      const node = openElement(parent, token);
      root ??= node;
      parent?.children.push(node);
      const id = token.attributes.find(([name]) => name === "id")?.[1];
      if (id !== undefined && !byId.has(id)) byId.set(id, node);
      if (!token.isEmpty) open.push(node);
      if (open.length > DEEPEST) throw new SvgFault(`nests more than ${DEEPEST} elements`);
    }
  }
  const left = open.at(-1);
  if (left !== undefined) throw new SvgFault(`never closes the element "${left.name}"`);
  if (root === undefined) throw new SvgFault("is not an SVG picture");
  countPainted(root, byId);
}

/** Why bytes are not a picture in SVG that shows nothing but itself, with what to do; undefined when they are. */
export function findSvgFault(bytes: Uint8Array): string | undefined {
  try {
    checkDocument(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return undefined;
  } catch (error) {
    if (error instanceof SvgFault) return `${error.message}: ${ADVICE}`;
    if (error instanceof XmlFault) return `cannot be read as XML, ${error.message}: ${ADVICE}`;
    if (error instanceof TypeError) return `is not encoded in UTF-8: ${ADVICE}`;
    throw error;
  }
}

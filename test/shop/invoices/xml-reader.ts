/** A small reader of XML for tests: prefixes are dropped, and comments, CDATA and processing instructions are unknown. */
import assert from "node:assert/strict";

export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#13": "\r" };

function unescape(text: string): string {
  return text.replaceAll(/&([^;]*);/gu, (_all, name: string) => entities[name] ?? assert.fail(name));
}

export function readXml(xml: string): XmlNode {
  interface Open {
    name: string;
    attributes: Record<string, string>;
    children: XmlNode[];
    text: string;
  }
  const stack: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  const body = xml.replace(/^<\?xml [^>]*\?>\s*/u, "");
  for (const [, closing, name = "", attributes = "", text = ""] of body.matchAll(
    /<(\/?)(?:[\w]+:)?([\w]+)((?:\s+[\w:]+="[^"<]*")*)\s*>([^<]*)/gu,
  )) {
    if (closing === "") {
      const found = [...attributes.matchAll(/([\w:]+)="([^"]*)"/gu)];
      const own = Object.fromEntries(found.map(([, key = "", value = ""]) => [key, unescape(value)]));
      stack.push({ name, attributes: own, children: [], text: unescape(text) });
      continue;
    }
    const done = stack.pop();
    assert.equal(done?.name, name);
    if (done !== undefined) stack.at(-1)?.children.push(done);
  }
  const [root = assert.fail(), ...others] = stack[0]?.children ?? [];
  assert.deepEqual([stack.length, others.length], [1, 0], "one root, all closed");
  return root;
}

/** Nodes at a path of names, such as "TaxTotal/TaxSubtotal". */
export function findAll(node: XmlNode, path: string): readonly XmlNode[] {
  return path
    .split("/")
    .reduce<readonly XmlNode[]>(
      (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [node],
    );
}

/** The text of the only node at a path; "" without one. */
export function textAt(node: XmlNode, path: string): string {
  const found = findAll(node, path);
  assert.ok(found.length <= 1, `${path} is there ${found.length} times`);
  return found[0]?.text.trim() ?? "";
}

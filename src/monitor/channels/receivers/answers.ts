/** Answers of status 200 that say in their body that the message was not taken. */

/** The code in a response: only `good` is a success. */
export interface CodeRule {
  readonly member: string;
  readonly good: number;
  /** Members that say what is wrong; the first that is there. */
  readonly texts: readonly string[];
}

function parseObject(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

function toWords(said: unknown): string {
  if (Array.isArray(said)) return said.map(toWords).join(", ");
  return typeof said === "string" ? said : (JSON.stringify(said) ?? "");
}

/** Why the message was not taken, or undefined. An answer without the code is taken for a success. */
export function findCodeFault(text: string, { member, good, texts }: CodeRule): string | undefined {
  const answer = parseObject(text);
  const code = answer.get(member);
  if (code === undefined || code === good) return undefined;
  const said = texts.map((name) => answer.get(name)).find((value) => value !== undefined);
  return `${member} ${JSON.stringify(code)}: ${toWords(said)}`;
}

/** The same of a list with an item for each recipient. */
export function findItemFault(
  text: string,
  { member, good }: { readonly member: string; readonly good: string },
): string | undefined {
  const items = parseList(text);
  const bad = items.find((item) => Reflect.get(item, member) !== good);
  if (bad !== undefined) return JSON.stringify(bad);
  return items.length === 0 ? `unexpected response ${text}` : undefined;
}

function parseList(text: string): readonly object[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map((item: unknown) => Object(item) as object) : [];
  } catch {
    return [];
  }
}

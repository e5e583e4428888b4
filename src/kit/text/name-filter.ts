/** Lists of names and patterns, such as "wg0,!veth*". */

/** Whether a name is included or left out; undefined when the list says nothing of it. */
export type NameFilter = (name: string) => boolean | undefined;

function toPattern(text: string): RegExp {
  const parts = text.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}

function toItems(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** The names that a list includes without a pattern. */
export function listExactNames(text: string): string[] {
  return toItems(text).filter((item) => !/^!|\*/u.test(item));
}

/**
 * Reads a list of names separated by commas, in which "*" stands for any characters and "!" leaves a name out. The last
 * that fits decides. Undefined when the text is no such list.
 */
export function parseNameFilter(text: string): NameFilter | undefined {
  const rules = toItems(text).map((item) => ({
    isIncluded: !item.startsWith("!"),
    name: item.replace(/^!\s*/u, ""),
  }));
  if (rules.length === 0 || rules.some(({ name }) => name === "" || /\p{C}/u.test(name))) return undefined;
  const patterns = rules.map(({ isIncluded, name }) => ({ isIncluded, pattern: toPattern(name) })).reverse();
  return (name) => patterns.find(({ pattern }) => pattern.test(name))?.isIncluded;
}

/** The lists with which the owner of a machine chooses its mounts, interfaces and sensors: "wg0,!veth*". */

/** Whether a name is included or left out; undefined when the list says nothing of it. */
export type NameFilter = (name: string) => boolean | undefined;

/** What is chosen of a machine beside the usual. */
export interface NameFilters {
  readonly mounts: NameFilter;
  readonly interfaces: NameFilter;
  readonly sensors: NameFilter;
}

export const chooseNothing: NameFilter = () => undefined;
export const noFilters: NameFilters = {
  mounts: chooseNothing,
  interfaces: chooseNothing,
  sensors: chooseNothing,
};

function toPattern(text: string): RegExp {
  const parts = text.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}

/**
 * Reads a list of names separated by commas, in which "*" stands for any characters and "!" leaves a name out. The last
 * that fits decides. Undefined when the text is no such list.
 */
export function parseNameFilter(text: string): NameFilter | undefined {
  const rules = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => ({ isIncluded: !item.startsWith("!"), name: item.replace(/^!\s*/u, "") }));
  if (rules.length === 0 || rules.some(({ name }) => name === "" || /\p{C}/u.test(name))) return undefined;
  const patterns = rules.map(({ isIncluded, name }) => ({ isIncluded, pattern: toPattern(name) })).reverse();
  return (name) => patterns.find(({ pattern }) => pattern.test(name))?.isIncluded;
}

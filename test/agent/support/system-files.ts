/** Fixture texts in the place of /proc and /sys. */
import type { SystemFiles } from "../../../src/agent/metrics/system-files.ts";
import type { Usage } from "../../../src/agent/payload.ts";

/** Files by path; a folder is what its files' paths say, and "PATH ->" is where a link at PATH leads. */
export function createFixtureFiles(
  texts: Readonly<Record<string, string>>,
  spaces: Readonly<Record<string, Usage>> = {},
): SystemFiles & { texts: Record<string, string> } {
  const own = { ...texts };
  return {
    texts: own,
    text: (path) => own[path],
    need: (path) => {
      const text = own[path];
      if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return text;
    },
    target: (path) => own[`${path} ->`],
    names: (path) => {
      const inside = Object.keys(own).filter((each) => each.startsWith(`${path}/`));
      return [...new Set(inside.map((each) => each.slice(path.length + 1).split("/")[0] ?? ""))];
    },
    space: async (path) => spaces[path],
  };
}

/** Forms whose names have brackets, as objects: `a[b]=1` → {a: {b: "1"}}, `a[0]=1` → {a: ["1"]}. */

export interface FormTree {
  [name: string]: string | FormTree | (string | FormTree)[];
}

type Branch = Map<string, Branch | string>;

function toTree(branch: Branch): FormTree | (string | FormTree)[] {
  const entries = [...branch].map(
    ([name, value]) => [name, typeof value === "string" ? value : toTree(value)] as const,
  );
  const isList = entries.every(([name], index) => name === "" || name === String(index));
  if (!isList || entries.length === 0) return Object.fromEntries(entries);
  return entries.flatMap(([, value]) => (Array.isArray(value) ? [] : [value]));
}

/** Reads a form-encoded text as an object. */
export function readForm(body: string): FormTree {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split("[").map((part) => part.replace(/\]$/u, ""));
    let branch = root;
    for (const part of path.slice(0, -1)) {
      const next = branch.get(part);
      const child: Branch = next instanceof Map ? next : new Map();
      branch.set(part, child);
      branch = child;
    }
    branch.set(path.at(-1) ?? "", value);
  }
  const tree = toTree(root);
  return Array.isArray(tree) ? {} : tree;
}

/** Values in JSON answers, by paths such as "status" or "$.checks[0].state". */

/** Names and numbers of a path; undefined when it is none. */
export function parseJsonPath(path: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let rest = path.startsWith("$") ? path.slice(1) : `.${path}`;
  // `data[0]` and `["a b"][0]` begin without a point too.
  if (rest.startsWith(".[")) rest = rest.slice(1);
  while (rest !== "") {
    const [whole, name, index, quoted] = /^(?:\.([^.[\]"]+)|\[(\d{1,9})\]|\["([^"]*)"\])/u.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    steps.push(index === undefined ? (name ?? quoted ?? "") : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** The value at a path; undefined when there is none. Only what the document itself holds is found. */
export function findJsonValue(document: unknown, steps: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== "object" || value === null) return undefined;
    // A number in a path of points ("items.0") means the same as in brackets.
    if (!Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

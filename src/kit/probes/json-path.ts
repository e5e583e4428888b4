/** Values in JSON answers, by paths such as "status" or "$.checks[0].state". */

/** `.name`, `[0]`, `[-1]`, `["a.b"]`, `['a.b']` (RFC 9535 section 2.3, without what chooses several values). */
const STEP = /^(?:\.([^.[\]"]+)|\[(-?\d{1,9})\]|\["((?:[^"\\]|\\["'\\])*)"\]|\['((?:[^'\\]|\\["'\\])*)'\])/u;

/** Names and numbers of a path; undefined when it is none. */
export function parseJsonPath(path: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let rest = path.startsWith("$") ? path.slice(1) : `.${path}`;
  // `data[0]` and `["a b"][0]` begin without a point too.
  if (rest.startsWith(".[")) rest = rest.slice(1);
  while (rest !== "") {
    const [whole, name, index, double, single] = STEP.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    const quoted = (double ?? single)?.replaceAll(/\\(["'\\])/gu, "$1");
    steps.push(index === undefined ? (name ?? quoted ?? "") : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** Names and numbers alone, as checks have had them from the start: `status`, `$.list[0]`, and none with a star. */
export function parsePlainPath(path: string): readonly (string | number)[] | undefined {
  const steps = parseJsonPath(path);
  return steps?.some((step) => step === "*") === true ? undefined : steps;
}

/** The value at a path; undefined when there is none. Only what the document itself holds is found. */
export function findJsonValue(document: unknown, steps: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== "object" || value === null) return undefined;
    // A number in a path of points ("items.0") means the same as in brackets; a negative one counts from the end.
    const member = Array.isArray(value) && typeof step === "number" && step < 0 ? value.length + step : step;
    if (!Object.hasOwn(value, member)) return undefined;
    value = Reflect.get(value, member);
  }
  return value;
}
